import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { quotedNames } from '../../base/columns/texts.ts';
import { EarwitnessError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { loadMember, memberNames } from '../../session/members/load-member.ts';
import type { Doing } from '../progress/lines.ts';
import { betterFirst, severalFormsText, soundsInSeveralForms } from './several-forms.ts';
import { type SniffedList, sniffList } from './sniff-list.ts';
import { soundNames } from './sound-column.ts';
import { beginningOf, endingOf, type SoundTree } from './sound-tree.ts';
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
  yield* lists(tree, doing, words);
  if (tree.sounds.length > 0) yield await bareFolder(tree);
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
    const there = commonVoiceSplits.filter((split) => found.includes(posix.join(folder, `${split}.tsv`)));
    const text = (await beginningOf(join(tree.root, found[0]!))) ?? '';
    const [names = [], row = []] = text.split(/\r?\n/, 2).map((line) => line.split('\t'));
    if (!names.includes('path') || !names.includes('sentence')) continue;
    const named = /common_voice_([a-z]{2,3}(?:-[A-Za-z]+)*)_\d/.exec(row[names.indexOf('path')] ?? '')?.[1];
    const tags = [row[names.indexOf('locale')], named, posix.basename(folder)];
    const language = tags.find((tag) => /^[a-z]{2,3}(-[A-Za-z]+)?$/.test(tag ?? '')) ?? 'en';
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

const listEndings = new Set(['tsv', 'tab', 'csv', 'psv', 'jsonl', 'ndjson', 'json', 'txt', 'lst', 'list']);
const maxLists = 200;

/** What somebody said of the words. */
export interface NamedWords {
  /** The column of the references in a manifest. */
  readonly referenceColumn?: string;
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
  const wanted = only === undefined ? tree.others.filter((path) => listEndings.has(endingOf(path))) : [only];
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
  for (const { path, options, columns, references, outputs, times, prefix, notes, rows, matched } of sorted) {
    if (references.length > 1) {
      throw new EarwitnessError(
        'bad-input',
        `${printable(path, 80)}: expected one column that may hold the reference, but there are ${quotedNames(references)}; name the right one with --reference-column`,
      );
    }
    if (matched < rows / 2 && references.length > 0 && partial !== true) {
      throw new EarwitnessError(
        'bad-input',
        `${printable(path, 80)}: expected the audio that its rows name in ${shown(columns.sound)}, but that of ${rows - matched} of ${rows} is not here; copy it here, or take those that are here alone with --partial`,
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
    const others = sorted
      .filter((other) => other.path !== path && other.columns.text !== null)
      .map((other) => other.path);
    for (const { columns: timeColumns, told, note, tooLong, ...unit } of times)
      yield {
        type: 'manifest',
        options: { file: path, ...options, columns: { ...(options.columns as JsonObject), ...timeColumns }, ...unit },
        what: `the manifest ${printable(path, 80)}: ${[...parts, told].filter((part) => part !== null).join(', ')}`,
        tooLong,
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
          ...(others.length === 0
            ? []
            : [
                `Other manifests: ${others
                  .slice(0, 5)
                  .map((name) => printable(name, 60))
                  .join(', ')}; set file to use one of them.`,
              ]),
        ],
        whoSpeaks:
          'If a column of the manifest names the speaker, set columns.speaker to it in the config, under corpus.',
      };
  }
}

function shown(text: string): string {
  return JSON.stringify(printable(text, 80));
}

function isSideText(path: string, sounds: ReadonlyMap<string, readonly string[]>): boolean {
  const stem = posix.basename(path).replace(/\.[^.]+$/, '');
  return sounds.get(stem)?.some((sound) => posix.dirname(sound) === posix.dirname(path)) === true;
}

/** Names of folders that stand for people: numbers, perhaps behind a letter or a word for it. */
const speakerFolder = /^(?:p|s|spk|speaker|user|caller|sprecher|voice|person|id|actor)?[ _-]?\d+$/i;

async function bareFolder(tree: SoundTree): Promise<Candidate> {
  const folder = commonFolder(tree.sounds);
  const inside = tree.sounds.map((path) => (folder === '.' ? path : path.slice(folder.length + 1)));
  const usual = (await loadMember('corpora', 'folder', '.')).member;
  const parents = [...new Set(inside.map((path) => posix.basename(posix.dirname(path))))];
  const nested = inside.every((path) => path.includes('/')) && parents.length > 1;
  const libriSpeech = inside.every((path) => /^(?:.*\/)?(\d+)\/(\d+)\/\1-\2-\d+\.[a-z0-9]+$/i.test(path));
  const table = nested ? await speakerTable(tree, parents) : null;
  const bySpeaker = nested && (table !== null || parents.every((name) => speakerFolder.test(name)));
  const twice = soundsInSeveralForms(tree);
  const endings = twice.length === 0 ? tree.endings : betterFirst(tree.endings);
  const texts = parallelTexts(tree, inside, folder);
  const known = twice.length === 0 && endings.every((ending) => usualEndings.has(ending));
  return {
    type: usual.name,
    options: {
      folder,
      ...(known ? {} : { extensions: [...endings] }),
      ...(libriSpeech ? { pattern: '(?<speaker>\\d+)/\\d+/[^/]+$' } : bySpeaker ? { speaker: 'parent' } : {}),
      ...(table === null || libriSpeech ? {} : { attributes: table }),
      ...(texts === null ? {} : { texts }),
    },
    what: folder === '.' ? 'audio files' : `audio files in ${printable(folder, 80)}`,
    notes: twice.length === 0 ? [] : [severalFormsText(twice, endings, tree.sounds)],
    whoSpeaks:
      nested && !bySpeaker && !libriSpeech
        ? `If each of the ${parents.length} folders is one speaker, set speaker: parent in the config, under corpus.`
        : patternOfNames(tree.sounds.map((path) => posix.basename(path))),
  };
}

/** The option by which names of files tell who speaks: with what they begin with and share, where they do. */
function patternOfNames(names: readonly string[]): string | null {
  const [first = ''] = names;
  if (names.length < 2) return null;
  for (const mark of ['_', '-', ' ']) {
    const heads = new Set(names.map((name) => name.slice(0, Math.max(0, name.indexOf(mark)))));
    if (heads.has('') || heads.size < 2 || heads.size > names.length / 2) continue;
    const [head] = heads;
    return `If file names contain the speaker, as ${printable(head!, 40)} in ${printable(first, 60)}, set ${patternBefore(mark)} in the config, under corpus.`;
  }
  // A pattern that fits none of them is no advice.
  return null;
}

/** Also in folders. */
function patternBefore(mark: string): string {
  return `pattern: '(?<speaker>[^/${mark}]+)${mark}[^/]*$'`;
}

/** The folder that has most texts named as the sounds are in theirs; null where more texts lie beside the sounds, or none. */
function parallelTexts(tree: SoundTree, inside: readonly string[], folder: string): string | null {
  const stems = new Set(inside.map((path) => path.replace(/\.[^./]+$/, '')));
  const counts = new Map<string, number>();
  for (const path of tree.others) {
    if (!['txt', 'lab', 'trn', 'srt', 'vtt'].includes(endingOf(path))) continue;
    const parts = path.replace(/\.[^./]+$/, '').split('/');
    for (let depth = 0; depth < parts.length; depth++) {
      if (!stems.has(parts.slice(depth).join('/'))) continue;
      const place = parts.slice(0, depth).join('/') || '.';
      counts.set(place, (counts.get(place) ?? 0) + 1);
    }
  }
  const beside = counts.get(folder) ?? 0;
  const [best] = [...counts].sort((a, b) => b[1] - a[1]);
  return best === undefined || best[1] <= beside ? null : best[0];
}

/** What `folder` takes without being told. */
const usualEndings = new Set('wav flac mp3 ogg oga opus sph nist aif aiff au m4a webm'.split(' '));

function commonFolder(paths: readonly string[]): string {
  const [first = ''] = paths;
  const parts = first.split('/').slice(0, -1);
  let depth = parts.length;
  for (const path of paths) while (depth > 0 && !path.startsWith(`${parts.slice(0, depth).join('/')}/`)) depth--;
  return depth === 0 ? '.' : parts.slice(0, depth).join('/');
}

/** A table that names the folders of the sounds in a column for speakers. */
async function speakerTable(tree: SoundTree, parents: readonly string[]): Promise<string | null> {
  for (const path of tree.others.filter((name) => ['tsv', 'csv'].includes(endingOf(name))).slice(0, maxLists)) {
    const delimiter = endingOf(path) === 'tsv' ? '\t' : ',';
    const [header = '', ...rows] = ((await beginningOf(join(tree.root, path))) ?? '').split(/\r?\n/);
    const usual = ['speaker', 'speaker_id', 'id', 'spk'];
    const column = header.split(delimiter).findIndex((name) => usual.includes(name.trim().toLowerCase()));
    const named = new Set(rows.map((row) => row.split(delimiter)[column]?.trim()));
    if (column !== -1 && parents.every((name) => named.has(name))) return path;
  }
  return null;
}
