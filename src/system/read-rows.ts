import { isUtf8 } from 'node:buffer';
import { stat } from 'node:fs/promises';
import { namedRole } from '../base/columns/roles.ts';
import { badConfig, badInput, EarwitnessError, messageOf } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { type DelimitedFormat, type Row, readDelimitedRows, splitQuoted } from './delimited-rows.ts';
import { isOneRow, jsonRow, readJsonRows, rowsOfJson } from './json-rows.ts';
import { readParquetRows } from './parquet-rows.ts';
import { notUtf8, readText, readTextLines, readUtf8, type TextLine } from './text-lines.ts';
import { reportRows, wholeReport } from './transcripts/scoring-reports.ts';

/** A longer entry is no entry of a list of utterances. */
const maxEntryBytes = 1 << 22;

const code = { quote: 34, backslash: 92, open: 123, close: 125, openList: 91, closeList: 93, newline: 10 };

/**
 * The objects of a JSON file that is one list (`[{…}, {…}]`), as texts with the lines they begin on, in memory that does
 * not grow with the file. `readJsonRows` reads them as it reads lines; columns in its errors count from the entry's
 * beginning where that is not the line's.
 *
 * @param shownName how errors name the file
 * @throws EarwitnessError `bad-input`: the file cannot be read, is no list, ends inside of an entry, or has an entry of
 * more than 4 MiB
 */
export async function* readJsonArray(file: string, shownName: string): AsyncGenerator<TextLine> {
  let depth = 0;
  let inList = false;
  let inText = false;
  let escaped = false;
  let line = 1;
  let startLine = 1;
  let carried: Buffer[] = [];
  let carriedBytes = 0;
  const fail = (what: string, at: number) =>
    badInput(`${shownName}:${at}: expected a JSON list of objects, but ${what}; is it another file?`);
  try {
    for await (const chunk of readUtf8(file, shownName)) {
      let from = 0;
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at]!;
        if (byte === code.newline) line++;
        if (escaped) escaped = false;
        else if (inText) {
          if (byte === code.backslash) escaped = true;
          else if (byte === code.quote) inText = false;
        } else if (byte === code.quote) {
          if (depth === 0) throw fail('a text stands in it', line);
          inText = true;
        } else if (byte === code.open) {
          if (!inList) throw fail('it begins with an object', line);
          if (depth++ === 0) {
            from = at;
            startLine = line;
          }
        } else if (byte === code.close && depth > 0 && --depth === 0) {
          const bytes = Buffer.concat([...carried, chunk.subarray(from, at + 1)]);
          if (!isUtf8(bytes)) throw notUtf8(bytes, shownName, startLine);
          yield { number: startLine, text: bytes.toString('utf8') };
          carried = [];
          carriedBytes = 0;
        } else if (byte === code.openList && depth === 0) inList = true;
      }
      if (depth === 0) continue;
      carried.push(chunk.subarray(carried.length === 0 ? from : 0));
      carriedBytes += chunk.length;
      if (carriedBytes > maxEntryBytes) throw fail('one of them is longer than 4 MiB', startLine);
    }
  } catch (error) {
    if (error instanceof EarwitnessError) throw error;
    throw badInput(`${shownName}: expected a JSON file, but reading it failed: ${messageOf(error)}; check the path`, {
      cause: error,
    });
  }
  if (depth > 0) throw fail('it ends inside of one', startLine);
  if (!inList) throw fail('there is none', line);
}

export type RowFormat = 'tsv' | 'csv' | 'jsonl';

/** @example endingOf('a/b.JSONL.gz') // 'jsonl' */
export function endingOf(path: string): string {
  return /\.([^./\\]*)$/.exec(path.replace(/\.gz$/i, ''))?.[1]?.toLowerCase() ?? '';
}

