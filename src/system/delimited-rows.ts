import { badInput, type EarwitnessError } from '../base/errors.ts';
import { firstOf } from '../base/first-of.ts';
import type { TextLine } from './text-lines.ts';

/** How fields are separated, and whether `"` has a meaning. */
export interface DelimitedFormat {
  readonly delimiter: string;
  /** `csv`: fields may stand in quotes, doubled inside (RFC 4180). `literal`: a quote is a character like any other. */
  readonly quotes: 'csv' | 'literal';
  /**
   * Names of the columns where no line of the table names them, or what tells them by the first records, each a row of `column 1`, `column 2`, …: null where
   * the first of these is the header.
   */
  readonly names?: readonly string[] | ((first: readonly Row[]) => readonly string[] | null);
}

/** A field in quotes may go over several lines; what goes on for longer than this was never closed. */
const longestRecord = 1 << 18;

/**
 * The rows of a table whose first line names its columns, unless the format does. Blank lines are passed over, and columns without a name, as
 * spreadsheets leave them; the first of these, as pandas writes its index, is the text of '' alone.
 *
 * @throws EarwitnessError `bad-input` with file, line and column: no header, no column with a name or one named twice, a
 * row with too many or too few fields, a quoted field that is never closed or followed by something else
 */
export async function* readDelimitedRows(
  lines: AsyncIterable<TextLine>,
  shownName: string,
  format: DelimitedFormat,
): AsyncGenerator<Row> {
  const isAsked = typeof format.names === 'function';
  const { first, all } = await firstOf(
    records(lines, shownName, format),
    (_, count) => !isAsked || count === recordsLookedAt,
  );
  const names = typeof format.names === 'function' ? format.names(rowsByNumber(first, shownName)) : format.names;
  let header: Header | null = names == null ? null : namedHeader(names);
  for await (const record of all) {
    if (header === null) {
      header = readHeader(record, shownName);
      continue;
    }
    if (record.fields.length !== header.count)
      throw wrongCount(record, header, shownName, header.line === null ? 'named' : 'in the first line');
    yield delimitedRow(record, header, shownName);
  }
  if (header === null) throw badInput(`${shownName}: expected a first line with column names, but the file is empty`);
}

/** By so many records it is told whether the first of them is a header. */
const recordsLookedAt = 300;

/** Records with as many fields as the first, as rows of columns without names. */
function rowsByNumber(records: readonly DelimitedRecord[], shownName: string): Row[] {
  const count = records[0]?.fields.length ?? 0;
  const header = namedHeader(Array.from({ length: count }, (_, place) => `column ${place + 1}`));
  return records.filter(({ fields }) => fields.length === count).map((row) => delimitedRow(row, header, shownName));
}

interface Header {
  /** Line on which it begins; null: the table has none. */
  readonly line: number | null;
  readonly names: readonly string[];
  readonly index: ReadonlyMap<string, number>;
  /** Columns, with those that have no name. */
  readonly count: number;
}

interface DelimitedRecord {
  readonly line: number;
  readonly raw: string;
  readonly fields: readonly string[];
  /** Where each field starts in `raw`; made only when an error asks. */
  starts(): readonly number[];
}

function delimitedRow(record: DelimitedRecord, header: Header, shownName: string): Row {
  return {
    line: record.line,
    names: header.names,
    nameAt: (place) => [...header.index].find(([, position]) => position === place - 1)?.[0],
    text(name) {
      const index = header.index.get(name);
      return index === undefined ? undefined : record.fields[index];
    },
    list: () => undefined,
    value: () => undefined,
    namesPlace: () => `${shownName}:${header.line ?? record.line}:1`,
    place: (name) => placeOf(record, name === undefined ? 0 : (header.index.get(name) ?? 0), shownName),
  };
}

function readHeader(record: DelimitedRecord, shownName: string): Header {
  const index = new Map<string, number>();
  for (const [position, field] of record.fields.entries()) {
    const name = field.trim();
    if (name === '' && record.fields.some((other) => other.trim() !== '')) {
      if (!index.has('')) index.set('', position);
      continue;
    }
    // Made for an error alone: there may be a hundred thousand columns.
    const place = () => placeOf(record, position, shownName);
    if (name.includes('\r')) {
      throw badInput(
        `${place()}: expected lines that end with a line feed, but they end with a carriage return alone; save the file with Unix or Windows line ends`,
      );
    }
    if (name === '' || name === '__proto__') {
      throw badInput(`${place()}: expected a column name, but found ${JSON.stringify(name)}; give the column a name`);
    }
    if (index.has(name)) {
      throw badInput(
        `${place()}: expected different column names, but "${name.slice(0, 100)}" stands here twice; rename one`,
      );
    }
    index.set(name, position);
  }
  return {
    line: record.line,
    names: [...index.keys()].filter((name) => name !== ''),
    index,
    count: record.fields.length,
  };
}

function namedHeader(names: readonly string[]): Header {
  return { line: null, names, index: new Map(names.map((name, position) => [name, position])), count: names.length };
}

function wrongCount(record: DelimitedRecord, header: Header, shownName: string, as: string): EarwitnessError {
  const { names, count } = header;
  const found = record.fields.length;
  const place = placeOf(record, Math.min(found, count + 1) - 1, shownName);
  const hint =
    found > count
      ? 'one of them may hold the delimiter itself'
      : `nothing stands for "${(names[found] ?? 'the last column').slice(0, 100)}"; is the line cut off?`;
  return badInput(`${place}: expected ${count} fields as ${as}, but found ${found}; ${hint}`);
}

