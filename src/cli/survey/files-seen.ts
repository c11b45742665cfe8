import { stat } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { isCalled, markOf, sideOfPath } from '../../base/columns/roles.ts';
import { textsOfSide } from '../../base/columns/texts.ts';
import { EarwitnessError, messageOf, Undecided } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import {
  outputForms,
  readSideText,
  type SidePlace,
  sideEndings,
  sideFilesOf,
} from '../../corpora/folder/folder-texts.ts';
import { listed } from '../../studies/shared/wording.ts';
import { firstOfSets } from '../../system/parquet-rows.ts';
import { readTranscript } from '../../system/transcripts/read-transcript.ts';
import { lookAt, type TableHead } from '../score/open-table.ts';
import { referenceAndOutputs } from '../score/table.ts';
import { fileNamed } from '../score/text-file.ts';
import { archive, endingOf, type SoundTree } from './sound-tree.ts';

const maxShown = 8;
const maxLooked = 200;
/** What is about a folder, or made by this program. */
export const aboutOther = /^(?:readme|licen[cs]e|copying|notice|change|package|tsconfig|requirements|earwitness)/i;
/** Endings of files in which people keep words that were said. */
export const textEndings = new Set(
  'txt lab csv tsv tab psv json jsonl ndjson parquet lst list trn trans stm ctm rttm srt vtt textgrid eaf docx xlsx'.split(
    ' ',
  ),
);

/**
 * The files of a folder that are not used, each with the reason and what would make it usable: whoever has put them there should not be given
 * something else instead. Files with the same reason are one line.
 *
 * @param path of the folder, as the user wrote it
 */
export async function filesSeen(tree: SoundTree, path: string, files = tree.others): Promise<SeenFiles> {
  const own = files.filter((file) => !aboutOther.test(basename(file)) && !archive.test(file));
  const prefix = path === '.' ? '' : `${path.replace(/\/$/, '')}/`;
  const looked = own.slice(0, maxLooked).map(async (file) => {
    const shownName = printable(`${prefix}${file}`, 80);
    return { shownName, why: await whyNotUsed(join(tree.root, file), shownName, tree) };
  });
  const seen = await Promise.all(looked);
  const groups = [...Map.groupBy(seen, ({ shownName, why }) => why.replaceAll(shownName, '')).values()];
  const lines = groups.slice(0, maxShown).map(([first, ...alike]) => {
    const { shownName, why } = first!;
    const more = alike.length === 0 ? '' : ` and ${alike.length} more`;
    // The place in a file is said with its name.
    const rest = why.startsWith(`${shownName}: `) ? why.slice(shownName.length + 2) : why;
    return `  ${rest.startsWith(shownName) && more === '' ? '' : `${shownName}${more}: `}${rest}`;
  });
  const shown = groups.slice(0, maxShown).reduce((sum, group) => sum + group.length, 0);
  const more = seen.length - shown + Math.max(0, own.length - maxLooked);
  return {
    lines: [...lines, ...(more > 0 ? [`  … and ${more} more files`] : [])],
    mayHoldWords: more > 0 || seen.some(({ why }) => why !== wordless),
  };
}

/** Files that are not used. */
export interface SeenFiles {
  /** For people; none where there are none. */
  readonly lines: readonly string[];
  /** Whether there is one in which the words that were said may stand. */
  readonly mayHoldWords: boolean;
}

/**
 * Of files beside recordings those of texts and tables that are not read.
 *
 * @param read files, folders, and paths without endings that are read
 */
export async function filesUnused(tree: SoundTree, path: string, read: readonly string[]): Promise<SeenFiles> {
  const known = new Set(read);
  const isRead = (file: string) =>
    /\.trans\.txt$/i.test(file) ||
    known.has(file.replace(/\.[^./]+$/, '')) ||
    file.split('/').some((_, depth, parts) => known.has(parts.slice(0, depth + 1).join('/')));
  const files = firstOfSets(tree.others).filter((file) => textEndings.has(endingOf(file)) && !isRead(file));
  return filesSeen(tree, path, files);
}

/**
 * The recordings that a manifest does not name, and of several texts beside a recording those that did not give its words.
 *
 * @param options of the corpus as it was read, relative to the root
 * @param files absolute paths of the recordings that are read
 */
export async function otherForms(
  { root, sounds, others }: SoundTree,
  options: JsonObject,
  files: ReadonlySet<string>,
): Promise<string[]> {
  if (typeof options.file === 'string') {
    const left = sounds.filter((sound) => !files.has(join(root, sound))).map((sound) => printable(sound, 80));
    if (left.length === 0) return [];
    return [
      `  ${counted(left.length, 'recording')} that ${printable(options.file, 80)} does not name: ${listed(left, 4)}`,
    ];
  }
  const folder = String(options.folder);
  const place = typeof options.texts === 'string' ? options.texts : folder;
  const besides = Map.groupBy(
    others.filter((file) => sideEndings.includes(endingOf(file))),
    withoutEnding,
  );
  const alike = new Map<string, { readonly place: SidePlace; readonly names: readonly string[]; count: number }>();
  const places: SidePlace[] = [];
  for (const sound of sounds) {
    const own = posix.join(place, posix.relative(folder, withoutEnding(sound)));
    const names = besides.get(own) ?? [];
    if (names.length === 0) continue;
    const shownFolder = posix.dirname(own);
    const files = sideFilesOf(names.map((name) => basename(name)));
    const side = { folder: join(root, shownFolder), shownFolder, stem: posix.basename(own), files };
    places.push(side);
    const key = names.map(endingOf).sort().join();
    if (names.length > 1) alike.set(key, { place: side, names, count: (alike.get(key)?.count ?? 0) + 1 });
  }
  const unread = new Map<string, Map<string, number>>();
  const tier = typeof options.tier === 'string' ? options.tier : undefined;
  const told = { tier, outputs: await outputForms(places, tier), onMachine: () => {} };
  for (const { place: side, names, count } of alike.values()) {
    const given = await readSideText(side, told);
    if (given === null) continue;
    const counts = unread.get(given.ending) ?? new Map<string, number>();
    unread.set(given.ending, counts);
    for (const ending of names.map(endingOf))
      if (ending !== given.ending) counts.set(ending, (counts.get(ending) ?? 0) + count);
  }
  return [...unread].map(([used, counts]) => {
    const left = [...counts].map(([ending, count]) => `${count} .${ending}`);
    return `  ${listed(left)} beside recordings: their words are read from .${used}`;
  });
}