/** What the name of a file says; undefined: nothing. */
function namedFormat(file: string): RowFormat | undefined {
  const ending = endingOf(file);
  if (ending === 'tsv' || ending === 'tab') return 'tsv';
  if (ending === 'csv' || ending === 'psv') return 'csv';
  // NeMo writes one JSON object on each line and names the file .json.
  return ending === 'jsonl' || ending === 'ndjson' || ending === 'json' ? 'jsonl' : undefined;
}

/**
 * The format that a file's name tells.
 *
 * @param advice what to do where it tells none
 * @throws EarwitnessError `bad-config`: the name tells none
 */
export function rowFormatOf(file: string, advice = 'give it another name'): RowFormat {
  const format = namedFormat(file);
  if (format !== undefined) return format;
  throw badConfig(`${file}: expected a name that ends in .tsv, .csv or .jsonl; ${advice}`);
}

/** How a table is written, as far as somebody said it. */
export interface TableForm extends Partial<DelimitedFormat> {
  /** Default: as the file's name says, else as its first line looks. */
  readonly format?: RowFormat | undefined;
  /** Is called where a title above the names of the columns is passed over. */
  readonly titled?: () => void;
}

/**
 * The rows of a table in any form that people have: JSON (an object on each line, a list of them, columns, or one of these in an object), TSV, CSV with
 * commas, semicolons, tabs or bars (also after `sep=;`), Parquet; in UTF-8 or UTF-16, also packed by gzip. TSV has no quotes (IANA
 * text/tab-separated-values), CSV has (RFC 4180).
 *
 * @param file its path, or its bytes as they come
 * @param shownName how errors name the file
 * @throws EarwitnessError `bad-input` with file, line and column; `missing-program` where a package is missing that reads Parquet
 */
export async function* readRows(
  file: string | AsyncIterable<Buffer>,
  shownName: string,
  { format: wanted, titled, ...form }: TableForm = {},
): AsyncGenerator<Row> {
  const named = wanted ?? (typeof file === 'string' ? namedFormat(file) : undefined);
  if (wanted === undefined && typeof file === 'string' && endingOf(file) === 'parquet') {
    yield* readParquetRows(file, shownName);
    return;
  }
  if (named === 'jsonl' && typeof file === 'string') {
    const whole = await wholeJson(file, shownName);
    if (whole !== null) {
      yield* whole;
      return;
    }
  }
  if (named === undefined && typeof file === 'string' && isReport(await readText(file, reportBytes))) {
    const rows = wholeReport(await readText(file, maxWholeBytes), shownName) ?? [];
    for (const [place, row] of rows.entries())
      yield { ...jsonRow({ ...row }, { number: place + 1, text: '' }, shownName), isOfReport: true };
    return;
  }
  const lines = readTextLines(file, shownName);
  try {
    const before: TextLine[] = [];
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      before.push(next.value);
      if (next.value.text.trim() !== '' && (named === 'jsonl' || before.length >= linesLookedAt)) break;
    }
    const looked = before.map(({ text }) => text).filter((text) => text.trim() !== '');
    const [head = ''] = looked;
    async function* all(): AsyncGenerator<TextLine> {
      yield* before;
      yield* lines;
    }
    const below = { ...delimitersOf(named, looked.slice(1)), ...form };
    const said = named === 'tsv' ? null : /^"?sep=([^"\r\n])"?$/.exec(head.trim())?.[1];
    if (named === 'jsonl' || (named === undefined && /^\s*[{[]/.test(head))) yield* readJsonRows(all(), shownName);
    else if (said != null)
      yield* readDelimitedRows(afterFirst(all()), shownName, { delimiter: said, quotes: 'csv', ...form });
    else if (isTitled(looked, below)) {
      titled?.();
      yield* readDelimitedRows(afterFirst(all()), shownName, below);
    } else yield* readDelimitedRows(all(), shownName, { ...delimitersOf(named, looked), ...form });
  } finally {
    // Where the first line is wrong, nobody has come to the others.
    await lines.return(undefined);
  }
}