function placeOf(record: DelimitedRecord, field: number, shownName: string): string {
  const before = record.raw.slice(0, record.starts()[field] ?? 0);
  const newlines = before.split('\n').length - 1;
  return `${shownName}:${record.line + newlines}:${before.length - before.lastIndexOf('\n')}`;
}

/** A record whose last field is in quotes that are not closed yet. */
interface OpenRecord {
  readonly line: number;
  readonly raw: string;
  /** Where in `raw` the quote stands that opens the field. */
  readonly openedAt: number;
}

/** Lines put together to records, each split into its fields. */
async function* records(
  lines: AsyncIterable<TextLine>,
  shownName: string,
  { delimiter, quotes }: DelimitedFormat,
): AsyncGenerator<DelimitedRecord> {
  let open = null as OpenRecord | null;
  const neverClosed = (pending: OpenRecord) => {
    const before = pending.raw.slice(0, pending.openedAt);
    const line = pending.line + before.split('\n').length - 1;
    const column = before.length - before.lastIndexOf('\n');
    return badInput(
      `${shownName}:${line}:${column}: expected the quote that opens this field to be closed, but it never is; close it, or double it if it is part of the text`,
    );
  };
  for await (const line of lines) {
    if (open === null && line.text.trim() === '') continue;
    const number: number = open === null ? line.number : open.line;
    const raw: string = open === null ? line.text : `${open.raw}\n${line.text}`;
    if (quotes === 'literal' || (open === null && !raw.includes('"'))) {
      const split = splitPlain(raw, delimiter);
      yield { line: number, raw, fields: split.fields, starts: () => split.starts };
      continue;
    }
    if (open !== null && !line.text.includes('"')) {
      open = { ...open, raw };
    } else {
      const split = splitQuoted(raw, delimiter);
      if (split.strayAt !== null) {
        const stray = placeOf({ line: number, raw, fields: [], starts: () => [split.strayAt!] }, 0, shownName);
        throw badInput(
          `${stray}: expected a delimiter or the line's end after a closing quote, but found ${JSON.stringify(raw[split.strayAt])}; double quotes that are part of the text`,
        );
      }
      if (split.openedAt === null) {
        open = null;
        yield { line: number, raw, fields: split.fields, starts: () => split.starts };
      } else {
        open = { line: number, raw, openedAt: split.openedAt };
      }
    }
    if (open !== null && raw.length > longestRecord) throw neverClosed(open);
  }
  if (open !== null) throw neverClosed(open);
}

/** Fields of a record, as far as it could be split. */
export interface SplitFields {
  readonly fields: readonly string[];
  readonly starts: readonly number[];
  /** Where the quote stands that opens a field and is not closed. */
  readonly openedAt: number | null;
  /** Where something other than a delimiter follows a closing quote. */
  readonly strayAt: number | null;
}

/** Splits a record in which quotes are characters like any other. */
function splitPlain(raw: string, delimiter: string): SplitFields {
  const fields = raw.split(delimiter);
  return {
    fields,
    // Asked for by errors alone.
    get starts() {
      let start = 0;
      return fields.map((field) => {
        const here = start;
        start += field.length + delimiter.length;
        return here;
      });
    },
    openedAt: null,
    strayAt: null,
  };
}

/**
 * Splits a record into fields that may stand in double quotes, doubled inside (RFC 4180). A quote inside of a field that
 * does not begin with one is a character like any other.
 *
 * @example splitQuoted('a,"b,""c"""', ',').fields // ['a', 'b,"c"']
 */
export function splitQuoted(raw: string, delimiter: string): SplitFields {
  const fields: string[] = [];
  const starts: number[] = [];
  for (let at = 0; ; ) {
    starts.push(at);
    if (raw[at] !== '"') {
      const end = raw.indexOf(delimiter, at);
      fields.push(raw.slice(at, end === -1 ? raw.length : end));
      if (end === -1) return { fields, starts, openedAt: null, strayAt: null };
      at = end + delimiter.length;
      continue;
    }
    const openedAt = at;
    let text = '';
    let from = at + 1;
    for (;;) {
      const quote = raw.indexOf('"', from);
      if (quote === -1) return { fields, starts, openedAt, strayAt: null };
      text += raw.slice(from, quote);
      at = quote + 1;
      if (raw[at] !== '"') break;
      text += '"';
      from = at + 1;
    }
    fields.push(text);
    if (at === raw.length) return { fields, starts, openedAt: null, strayAt: null };
    if (!raw.startsWith(delimiter, at)) return { fields, starts, openedAt: null, strayAt: at };
    at += delimiter.length;
  }
}

/** One entry of a list of utterances or speakers, whatever the file's format. */
export interface Row {
  /** Line in the file on which it begins, from 1. */
  readonly line: number;
  /** Names of its fields, in the file's order. */
  readonly names: readonly string[];
  /** The name of the field at a place, from 1, of all that the file has; undefined where there is none. */
  nameAt(place: number): string | undefined;
  /** The text of a field; undefined where the row has none (no such field, or JSON null). */
  text(name: string): string | undefined;
  /** The texts of a field that is a list; undefined where it is not. */
  list(name: string): readonly string[] | undefined;
  /** What stands in a field of JSON, whatever it is; undefined elsewhere. */
  value(name: string): unknown;
  /** Its texts are words alone, as scoring programs print them: `nan` among them was said. */
  readonly isOfReport?: true;
  /** `file:line:column` of a field, or of the row, for errors. */
  place(name?: string): string;
  /** `file:line:column` where the names of its fields stand: of a table its first line, of JSON the row. */
  namesPlace(): string;
}
