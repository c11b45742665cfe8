import { existsSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { markOf } from '../../base/columns/roles.ts';
import { plainWords, quotedNames, severalColumns } from '../../base/columns/texts.ts';
import { Undecided } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { clipFile } from '../../corpora/common-voice/common-voice.ts';
import { loadMember, memberNames } from '../../session/members/load-member.ts';
import { firstOfSets } from '../../system/parquet-rows.ts';
import { endingOf } from '../../system/read-rows.ts';
import type { Doing } from '../progress/lines.ts';
import { bareFolder } from './bare-folder.ts';
import { orPartial } from './open-questions.ts';
import { type SniffedList, sniffList } from './sniff-list.ts';
import { soundNames } from './sound-column.ts';
import { beginningOf, type SoundTree } from './sound-tree.ts';
import type { ReadTimes } from './times-of-list.ts';

/** A way to read what lies in a folder, before it was tried. Paths in the options are relative to the root of the tree. */
export interface Candidate {
  readonly type: string;
  readonly options: JsonObject;
  /** `the list calls.csv`, `LibriSpeech`: for people. */
  readonly what: string;
  /** What the user may want to know of it, one sentence each. */
  readonly notes: readonly string[];
  /** How a config says who speaks, for where reading tells of nobody; null: it cannot. */
  readonly whoSpeaks: string | null;
  /** The column that says the language; absent where none does. */
  readonly languageColumn?: string;
  /** Where most segments end after their files do: it is refused with these words, or (null) the next way counts. */
  readonly tooLong?: ReadTimes['tooLong'];
  /** Of a list without words who speaks; null where it cannot be read as attributes of the sounds. Absent: it has words, or is none. */
  readonly speakersFrom?: string | null;
  /** Of a list whose words nothing calls the references: others beside the audio may be it. */
  readonly mayBeOutput?: true;
  /** Where there are no words in it, the next way counts. */
  readonly onlyWithWords?: true;
}

/** Options in which members name paths. */
export const pathOptions: readonly string[] = ['folder', 'file', 'soundFolder', 'attributes', 'texts'];

/**
 * Ways to read a folder, the most telling first: published data sets by their signs, Common Voice, Kaldi, lists of the sounds that
 * are there, and the bare sounds. Each is to be tried: the first that gives utterances counts.
 */
export async function* candidates(tree: SoundTree, doing: Doing, words: NamedWords): AsyncGenerator<Candidate> {
  yield* dataSets(tree);
  yield* commonVoice(tree);
  yield* kaldi(tree);
  const { referenceColumn } = words;
  const isFolder = referenceColumn === '.' || tree.others.some((path) => path.startsWith(`${referenceColumn}/`));
  for await (const list of lists(tree, doing, words)) {
    if (isFolder && list.speakersFrom === undefined) continue;
    // Words beside the sounds belong to what a list says of these.
    if (list.speakersFrom !== undefined)
      yield { ...(await bareWith(tree, words, list.speakersFrom)), onlyWithWords: true };
    yield list;
  }
  if (tree.sounds.length > 0) yield await bareWith(tree, words, null);
}

/** The sounds with the words in files of their names. */
export async function bareWith(tree: SoundTree, { referenceColumn, tier }: NamedWords, attributes: string | null) {
  const bare = await bareFolder(tree, referenceColumn);
  const options = { ...bare.options, ...(tier !== undefined && { tier }), ...(attributes !== null && { attributes }) };
  return { ...bare, options };
}

/** Folders in which a data set may lie: the root, and those in it, two deep. */
function placesIn(tree: SoundTree): string[] {
  const all = [...tree.sounds, ...tree.others];
  const folders = new Set(['.']);
  for (const path of all) {
    const parts = path.split('/').slice(0, -1);
    for (const depth of [1, 2]) if (parts.length >= depth) folders.add(parts.slice(0, depth).join('/'));
  }
  return [...folders].slice(0, 500);
}

async function* dataSets(tree: SoundTree): AsyncGenerator<Candidate> {
  const members = await Promise.all(memberNames('corpora').map((name) => loadMember('corpora', name, '.')));
  for (const folder of placesIn(tree)) {
    for (const { member } of members) {
      const sign = member.signs?.find(({ path }) => existsSync(join(tree.root, folder, path)));
      if (sign === undefined || member.name === 'kaldi') continue;
      const what = [member.name, ...Object.values(sign.options).map(String)].join(' ');
      yield { type: member.name, options: { folder, ...sign.options }, what, notes: [], whoSpeaks: null };
    }
  }
}

/** The splits of Common Voice, those first that were made to test with. */
const commonVoiceSplits = ['test', 'validated', 'dev', 'train', 'other', 'invalidated'];

async function* commonVoice(tree: SoundTree): AsyncGenerator<Candidate> {
  const isSplit = (path: string) => commonVoiceSplits.some((split) => posix.basename(path) === `${split}.tsv`);
  for (const [folder, found] of Map.groupBy(tree.others.filter(isSplit), (path) => posix.dirname(path))) {
    const there: string[] = [];
    let language = 'en';
    for (const split of commonVoiceSplits.filter((name) => found.includes(posix.join(folder, `${name}.tsv`)))) {
      const text = (await beginningOf(join(tree.root, folder, `${split}.tsv`))) ?? '';
      const [names = [], ...rows] = text.split(/\r?\n/).map((line) => line.split('\t'));
      if (!names.includes('path') || !names.includes('sentence')) continue;
      const paths = rows.map((row) => row[names.indexOf('path')] ?? '').filter((path) => path !== '');
      // Any table may be called so: beside audio it is one of Common Voice where it names some that lies as there.
      const clips = join(tree.root, folder, 'clips');
      if (tree.sounds.length > 0 && !paths.some((path) => existsSync(join(clips, clipFile(path))))) continue;
      const named = /common_voice_([a-z]{2,3}(?:-[A-Za-z]+)*)_\d/.exec(paths[0] ?? '')?.[1];
      const tags = [rows[0]?.[names.indexOf('locale')], named, posix.basename(folder)];
      if (there.push(split) === 1) language = tags.find((tag) => /^[a-z]{2,3}(-[A-Za-z]+)?$/.test(tag ?? '')) ?? 'en';
    }
    for (const split of there) {
      const rest = there.filter((other) => other !== split);
      yield {
        type: 'common-voice',
        options: { folder, language, split },
        what: `Common Voice, ${split}.tsv`,
        notes:
          rest.length === 0 ? [] : [`Other lists of this release: ${rest.join(', ')}; set split to use one of them.`],
        whoSpeaks: null,
      };
    }
  }
}

/** Names of parts in the order in which they are good to test with. */
function splitRank(path: string): number {
  const parts = path.toLowerCase().split(/[/._-]/);
  const found = [
    ['test', 'eval'],
    ['validation', 'valid', 'dev', 'val', 'validated'],
  ].findIndex((names) => names.some((name) => parts.includes(name)));
  if (found !== -1) return found;
  return parts.includes('train') || parts.includes('training') ? 3 : 2;
}

function* kaldi(tree: SoundTree): Generator<Candidate> {
  const lists = tree.others
    .filter((path) => posix.basename(path) === 'wav.scp')
    .sort((a, b) => splitRank(a) - splitRank(b));
  for (const list of lists) {
    const folder = posix.dirname(list);
    const others = lists.filter((other) => other !== list).map(posix.dirname);
    const notes =
      others.length === 0
        ? []
        : [
            `Other data folders: ${others
              .slice(0, 5)
              .map((name) => printable(name, 60))
              .join(', ')}.`,
          ];
    const what = folder === '.' ? 'a Kaldi data folder' : `the Kaldi data folder ${printable(folder, 60)}`;
    yield { type: 'kaldi', options: { folder }, what, notes, whoSpeaks: null };
    const outside = 'Its audio lies outside of the folder, which the config allows (allowOutside: true).';
    yield { type: 'kaldi', options: { folder, allowOutside: true }, what, notes: [outside, ...notes], whoSpeaks: null };
  }
}

const listEndings = new Set(['tsv', 'tab', 'csv', 'psv', 'jsonl', 'ndjson', 'json', 'parquet', 'txt', 'lst', 'list']);
const maxLists = 200;

/** What somebody said of the words. */
export interface NamedWords {
  /** The column of the references in a manifest. */
  readonly referenceColumn?: string;
  /** The tier of the words, in annotations beside recordings that have several. */
  readonly tier?: string;
  /** A manifest of which most audio is not here is used all the same. */
  readonly partial?: true;
}

/**
 * @param only the list that the user named, relative to the root
 * @throws EarwitnessError `bad-input`: several columns of the best list may be the reference
 */
export async function* lists(
  tree: SoundTree,
  doing: Doing,
  { referenceColumn, partial }: NamedWords,
  only?: string,
): AsyncGenerator<Candidate> {
  const names = soundNames(tree);
  const wanted = firstOfSets(
    only === undefined ? tree.others.filter((path) => listEndings.has(endingOf(path))) : [only],
  );
  // Nearest first: a text beside each sound is no list, and there may be a million of them.
  const nearest = wanted
    .filter((path) => only !== undefined || !isSideText(path, names.byStem))
    .sort((a, b) => a.split('/').length - b.split('/').length)
    .slice(0, maxLists);
  const found: SniffedList[] = [];
  for (const path of nearest) {
    doing('reading manifests', () => printable(path, 60));
    const list = await sniffList(path, names, referenceColumn);
    if (list !== null) found.push(list);
  }
  const worth = ({ path, references, matched }: SniffedList) =>
    [references.length === 0 ? 1 : 0, splitRank(path), -matched] as const;
  const sorted = found.sort((a, b) => {
    const [left, right] = [worth(a), worth(b)];
    return left.map((value, index) => value - right[index]!).find((difference) => difference !== 0) ?? 0;
  });
  for (const list of ofReferences(sorted, tree.root, referenceColumn, only)) {
    const { path, options, columns, references, outputs, times, prefix, notes, rows, matched } = list;
    if (references.length > 1) {
      const names = references.map(({ name }) => name);
      throw severalColumns(printable(path, 80), 'reference', names, references);
    }
    if (matched < rows / 2 && references.length > 0 && partial !== true) {
      throw orPartial(
        `${printable(path, 80)}: expected the audio that its rows name in ${shown(columns.sound)}, but that of ${rows - matched} of ${rows} is not here; copy it here`,
        `the ${matched} that are here alone`,
      );
    }
    // A list without words tells no more than the folder, unless it names who speaks.
    if (
      only === undefined &&
      columns.text === null &&
      columns.speaker === null &&
      (options.attributes as []).length === 0
    )
      continue;
    const parts = [
      `audio in ${shown(columns.sound)}`,
      columns.text === null ? null : `references in ${shown(columns.text)}`,
      columns.speaker === null ? null : `speakers in ${shown(columns.speaker)}`,
    ];
    for (const { columns: timeColumns, told, note, tooLong, ...unit } of times)
      yield {
        type: 'manifest',
        options: { file: path, ...options, columns: { ...(options.columns as JsonObject), ...timeColumns }, ...unit },
        what: `the manifest ${printable(path, 80)}: ${[...parts, told].filter((part) => part !== null).join(', ')}`,
        tooLong,
        ...(columns.text !== null &&
          referenceColumn === undefined &&
          list.side === null && { mayBeOutput: true as const }),
        ...(columns.text === null && { speakersFrom: list.isOfSounds ? path : null }),
        ...(columns.language !== null && { languageColumn: columns.language }),
        notes: [
          ...notes,
          ...(outputs.length === 0
            ? []
            : [
                `It also has what was recognized, in ${quotedNames(outputs)}: compare it with the references by earwitness ${outputs.length === 1 ? 'score' : 'compare'} ${printable(path, 80)}.`,
              ]),
          ...(note === null ? [] : [note]),
          ...(prefix === null
            ? []
            : [
                `Its paths begin with ${shown(prefix)}, from another machine: files here whose paths end alike are used.`,
              ]),
        ],
        whoSpeaks:
          'If a column of the manifest names the speaker, set columns.speaker to it in the config, under corpus.',
      };
  }
}

/**
 * Of lists those that may hold references: not what a recognizer wrote, by its name, and of two with other words for the same audio the one that says so.
 *
 * @throws Undecided the list that somebody named holds an output by its name, or several lists may hold the references
 */
function ofReferences(
  lists: readonly SniffedList[],
  root: string,
  wanted: string | undefined,
  only: string | undefined,
): readonly SniffedList[] {
  const named = lists.filter(({ path }) => path === wanted);
  if (named.length > 0) return named;
  // Who names the column has seen what is in it.
  const isKnown = wanted !== undefined && lists.every(({ side, said }) => side === 'output' || said.size === 0);
  const [first] = lists;
  if (only !== undefined && first?.side === 'output' && !isKnown) throw outputAlone(first);
  const left = isKnown ? lists : lists.filter(({ side }) => side !== 'output');
  const texts = left.filter(({ said }) => said.size > 0);
  const sure = texts.filter(({ side }) => side === 'reference');
  const [best, ...others] = sure.length > 0 ? [...sure, ...texts.filter(isCalledTexts)] : texts;
  if (best === undefined) return left;
  const rivals = others.filter((other) => saysOtherwise(best, other));
  if (rivals.length > 0) {
    const sounds = [...best.said.keys()].filter((sound) => rivals.every(({ said }) => said.has(sound)));
    const columns = [best, ...rivals].map(({ path, said }) => ({
      name: path,
      values: sounds.map((sound) => said.get(sound)!),
    }));
    const names = columns.map(({ name }) => name);
    throw severalColumns(printable(basename(root), 80), 'reference', names, columns, '', 'list');
  }
  return left.filter((list) => sure.length === 0 || list.side !== null || !saysOtherwise(best, list));
}

/** Whether the name of a list says that it holds texts, and not whose. */
function isCalledTexts({ path, side }: SniffedList): boolean {
  const mark = markOf(posix.basename(path).replace(/\.[^.]+(?:\.gz)?$/, ''));
  return side === null && (mark === 'words' || mark === 'vague');
}

/** Whether two lists have other words for the same audio. */
function saysOtherwise(one: SniffedList, other: SniffedList): boolean {
  const both = [...one.said].filter(([sound]) => other.said.has(sound));
  return both.some(([sound, text]) => plainWords(text) !== plainWords(other.said.get(sound)!));
}

function outputAlone({ path, columns: { text }, said }: SniffedList): Undecided {
  const place = printable(path, 80);
  const column = quotedNames([text!]);
  const example = JSON.stringify(printable([...said.values()][0]!.slice(0, 40)));
  return new Undecided(
    `${place}: expected references beside the audio, but by its name it holds an output (${column}: ${example}); name the list of the references, or if these are the references: --reference-column ${printable(text!, 60)}`,
    {
      option: 'referenceColumn',
      asks: `${place}: by its name it holds an output. What is in ${column} (${example})?`,
      choices: [
        { value: null, about: 'what a recognizer wrote: stop here' },
        { value: text!, about: 'the references' },
      ],
    },
  );
}

function shown(text: string): string {
  return JSON.stringify(printable(text, 80));
}

function isSideText(path: string, sounds: ReadonlyMap<string, readonly string[]>): boolean {
  const stem = posix.basename(path).replace(/\.[^.]+$/, '');
  return sounds.get(stem)?.some((sound) => posix.dirname(sound) === posix.dirname(path)) === true;
}
