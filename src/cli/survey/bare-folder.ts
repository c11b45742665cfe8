import { join, posix } from 'node:path';
import { markOf, speakerOfRow } from '../../base/columns/roles.ts';
import { quotedNames } from '../../base/columns/texts.ts';
import { Undecided } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { sideEndings } from '../../corpora/folder/folder-texts.ts';
import { loadMember } from '../../session/members/load-member.ts';
import { listed } from '../../studies/shared/wording.ts';
import { openedOrNull } from './sniff-list.ts';
import { endingOf, type SoundTree } from './sound-tree.ts';

/** Names of folders that stand for people: numbers, perhaps behind a letter or a word for it. */
const speakerFolder = /^(?:p|s|spk|speaker|user|caller|sprecher|voice|person|id|actor)?[ _-]?\d+$/i;

/** The sounds of a folder without a list of them, with what their names and folders tell. */
export async function bareFolder(tree: SoundTree, wanted: string | undefined) {
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
  const texts = parallelTexts(tree, inside, folder, wanted);
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

/** The option by which names of files tell who speaks: a part between marks that comes again, those first that are no numbers; tried on all of them. */
function patternOfNames(names: readonly string[]): string | null {
  const found = ['_', '-', ' '].flatMap((mark) => {
    const width = Math.min(...names.map((name) => name.split(mark).length)) - 1;
    const skipped = `(?:^|/)(?:[^/${mark}]*${mark})`;
    return Array.from({ length: Math.min(3, Math.max(0, width)) }, (_, place) => {
      const pattern = `${place === 0 ? '' : `${skipped}{${place}}`}(?<speaker>[^/${mark}]+)${mark}[^/]*$`;
      const speakers = names.map((name) => new RegExp(pattern).exec(name)?.groups?.speaker);
      return { pattern, speakers, count: new Set(speakers).size };
    });
  });
  const fitting = found.filter(
    ({ speakers, count }) => !speakers.includes(undefined) && count > 1 && count <= names.length / 2,
  );
  const best = fitting.find(({ speakers }) => speakers.some((speaker) => /\D/.test(speaker!))) ?? fitting[0];
  // A pattern that fits none of them is no advice.
  if (best === undefined) return null;
  // Regions have people, and people have sessions: each of the finer parts stands with one of the coarser.
  const isFiner = ({ speakers, count }: typeof best) =>
    count > best.count && new Set(speakers.map((one, at) => `${one}/${best.speakers[at]}`)).size === count;
  const [finer] = fitting.filter(isFiner);
  const [first, ...more] = [best, ...(finer === undefined ? [] : [finer])].map(({ pattern, speakers, count }) => ({
    example: printable(speakers[0]!, 40),
    way: `'${pattern}' (it finds ${count} speakers)`,
  }));
  const or = (get: (one: { readonly example: string; readonly way: string }) => string) =>
    [first!, ...more].map(get).join(' or ');
  return `If file names contain the speaker, as ${or(({ example }) => example)} in ${printable(names[0]!, 60)}, set pattern: ${or(({ way }) => way)} in the config, under corpus.`;
}

/** What recognizers write is no reference that lies elsewhere: it is what they heard. */
const besideEndings = sideEndings.filter((ending) => ending !== 'json' && ending !== 'tsv');

/**
 * The folder of the references: of those that have texts named as the sounds are in theirs the one that is called so, else the only one with most.
 * One that is named after a recognizer has what this wrote. Null where more texts lie beside the sounds, or none.
 *
 * @param wanted the folder that somebody named
 * @throws Undecided several may be it
 */
function parallelTexts(
  tree: SoundTree,
  inside: readonly string[],
  folder: string,
  wanted: string | undefined,
): string | null {
  const stems = new Set(inside.map((path) => path.replace(/\.[^./]+$/, '')));
  const counts = new Map<string, number>();
  for (const path of tree.others) {
    if (!besideEndings.includes(endingOf(path))) continue;
    const parts = path.replace(/\.[^./]+$/, '').split('/');
    for (let depth = 0; depth < parts.length; depth++) {
      if (!stems.has(parts.slice(depth).join('/'))) continue;
      const place = parts.slice(0, depth).join('/') || '.';
      counts.set(place, (counts.get(place) ?? 0) + 1);
    }
  }
  const beside = counts.get(folder) ?? 0;
  if (wanted !== undefined && counts.has(wanted)) return wanted === folder ? null : wanted;
  const ranks = [...counts]
    .filter(([place, count]) => count > beside && !isOfRecognizer(place, folder))
    .map(([place, count]) => ({
      place,
      count,
      rank: ['reference', 'words'].indexOf(markOf(posix.basename(place))) >>> 0,
    }))
    .sort((a, b) => a.rank - b.rank || b.count - a.count);
  const alike = ranks.filter(({ rank, count }) => rank === ranks[0]!.rank && count === ranks[0]!.count);
  if (alike.length < 2) return ranks[0]?.place ?? null;
  const names = alike.map(({ place }) => place);
  throw new Undecided(
    `expected one folder of texts that may be the references, but there are ${quotedNames(names)}; name the right one with --reference-column`,
    {
      option: 'referenceColumn',
      asks: 'Which folder holds the references?',
      choices: names.map((name) => ({ value: name, about: printable(name, 80) })),
    },
  );
}

/** Whether a folder of texts is named after a recognizer, where that of the sounds is not. */
function isOfRecognizer(place: string, sounds: string): boolean {
  const own = sounds.split('/');
  return place.split('/').some((part, depth) => part !== own[depth] && markOf(part) === 'output');
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
  for (const path of tree.others.filter((name) => ['tsv', 'csv'].includes(endingOf(name))).slice(0, maxTables)) {
    const table = await openedOrNull({ name: path, path: join(tree.root, path), format: 'table' });
    const columns = table?.columns ?? [];
    const speaker = speakerOfRow(columns.map(({ name }) => name));
    const named = new Set(columns.find(({ name }) => name === speaker)?.values.map((value) => value.trim()));
    if (named.size > 0 && parents.every((name) => named.has(name))) return path;
  }
  return null;
}

const maxTables = 200;

/** Endings of formats that lose nothing, the usual first. */
const lossless = new Set('wav flac aif aiff aifc au snd sph nist caf'.split(' '));

/** Of endings those first that lose nothing. */
function betterFirst(endings: readonly string[]): string[] {
  return [
    ...[...lossless].filter((ending) => endings.includes(ending)),
    ...endings.filter((ending) => !lossless.has(ending)),
  ];
}

/** Sounds of one folder that differ in their endings alone. */
interface SeveralForms {
  /** Without the ending. */
  readonly name: string;
  readonly endings: readonly string[];
}

/** Sounds of one name in one folder. */
function soundsInSeveralForms({ sounds }: SoundTree): SeveralForms[] {
  return [...Map.groupBy(sounds, (path) => path.replace(/\.[^.]+$/, ''))]
    .filter(([, files]) => files.length > 1)
    .map(([stem, files]) => ({ name: posix.basename(stem), endings: files.map(endingOf) }));
}

/** @example 'slt-a exists as wav and mp3: the wav is used. 3 others exist in one format only and are used as they are.' */
function severalFormsText(
  twice: readonly SeveralForms[],
  endings: readonly string[],
  sounds: readonly string[],
): string {
  const formsOf = (one: SeveralForms) => endings.filter((ending) => one.endings.includes(ending));
  const [forms = []] = twice.map(formsOf);
  const alike = twice.every((one) => formsOf(one).join() === forms.join());
  const names = listed(
    twice.map(({ name }) => name),
    4,
  );
  const exist = `${names} ${twice.length === 1 ? 'exists' : 'exist'}`;
  const used = alike
    ? `${exist} as ${listed(forms)}: the ${forms[0]} ${twice.length === 1 ? 'is' : 'are'} used.`
    : `${exist} in several formats: of each the first of ${endings.join(', ')} is used.`;
  const others = sounds.length - twice.reduce((sum, one) => sum + one.endings.length, 0);
  const rest =
    others === 1
      ? '1 other exists in one format only and is used as it is.'
      : `${others} others exist in one format only and are used as they are.`;
  return others === 0 ? used : `${used} ${rest}`;
}
