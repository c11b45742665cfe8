import { existsSync, readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isCalled } from '../../base/columns/roles.ts';
import { badInput } from '../../base/errors.ts';
import { parseJson } from '../../base/json.ts';
import { limitText } from '../../base/printable.ts';
import { soundEnding } from '../../base/sound-endings.ts';
import { firstOfSets, setOf } from '../../system/parquet-rows.ts';
import { endingOf, isReport, reportBytes } from '../../system/read-rows.ts';
import { readText, readTextLines, readUtf8, type TextLine } from '../../system/text-lines.ts';
import {
  type RecordingTranscript,
  readTranscript,
  transcriptEndings,
} from '../../system/transcripts/read-transcript.ts';

/**
 * How texts stand in a file: NIST's formats, a table, a text on each line, an id and a text on each line, a number and below it its text (`counted`), one object of texts by id, the words of one
 * recording (`recording`: in a form of its own; `whole`: in lines), a folder with a file for each recording.
 */
export type TextFormat =
  | 'trn'
  | 'stm'
  | 'ctm'
  | 'table'
  | 'lines'
  | 'ids'
  | 'counted'
  | 'texts'
  | 'recording'
  | 'whole'
  | 'folder';

/** A file of texts, a folder of them, or what comes in on stdin. */
export interface TextFile {
  /** As errors call it. */
  readonly name: string;
  /** Null for stdin, and what came from a pipe. */
  readonly path: string | null;
  /** What came from a pipe, which is read once. */
  readonly bytes?: Buffer;
  readonly format: TextFormat;
  /** The rows of a table stay in memory, since several read them. */
  readonly isKept?: true;
  /** Of a recording: what was read already. */
  readonly transcript?: RecordingTranscript;
  /** Of lines: what each begins with, where that may be its id: with a digit or a path in it, and no other has it. */
  readonly leading?: readonly string[];
}

export const stdin: TextFile = { name: 'stdin', path: null, format: 'table' };

/** Its lines, in memory that does not grow with it. */
export function linesOf(file: TextFile): AsyncGenerator<TextLine> {
  return readTextLines(bytesOf(file), file.name);
}

/** Where its bytes come from. */
export function bytesOf({ path, bytes }: TextFile): string | AsyncIterable<Buffer> {
  return path ?? (bytes === undefined ? process.stdin : blocks(bytes));
}

/** Files that are called so are meant, even where blanks stand in the name. */
const textEnding =
  /\.(txt|text|trn|pra|gz|mlf|stm|ctm|tsv|tab|csv|jsonl|ndjson|json3?|srt|vtt|sbv|ttml|dfxp|ass|ssa|lrc|textgrid|eaf|rttm|parquet|xlsx)$/i;
/** Of files that hold tables and nothing else. */
export const tableEndings = ['csv', 'tsv', 'tab', 'psv', 'jsonl', 'ndjson', 'parquet'];
export const tableEnding = new RegExp(`\\.(?:${tableEndings.join('|')})$`, 'i');
const wordPath = /^\S*[/\\]\S*$|^[^\s.]\S*\.[a-z][a-z0-9]{0,4}$/i;

/**
 * The file that a value names; null for a text to be scored itself.
 *
 * @param tier of files that have several
 * @throws EarwitnessError `bad-input`: it looks like a path, and there is no such file; or its kind is not read
 */