/** By so many lines it is told what separates fields. */
const linesLookedAt = 20;
/** So many of them have as many fields as the first. */
const wholeShare = 0.8;

/** What divides nearly all of the first lines into as many fields each, the most; else what stands most often in the first; a comma where nothing does. */
function delimitersOf(named: RowFormat | undefined, lines: readonly string[]): DelimitedFormat {
  const [head = ''] = lines;
  if (named === 'tsv' || (named === undefined && head.includes('\t'))) return { delimiter: '\t', quotes: 'literal' };
  const found = [',', ';', '\t', '|'].map((delimiter) => {
    // Who separates by bars writes quotes as they are (LJ Speech).
    const quotes = delimiter === '|' ? ('literal' as const) : ('csv' as const);
    const fieldsOf = (line: string) => (quotes === 'csv' ? splitQuoted(line, delimiter).fields : line.split(delimiter));
    const count = fieldsOf(head).length;
    const whole = lines.filter((line) => fieldsOf(line).length === count).length;
    return { delimiter, quotes, count, isWhole: count > 1 && whole >= wholeShare * lines.length };
  });
  const usable = found.some(({ isWhole }) => isWhole) ? found.filter(({ isWhole }) => isWhole) : found;
  const { delimiter, quotes } = usable.reduce((best, other) => (other.count > best.count ? other : best));
  return { delimiter, quotes };
}

/** Whether the first line has one cell, which is no name of a column, above names of several. */
function isTitled(lines: readonly string[], { delimiter, quotes, names }: DelimitedFormat): boolean {
  const [above = [], below = []] = lines.map((line) =>
    (quotes === 'csv' ? splitQuoted(line, delimiter).fields : line.split(delimiter)).filter(
      (cell) => cell.trim() !== '',
    ),
  );
  const roles = new Set(below.map(namedRole).filter((role) => role !== undefined));
  return above.length === 1 && namedRole(above[0]!) === undefined && roles.size > 1 && !Array.isArray(names);
}

async function* afterFirst(lines: AsyncIterable<TextLine>): AsyncGenerator<TextLine> {
  let isPast = false;
  for await (const line of lines) {
    if (isPast) yield line;
    isPast ||= line.text.trim() !== '';
  }
}

/** Larger files are read from their beginning to their end alone: lines, or one list. */
const maxWholeBytes = 1 << 26;

/** By so much of a file it is known for a report: before its utterances may stand tables. */
export const reportBytes = 1 << 20;

/** Whether a text, or its beginning, is what a scoring program wrote for people. */
export function isReport(beginning: string): boolean {
  return reportRows(beginning) !== null;
}

const firstBytes = 4096;

/** The rows of a JSON file that is one value; null where it is lines. */
async function wholeJson(file: string, shownName: string): Promise<AsyncIterable<Row> | Iterable<Row> | null> {
  const beginning = (await readText(file, firstBytes)).trimStart();
  if (/^\[\s*(?:[{\]]|$)/.test(beginning)) return readJsonRows(readJsonArray(file, shownName), shownName);
  const mayBeWhole = endingOf(file) === 'json' || beginning.startsWith('[');
  if (!mayBeWhole || (await stat(file)).size > maxWholeBytes) return null;
  const value = wholeValue(await readText(file, maxWholeBytes));
  const rows = value === null || isOneRow(value) ? null : rowsOfJson(value);
  if (rows === null && (value === null || Array.isArray(value))) return null;
  return (rows ?? [value as Readonly<Record<string, unknown>>]).map((row, place) =>
    jsonRow(row, { number: place + 1, text: JSON.stringify(row) }, shownName),
  );
}

/** Null where it is no JSON, or several values, one on each line. */
function wholeValue(text: string): object | null {
  const end = text.indexOf('\n');
  const [first, rest] = end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end)];
  if (rest.trim() !== '' && parsed(first) !== null) return null;
  return parsed(text);
}

function parsed(text: string): object | null {
  try {
    const value = parseJson(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
