import { stat } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { isCalled } from '../../base/columns/roles.ts';
import { textsOfSide } from '../../base/columns/texts.ts';
import { EarwitnessError, messageOf, Undecided } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { readTranscript } from '../../system/transcripts/read-transcript.ts';
import { type OpenTable, openTable } from '../score/open-table.ts';
import { referenceAndOutputs } from '../score/table.ts';
import { fileNamed } from '../score/text-file.ts';
import { archive, endingOf, type SoundTree } from './sound-tree.ts';

const maxShown = 8;
const maxLooked = 200;
/** What is about a folder, or made by this program. */
export const aboutOther = /^(?:readme|licen[cs]e|copying|notice|change|package|tsconfig|requirements|earwitness)/i;
/** Endings of files in which people keep words that were said. */
export const textEndings = new Set(
  'txt csv tsv tab psv json jsonl ndjson lst list trn trans stm ctm rttm srt vtt textgrid eaf docx xlsx'.split(' '),
);

/**
 * The files of a folder that are not used, each with the reason and what would make it usable: whoever has put them there should not be given
 * something else instead. Files with the same reason are one line.
 *
 * @param path of the folder, as the user wrote it
 * @returns lines for people; none where the folder is empty
 */
export async function filesSeen(tree: SoundTree, path: string, files = tree.others): Promise<string[]> {
  const own = files.filter((file) => !aboutOther.test(basename(file)) && !archive.test(file));
  const prefix = path === '.' ? '' : `${path.replace(/\/$/, '')}/`;
  const looked = own.slice(0, maxLooked).map(async (file) => {
    const shownName = printable(`${prefix}${file}`, 80);
    const why = await reasonOf(join(tree.root, file), shownName, tree);
    return why === null ? [] : [{ shownName, why }];
  });
  const seen = (await Promise.all(looked)).flat();
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
  return [...lines, ...(more > 0 ? [`  … and ${more} more files`] : [])];
}

/**
 * Of files beside recordings those that may hold words and are not read.
 *
 * @param read files, folders, and paths without endings that are read
 */
export async function filesUnused(tree: SoundTree, path: string, read: readonly string[]): Promise<string[]> {
  const known = new Set(read);
  const isRead = (file: string) =>
    /\.trans\.txt$/i.test(file) ||
    known.has(file.replace(/\.[^./]+$/, '')) ||
    file.split('/').some((_, depth, parts) => known.has(parts.slice(0, depth + 1).join('/')));
  const files = tree.others.filter((file) => textEndings.has(endingOf(file)) && !isRead(file));
  return filesSeen(tree, path, files);
}

/** Null: it is seen that nobody keeps words in it, beside recordings. */
async function reasonOf(path: string, shown: string, { sounds }: SoundTree): Promise<string | null> {
  const beside = sounds.length > 0;
  try {
    if ((await stat(path)).size === 0) return 'it is empty';
    const found = await fileNamed(path);
    if (found === null || found === '-') return 'it is no file of texts that is known';
    switch (found.format) {
      case 'recording': {
        const { form, byMachine } = (await readTranscript(path, shown))!;
        if (beside && byMachine) return `${form}, which a recognizer wrote: no reference`;
        if (isBeside(path, sounds)) return `${form}: ${notReadBeside}`;
        return `${form}, without its audio; with references: earwitness score REFERENCES ${shown}`;
      }
      case 'table': {
        const table = await openTable({ ...found, name: shown });
        try {
          return reasonOfTable(table, shown, sounds);
        } finally {
          await table.close();
        }
      }
      case 'texts':
        return 'texts by id, without audio';
      default:
        if (!/^(?:txt|text|trn|stm|ctm|)$/.test(endingOf(path)))
          return 'it is no audio, table or transcript that is known';
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

function isBeside(path: string, sounds: SoundTree['sounds']): boolean {
  return sounds.some((sound) => stemOf(sound) === stemOf(path));
}

const stemOf = (path: string) => basename(path).replace(/\.[^.]+$/, '');

function reasonOfTable(table: OpenTable, shown: string, sounds: SoundTree['sounds']): string | null {
  const here = new Set(sounds.map((sound) => posix.basename(sound)));
  const paths = table.columns.find(({ name }) => isCalled(name, 'path'))?.values ?? [];
  const absent = paths.find((value) => value.trim() !== '' && !here.has(posix.basename(value.replaceAll('\\', '/'))));
  if (absent !== undefined)
    return `no audio file here is called "${printable(absent, 60)}": correct the paths, or copy the audio here`;
  if (paths.length > 0) return `another manifest; it is read by: earwitness init ${shown}`;
  if (sounds.length > 0 && textsOfSide(table.columns, 'reference').length === 0) return null;
  const { outputs } = referenceAndOutputs(table, {});
  if (outputs.length > 0)
    return `a table of references and outputs: earwitness ${outputs.length > 1 ? 'compare' : 'score'} ${shown}`;
  return 'a table whose rows name no audio; name existing audio in a column path';
}