export async function fileNamed(value: string, tier?: string): Promise<TextFile | '-' | null> {
  if (value === '-') return '-';
  const found = existsSync(value) ? statSync(value) : null;
  if (found === null) {
    if (!textEnding.test(value) && !wordPath.test(value)) return null;
    throw badInput(
      `expected a file or a text, but ${JSON.stringify(limitText(value, 200))} looks like a path and there is no such file; check the path, or add a blank at its end to score it as a text`,
    );
  }
  if (found.isDirectory()) {
    const only = kaldiText(value) ?? onlyTable(value);
    return only === null ? { name: value, path: value, format: 'folder' } : fileNamed(only, tier);
  }
  if (!found.isFile()) return pipeOf(value, await readFile(value));
  const ending = endingOf(value);
  if (ending !== 'parquet') await refuseOtherFile(value);
  if (ending === 'trn' || ending === 'stm' || ending === 'ctm') return { name: value, path: value, format: ending };
  const transcript = await readTranscript(value, value, tier);
  if (transcript !== null) return { name: value, path: value, format: 'recording', transcript };
  return { name: setOf(value), path: value, ...(await otherFormat(value, ending)) };
}

/** Of a data folder of Kaldi, and of what was decoded, the texts of all utterances. */
function kaldiText(folder: string): string | null {
  const path = join(folder, 'text');
  return existsSync(path) && statSync(path).isFile() ? path : null;
}

/** What a run of a recognizer leaves beside its outputs. */
const aboutRun = /(?:^|\/)(?:\.|(?:readme|licen[cs]e|config|args|params|settings|metrics|summary|log|info)\b)/i;

/** The table that a folder holds where that is all of texts in it; null where there are others, or none. */
function onlyTable(folder: string): string | null {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
  const texts = files.filter((file) => ownEnding.test(file) || tableEnding.test(file));
  const [only, ...others] = firstOfSets(texts.filter((file) => !aboutRun.test(file)));
  return only !== undefined && others.length === 0 && tableEnding.test(only) ? join(folder, only) : null;
}

/** What comes once, from a pipe or as the output of a command (`<(…)`), is kept. */
async function pipeOf(name: string, bytes: Buffer): Promise<TextFile> {
  const beginning = await readText(blocks(bytes), reportBytes);
  const isTable = /^\s*[{[]/.test(beginning) || namesColumns(beginning, [...separators, ',']);
  return { name, path: null, bytes, ...(isTable ? { format: 'table' } : formatOfText(beginning)) };
}

/** What comes in on stdin, kept: of a kind that nothing beside it tells. */
export async function stdinKept(): Promise<TextFile> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part);
  return pipeOf(stdin.name, Buffer.concat(parts));
}

