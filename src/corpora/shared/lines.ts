import { badInput } from '../../base/errors.ts';
import { splitQuoted } from '../../system/delimited-rows.ts';
import { type LeftOut, withoutSound } from './data-set-corpus.ts';
import type { DataSetFolder } from './data-set-folder.ts';

/** One line of a table without column names. */
interface TableLine {
  /** Trimmed. */
  readonly fields: readonly string[];
  /** `file:line:1`, for errors. */
  place(): string;
}

/**
 * The lines of a table as data sets put beside their sounds: fields by a delimiter or blanks, comments passed over.
 * Nothing where the file is not there: what such tables say of speakers is welcome, not needed.
 *
 * @param format `delimiter` absent: fields are separated by blanks; `comment`: what a line begins with that is none
 * @param most fields to divide into: what follows belongs to the last
 */
export async function* tableLines(
  folder: DataSetFolder,
  path: string,
  { delimiter, comment }: { readonly delimiter?: string; readonly comment?: string } = {},
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<TableLine> {
  if (!(await folder.has(path))) return;
  for await (const { text, number } of folder.lines(path)) {
    const line = text.trim();
    if (line === '' || (comment !== undefined && line.startsWith(comment))) continue;
    const all = delimiter === undefined ? line.split(/\s+/) : line.split(delimiter);
    const fields = all.length <= most ? all : [...all.slice(0, most - 1), all.slice(most - 1).join(delimiter ?? ' ')];
    yield { fields: fields.map((field) => field.trim()), place: () => `${folder.shown(path)}:${number}:1` };
  }
}

/** The second column of a table by its first, as Kaldi's lists have them; empty where it is not there. */
export async function tablePairs(folder: DataSetFolder, path: string): Promise<ReadonlyMap<string, string>> {
  const pairs = new Map<string, string>();
  for await (const { fields } of tableLines(folder, path, {}, 2)) pairs.set(fields[0]!, fields[1] ?? '');
  return pairs;
}

/** A line of an index with the sound it speaks of. */
interface IndexedSound {
  /** Name of the sound without its ending, `irm_02484_00388340153`. */
  readonly stem: string;
  /** Its first part: `irm`, `ngf`. */
  readonly group: string;
  /** Group and number: numbers alone come again in other groups. */
  readonly speaker: string;
  /** Path from the root. */
  readonly file: string;
  readonly text: string;
  place(): string;
}

/** The lists of one data set of this kind. */
interface LineIndex {
  /** Names of the lists, the first that a folder has. */
  readonly names: readonly string[];
  /** `, ` (OpenSLR 83, with a sentence's number before the name) or a tab. */
  readonly delimiter: string;
  /** Fields before the name of the sound. */
  readonly nameAt: number;
}

/**
 * Sounds by the lists of the crowdsourced corpora that Google published at OpenSLR: `line_index` in the folder of each
 * archive or in one above, the sounds beside it or in the folders named after the archives.
 *
 * @throws EarwitnessError `bad-input`: a line of another form
 */
export async function* readLineIndex(
  folder: DataSetFolder,
  { names, delimiter, nameAt }: LineIndex,
  left: LeftOut,
): AsyncGenerator<IndexedSound> {
  const places = ['', ...(await folder.list('')).folders];
  const sounds = new Map<string, string>();
  const lists: string[] = [];
  for (const path of places) {
    const { files } = await folder.list(path);
    for (const file of files) {
      if (file.endsWith('.wav') && !sounds.has(file)) sounds.set(file, path === '' ? file : `${path}/${file}`);
    }
    const found = names.filter((name) => files.includes(name));
    lists.push(...found.map((name) => (path === '' ? name : `${path}/${name}`)));
  }
  // A list of everything makes those of the archives superfluous.
  const whole = lists.filter((list) => !list.includes('/'));
  for (const list of whole.length > 0 ? whole : lists) {
    for await (const { text: line, number } of folder.lines(list)) {
      if (line.trim() === '') continue;
      const place = () => `${folder.shown(list)}:${number}:1`;
      const split = splitQuoted(line.trim(), delimiter);
      const fields = split.openedAt === null && split.strayAt === null ? split.fields : line.trim().split(delimiter);
      const [, speaker, group] = /^(([a-z]+)_\d+)_\d+$/.exec(fields[nameAt]?.trim() ?? '') ?? [];
      if (speaker === undefined || group === undefined || fields.length <= nameAt + 1) {
        throw badInput(
          `${place()}: expected the name of a sound like irm_02484_00388340153 and its words, but found ${JSON.stringify(line.slice(0, 60))}; correct the line`,
        );
      }
      const stem = fields[nameAt]!.trim();
      const file = sounds.get(`${stem}.wav`);
      if (file === undefined) {
        left.add(withoutSound);
        continue;
      }
      const text = fields
        .slice(nameAt + 1)
        .join(delimiter)
        .trim();
      yield { stem, group, speaker, file, text, place };
    }
  }
}

/**
 * Divides a line `id words of the utterance` at its first blanks, as LibriSpeech, Kaldi, AISHELL and many others write
 * them. Null where the line has no id.
 *
 * @example idAndText('84-121123-0000 GO DO YOU HEAR') // { id: '84-121123-0000', text: 'GO DO YOU HEAR' }
 */
export function idAndText(line: string): { readonly id: string; readonly text: string } | null {
  const trimmed = line.trim();
  if (trimmed === '') return null;
  const end = trimmed.search(/\s/);
  return end === -1 ? { id: trimmed, text: '' } : { id: trimmed.slice(0, end), text: trimmed.slice(end).trim() };
}

/**
 * Chinese without the blanks that a program put between its words: nobody writes or says them. Blanks beside other
 * scripts stay.
 *
 * @example withoutWordBlanks('绿 是 阳春 卡拉 OK 版') // '绿是阳春卡拉 OK 版'
 */
export function withoutWordBlanks(text: string): string {
  return text.replace(/(?<=\p{Script=Han})[ \t]+(?=\p{Script=Han})/gu, '').trim();
}
