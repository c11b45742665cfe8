import { createReadStream } from 'node:fs';
import { EarwitnessError, messageOf } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { type DelimitedFormat, type Row, readDelimitedRows } from './delimited-rows.ts';
import { readTextLines, type TextLine } from './text-lines.ts';

/**
 * The rows of a file with one JSON object on each line. Numbers and booleans are read as their text, null as absent;
 * members that are objects have no text. Blank lines are passed over.
 *
 * @throws EarwitnessError `bad-input` with file, line and column: a line that is no JSON, or no object
 */
export async function* readJsonRows(lines: AsyncIterable<TextLine>, shownName: string): AsyncGenerator<Row> {
  for await (const line of lines) {
    if (line.text.trim() === '') continue;
    yield jsonRow(parseObject(line, shownName), line, shownName);
  }
}

function parseObject(line: TextLine, shownName: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = parseJson(line.text);
  } catch (error) {
    const column = Number(/position (\d+)/.exec(messageOf(error))?.[1] ?? line.text.length) + 1;
    throw new EarwitnessError(
      'bad-input',
      `${shownName}:${line.number}:${column}: expected one JSON object on the line, but it is not JSON from here on; correct it`,
      { cause: error },
    );
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const found = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;
    throw new EarwitnessError(
      'bad-input',
      `${shownName}:${line.number}:1: expected one JSON object on the line, but found ${found}; write the fields of each line in braces with their names`,
    );
  }
  if (Object.hasOwn(value, '__proto__')) {
    throw new EarwitnessError(
      'bad-input',
      `${shownName}:${line.number}:1: the member name "__proto__" cannot be used; rename it`,
    );
  }
  return value as Readonly<Record<string, unknown>>;
}

function jsonRow(object: Readonly<Record<string, unknown>>, line: TextLine, shownName: string): Row {
  return {
    namesPlace: () => `${shownName}:${line.number}:1`,
    line: line.number,
    names: Object.keys(object),
    text: (name) => (Object.hasOwn(object, name) ? scalarText(object[name]) : undefined),
    list(name) {
      const value = Object.hasOwn(object, name) ? object[name] : undefined;
      return Array.isArray(value) ? value.map(scalarText).filter((text) => text !== undefined) : undefined;
    },
    place(name) {
      const at = name === undefined ? -1 : line.text.indexOf(JSON.stringify(name));
      const before = line.text.slice(0, Math.max(at, 0)).split('\n');
      return `${shownName}:${line.number + before.length - 1}:${before.at(-1)!.length + 1}`;
    },
  };
}

function scalarText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

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
    new EarwitnessError(
      'bad-input',
      `${shownName}:${at}: expected a JSON list of objects, but ${what}; is it another file?`,
    );
  try {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
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
    throw new EarwitnessError(
      'bad-input',
      `${shownName}: expected a JSON file, but reading it failed: ${messageOf(error)}; check the path`,
      { cause: error },
    );
  }
  if (depth > 0) throw fail('it ends inside of one', startLine);
  if (!inList) throw fail('there is none', line);
}

export type RowFormat = 'tsv' | 'csv' | 'jsonl';

/**
 * The format that a file's name tells.
 *
 * @param advice what to do where it tells none
 * @throws EarwitnessError `bad-config`: the name tells none
 */
export function rowFormatOf(file: string, advice = 'give it another name'): RowFormat {
  const extension = /\.([^./\\]*)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  if (extension === 'tsv' || extension === 'tab') return 'tsv';
  if (extension === 'csv') return 'csv';
  // NeMo writes one JSON object on each line and names the file .json.
  if (extension === 'jsonl' || extension === 'ndjson' || extension === 'json') return 'jsonl';
  throw new EarwitnessError('bad-config', `${file}: expected a name that ends in .tsv, .csv or .jsonl; ${advice}`);
}

/** The rows of a file in one of the formats. TSV has no quotes (IANA text/tab-separated-values), CSV has (RFC 4180). */
export function readRows(
  file: string,
  shownName: string,
  format: RowFormat,
  changes: Partial<DelimitedFormat> = {},
): AsyncGenerator<Row> {
  const lines = readTextLines(file, shownName);
  if (format === 'jsonl') return readJsonRows(lines, shownName);
  const usual: DelimitedFormat =
    format === 'tsv' ? { delimiter: '\t', quotes: 'literal' } : { delimiter: ',', quotes: 'csv' };
  return readDelimitedRows(lines, shownName, { ...usual, ...changes });
}