async function* blocks(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** @throws EarwitnessError `bad-input`: it is no text */
async function refuseOtherFile(path: string): Promise<void> {
  const bytes = readUtf8(path, path);
  await bytes.next();
  await bytes.return(undefined);
}

async function otherFormat(path: string, ending: string): Promise<Pick<TextFile, 'format' | 'leading'>> {
  if (ending === 'json' && (await textsById(path)) !== null) return { format: 'texts' };
  if (['tsv', 'tab', 'csv', 'psv', 'jsonl', 'ndjson', 'json', 'parquet'].includes(ending)) return { format: 'table' };
  const beginning = await readText(path, reportBytes);
  // As Kaldi and LibriSpeech call them.
  const areIds = basename(path) === 'text' || /\.trans\.txt$/i.test(path);
  return areIds && !endInIds(beginning) ? { format: 'ids' } : formatOfText(beginning);
}

function formatOfText(beginning: string): Pick<TextFile, 'format' | 'leading'> {
  if (isReport(beginning) || namesColumns(beginning, separators)) return { format: 'table' };
  if (endInIds(beginning)) return { format: 'trn' };
  if (areCounted(beginning)) return { format: 'counted' };
  const leading = wholeLines(beginning).map((line) => idLine(line)?.id ?? '');
  const mayBeIds = leading.length > 1 && new Set(leading).size === leading.length;
  return { format: 'lines', ...(mayBeIds && leading.every((id) => /[\d/\\]/.test(id)) && { leading }) };
}

/** Of a beginning the lines that are not cut off, without blank ones. */
function wholeLines(beginning: string): readonly string[] {
  const whole = beginning.length < reportBytes ? beginning : beginning.slice(0, beginning.lastIndexOf('\n'));
  return whole.split('\n').filter((line) => line.trim() !== '');
}

/** A line that begins with the id of its text: before a tab (where it may have blanks), a bar, a colon or a blank. */
export function idLine(line: string): { readonly id: string; readonly text: string } | null {
  const [, id, text] =
    /^([^\t]+)\t(.*)$/.exec(line) ?? /^([^\s|]+)\|(.*)$/.exec(line) ?? /^\s*(\S+?):?(?:\s+(.*))?$/.exec(line) ?? [];
  return id === undefined ? null : { id: id.trim().replace(/(?<=.):$/, ''), text: (text ?? '').trim() };
}

/** Between columns of what has no name of a table. */
const separators = ['\t', '|', ';'];

/** Whether the first line of a text has separators between names of columns, of which one is called a reference or a hypothesis. */
function namesColumns(beginning: string, between: readonly string[]): boolean {
  const [head = ''] = beginning.split('\n', 1);
  const isText = (name: string) => isCalled(name, 'reference') || isCalled(name, 'hypothesis');
  return between.some((delimiter) => {
    const names = head.split(delimiter).map((name) => name.trim());
    return names.length > 1 && names.some(isText) && names.every((name) => /^[\p{L}\w ()-]{0,40}$/u.test(name));
  });
}

/** Whether all lines end with an id of their own in parentheses, as fairseq and ESPnet write them under other names than .trn. */
function endInIds(beginning: string): boolean {
  const lines = wholeLines(beginning);
  const ids = lines.map((line) => /\(([^()\s]*\d[^()\s]*)\)\s*$/.exec(line)?.[1]);
  return lines.length > 1 && !ids.includes(undefined) && new Set(ids).size === lines.length;
}

/** Whether a number stands above each text, as eval.py of Hugging Face writes them: 0, the text, 1, the text. */
function areCounted(beginning: string): boolean {
  const lines = beginning.slice(0, beginning.lastIndexOf('\n')).split('\n');
  const numbers = lines.filter((_, place) => place % 2 === 0).map((line) => line.trim());
  const first = Number(numbers[0]);
  return numbers.length > 2 && first <= 1 && numbers.every((number, place) => number === `${first + place}`);
}

/** Of one JSON object whose members are texts: these by their names; null where it is another. */
export async function textsById(path: string): Promise<ReadonlyMap<string, string> | null> {
  try {
    const value = parseJson(await readText(path, Number.POSITIVE_INFINITY));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    const entries = Object.entries(value);
    // One row of a table has texts too: names of files and of utterances are not those of columns.
    const areTexts = entries.length > 1 && entries.every(([, text]) => typeof text === 'string');
    return areTexts && entries.some(([name]) => /\d|\.\w+$|\//.test(name)) ? new Map(entries) : null;
  } catch {
    return null;
  }
}

/** A file of a folder with the words of one recording. */
export interface FolderText {
  /** The path in the folder without endings. */
  readonly id: string;
  readonly file: TextFile;
}

/** Of several files about one recording the first of these counts: Whisper writes all of them. */
const preferred = ['txt', 'lab', ...transcriptEndings, 'jsonl'];
const ownEnding = new RegExp(`\\.(?:${preferred.join('|')})$`, 'i');

/**
 * The transcripts in a folder, one for each recording, by their paths without endings.
 *
 * @throws EarwitnessError `bad-input`: there is none
 */
export function textsInFolder({ name, path }: TextFile): readonly FolderText[] {
  const files = readdirSync(path!, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
  const found = new Map<string, string>();
  for (const file of files.sort()) {
    const rank = preferred.indexOf(endingOf(file));
    if (rank === -1 || /(?:^|\/)\.|^(?:readme|licen[cs]e)\b/i.test(file)) continue;
    const id = idOfPath(file);
    const before = found.get(id);
    if (before === undefined || rank < preferred.indexOf(endingOf(before))) found.set(id, file);
  }
  if (found.size === 0) {
    const sounds = files.some((file) => soundEnding.test(file)) ? ', though there is audio' : '';
    throw badInput(
      `${name}: expected a folder with a transcript for each recording (.txt, .json, .srt, .vtt, .TextGrid, …), but found none${sounds}; name the folder or the table of the transcripts`,
    );
  }
  return [...found].map(([id, file]) => ({
    id,
    file: { name: `${name.replace(/\/$/, '')}/${file}`, path: join(path!, file), format: 'whole' },
  }));
}

/** @example idOfPath('a/b.wav.json') // 'a/b' */
function idOfPath(path: string): string {
  return path.replace(ownEnding, '').replace(soundEnding, '');
}

/** Ways to compare names of recordings, the strictest first, and what each leaves out. */
export const idKeys: readonly { readonly told: string; of(id: string): string }[] = [
  { told: '', of: (id) => id },
  { told: ' without endings', of: (id) => idOfPath(slashed(id)) },
  // Two files may name the same folders from different ones above.
  ...[4, 3, 2].map((parts) => ({
    told: ' without outer folders and endings',
    of: (id: string) => idOfPath(slashed(id).split('/').slice(-parts).join('/')),
  })),
  { told: ' without folders and endings', of: nameOfPath },
  {
    told: ' without folders, endings and letter case',
    of: (id) => nameOfPath(id).normalize('NFC').toLowerCase(),
  },
  {
    told: ' without folders, endings and what says the side (_ref, _hyp)',
    of: (id) => nameOfPath(id).replace(/[._-](?:refs?|reference|gold|truth|hyps?|hypothesis|pred|asr)$/i, ''),
  },
  {
    told: ' without folders, endings and leading zeros',
    of: (id) => nameOfPath(id).replace(/(?<!\d)0+(?=\d)/g, ''),
  },
  // pandas writes numbers so where one of them is missing.
  { told: ' as numbers', of: (id) => id.replace(/^(\d+)\.0+$/, '$1') },
];

/**
 * Ways to compare names of one file with those of another, of which all begin or end with a mark more: `a_whisper`, `a_0_beam5`, `asr_a`.
 *
 * @param ids those with the mark, which is taken off them alone
 */
export function withoutMark(
  ids: readonly string[],
): readonly { readonly told: string; marked(id: string): string; plain(id: string): string }[] {
  const names = ids.map(nameOfPath);
  const [first = ''] = names;
  const places = names.length < 2 ? [] : [...first.matchAll(/[._-]+/g)];
  const ends = places.map(({ index }) => first.slice(index)).filter((mark) => names.every((id) => id.endsWith(mark)));
  const beginnings = places
    .map(({ index, 0: { length } }) => first.slice(0, index + length))
    .filter((mark) => names.every((id) => id.startsWith(mark)));
  const plain = (id: string) => idOfPath(slashed(id));
  const without = (mark: string, at: 'end' | 'beginning') => (id: string) => {
    const path = plain(id);
    const name = nameOfPath(id);
    const folder = path.slice(0, path.length - name.length);
    if (at === 'end') return name.endsWith(mark) ? path.slice(0, -mark.length) : path;
    return name.startsWith(mark) ? `${folder}${name.slice(mark.length)}` : path;
  };
  const marks = [
    ...ends.map((mark) => ({ told: ` without ${mark} at its end`, of: without(mark, 'end') })),
    ...beginnings.map((mark) => ({ told: ` without ${mark} at its beginning`, of: without(mark, 'beginning') })),
  ];
  return marks.flatMap(({ told, of }) => [
    { told, marked: of, plain },
    { told, marked: (id: string) => basename(of(id)), plain: nameOfPath },
  ]);
}

/** What a path names, without folders and endings. */
export function nameOfPath(path: string): string {
  return idOfPath(basename(slashed(path)));
}

function slashed(id: string): string {
  return id.replaceAll('\\', '/').replace(/^\.\//, '');
}
