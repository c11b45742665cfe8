import { readFileSync, statSync } from 'node:fs';
import type { Column } from '../../base/columns/texts.ts';
import { parseJson } from '../../base/json.ts';
import { type Row, readDelimitedRows } from '../../system/delimited-rows.ts';
import { readJsonArray, readJsonRows } from '../../system/read-rows.ts';
import type { TextLine } from '../../system/text-lines.ts';
import { linesOf, type TextFile } from './text-file.ts';

/** A table whose first rows were looked at. */
export interface OpenTable {
  readonly file: TextFile;
  /** Null where there is no row. */
  readonly first: Row | null;
  /** Columns with what stands in the first rows. */
  readonly columns: readonly Column[];
  /** All rows, once. */
  rows(): AsyncGenerator<Row>;
  /** For who does not read it to its end. */
  close(): Promise<void>;
}

/** By so many rows columns are told apart. */
const rowsLookedAt = 300;

/** Opens a table and looks at its first rows. */
export async function openTable(file: TextFile): Promise<OpenTable> {
  const all = tableRows(file);
  const first: Row[] = [];
  for (let next = await all.next(); !next.done; next = await all.next()) {
    first.push(next.value);
    if (first.length === rowsLookedAt) break;
  }
  async function* rows(): AsyncGenerator<Row> {
    yield* first;
    yield* all;
  }
  const names = [...new Set(first.flatMap((row) => row.names))];
  const columns = names.map((name) => ({ name, values: first.map((row) => row.text(name) ?? '') }));
  return { file, first: first[0] ?? null, columns, rows, close: async () => void (await all.return(undefined)) };
}

/**
 * The rows of a table: JSON (an object on each line, or one list of them), TSV, or CSV with commas, semicolons or bars. What comes on
 * stdin tells its format by its first line.
 */
async function* tableRows(file: TextFile): AsyncGenerator<Row> {
  const ending = file.path === null ? '' : (/\.([^.]*)$/.exec(file.name)?.[1]?.toLowerCase() ?? '');
  const lines = linesOf(file);
  try {
    const before: TextLine[] = [];
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      before.push(next.value);
      if (next.value.text.trim() !== '') break;
    }
    const head = before.at(-1)?.text ?? '';
    async function* all(): AsyncGenerator<TextLine> {
      yield* before;
      yield* lines;
    }
    const whole = ending === 'json' ? rowsOfObject(file.path!) : null;
    const json = ending === '' ? /^\s*[{[]/.test(head) : ending.includes('json');
    if (whole !== null) {
      await lines.return(undefined);
      yield* readJsonRows(whole, file.name);
    } else if (json && file.path !== null && head.trimStart().startsWith('[')) {
      await lines.return(undefined);
      yield* readJsonRows(readJsonArray(file.path, file.name), file.name);
    } else if (json) {
      yield* readJsonRows(all(), file.name);
    } else if (ending === 'tsv' || ending === 'tab' || (ending === '' && head.includes('\t'))) {
      yield* readDelimitedRows(all(), file.name, { delimiter: '\t', quotes: 'literal' });
    } else {
      yield* readDelimitedRows(all(), file.name, { delimiter: delimiterOf(head), quotes: 'csv' });
    }
  } finally {
    // Where the first line is wrong, nobody has come to the others.
    await lines.return(undefined);
  }
}

/** Of a JSON file that is one object: its rows, each as a line. */
async function* linesOfRows(rows: readonly object[]): AsyncGenerator<TextLine> {
  for (const [place, row] of rows.entries()) yield { number: place + 1, text: JSON.stringify(row) };
}

const maxObjectBytes = 1 << 26;

/**
 * The rows of a JSON file that is one object: a list among its members (`results`), or columns as pandas writes them (lists, or members by row;
 * `columns` and `data`). Null where it is none of these.
 */
function rowsOfObject(path: string): AsyncGenerator<TextLine> | null {
  if (statSync(path).size > maxObjectBytes) return null;
  let value: unknown;
  try {
    value = parseJson(readFileSync(path, 'utf8').replace(/^\uFEFF/, ''));
  } catch {
    return null;
  }
  if (!isObject(value)) return null;
  const { columns, data } = value;
  if (Array.isArray(columns) && Array.isArray(data) && data.every(Array.isArray))
    return linesOfRows(data.map((row) => Object.fromEntries(columns.map((name, at) => [String(name), row[at]]))));
  const members = Object.values(value);
  const lists = members.filter((member) => Array.isArray(member) && member.length > 0 && member.every(isObject));
  if (lists.length === 1) return linesOfRows(lists[0] as readonly object[]);
  const areColumns = members.length > 1 && members.every((member) => Array.isArray(member) || isObject(member));
  const keys = areColumns ? Object.keys(members[0] as object) : [];
  const areAlike = members.every((member) => Object.keys(member as object).join() === keys.join());
  if (keys.length === 0 || !areAlike) return null;
  const named = Object.entries(value as Readonly<Record<string, Readonly<Record<string, unknown>>>>);
  return linesOfRows(keys.map((key) => Object.fromEntries(named.map(([name, cells]) => [name, cells[key]]))));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands most often between the names of columns; a comma where nothing does. */
function delimiterOf(head: string): string {
  const counts = [',', ';', '\t', '|'].map((one) => ({ one, count: head.split(one).length }));
  return counts.reduce((best, other) => (other.count > best.count ? other : best)).one;
}