const withoutEnding = (path: string) => path.replace(/\.[^./]+$/, '');
/** Why a table beside recordings is not read in which no words can stand. */
const wordless = 'a table without a column of words';

/**
 * Why a file is not used, and what would make it usable.
 *
 * @param shown as commands are given it
 */
export async function whyNotUsed(path: string, shown: string, { root, sounds, others }: SoundTree): Promise<string> {
  const beside = sounds.length > 0;
  try {
    if ((await stat(path)).size === 0) return 'it is empty';
    const found = await fileNamed(path);
    if (found === null || found === '-') return 'it is no file of texts that is known';
    switch (found.format) {
      case 'recording': {
        const { form, byMachine } = (await readTranscript(path, shown))!;
        if (beside && byMachine) return `${form}, which a recognizer wrote: no reference`;
        if (/\.(?:srt|vtt)$/i.test(path) && liesBeside(path, root, sounds)) return notTaken(path, root, others);
        if (isBeside(path, sounds)) return `${form}: ${notReadBeside}`;
        return `${form}, without its audio; with references: earwitness score REFERENCES ${shown}`;
      }
      case 'table':
        return reasonOfTable(await lookAt({ ...found, name: shown }), shown, sounds);
      case 'texts':
        return 'texts by id, without audio';
      default:
        if (!/^(?:txt|text|lab|trn|stm|ctm|)$/.test(endingOf(path)))
          return 'it is no audio, table or transcript that is known';
        if (liesBeside(path, root, sounds)) return notTaken(path, root, others);
        if (isBeside(path, sounds))
          return 'texts of one recording each, in a folder that is not read: name it with --reference-column if they are the references';
        return beside
          ? 'texts that name no audio file: write a table with the columns file and text'
          : `texts without audio; with references: earwitness score REFERENCES ${shown}`;
    }
  } catch (error) {
    if (error instanceof Undecided && error.question.option === 'tier' && beside)
      return `annotations with several tiers: ${notReadBeside}`;
    if (error instanceof EarwitnessError) return printable(error.message.replaceAll(path, shown), 300);
    return `it cannot be read (${printable(messageOf(error), 100)})`;
  }
}

const notReadBeside =
  'not read beside audio; write each segment as a row of a table with the columns file, start, end and text';

const writtenTwice =
  'words that stand in several files of its name, as recognizers write them: no reference; where people wrote them, keep one of these files';

/** Why words beside their recording are not its reference. */
function notTaken(path: string, root: string, others: SoundTree['others']): string {
  const stem = withoutEnding(path);
  const forms = others.filter(
    (file) => sideEndings.includes(endingOf(file)) && withoutEnding(join(root, file)) === stem,
  );
  return forms.length > 1
    ? writtenTwice
    : 'words beside a recording, which another file gives; if these are the references, name their folder with --reference-column';
}

/** Whether a file lies in the folder of the recording of its name, where it would be read. */
function liesBeside(path: string, root: string, sounds: SoundTree['sounds']): boolean {
  return sounds.some((sound) => withoutEnding(join(root, sound)) === withoutEnding(path));
}

function isBeside(path: string, sounds: SoundTree['sounds']): boolean {
  return sounds.some((sound) => stemOf(sound) === stemOf(path));
}

const stemOf = (path: string) => basename(path).replace(/\.[^.]+$/, '');

function reasonOfTable(table: TableHead, shown: string, sounds: SoundTree['sounds']): string {
  const here = new Set(sounds.map((sound) => posix.basename(sound)));
  const paths = table.columns.find(({ name }) => isCalled(name, 'path'))?.values ?? [];
  const absent = paths.find((value) => value.trim() !== '' && !here.has(posix.basename(value.replaceAll('\\', '/'))));
  if (absent !== undefined)
    return `no audio file here is called "${printable(absent, 60)}": correct the paths, or copy the audio here`;
  const [text, ...more] = textsOfSide(table.columns, 'reference');
  const side = text === undefined || markOf(text) === 'reference' ? null : sideOfPath(shown);
  if (side === 'output' && more.length === 0)
    return `by its name what a recognizer wrote: no reference; if it is: earwitness init ${shown} --reference-column ${printable(text!, 60)}`;
  if (paths.length > 0) return `another manifest; it is read by: earwitness init ${shown}`;
  if (sounds.length > 0 && text === undefined) return wordless;
  const { outputs } = referenceAndOutputs(table, {});
  if (outputs.length > 0)
    return `a table of references and outputs: earwitness ${outputs.length > 1 ? 'compare' : 'score'} ${shown}`;
  return 'a table whose rows name no audio; name existing audio in a column path';
}
