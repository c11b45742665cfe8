import { usualRole } from '../../base/columns/roles.ts';
import type { Column } from '../../base/columns/texts.ts';
import type { Row } from '../../system/delimited-rows.ts';
import { readRows } from '../../system/read-rows.ts';
import type { TextFile } from './text-file.ts';

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
export async function openTable(file: TextFile, names?: readonly string[]): Promise<OpenTable> {
  const all = readRows(file.path ?? process.stdin, file.name, { ...(names !== undefined && { names }) });
  const first: Row[] = [];
  for (let next = await all.next(); !next.done; next = await all.next()) {
    first.push(next.value);
    if (first.length === rowsLookedAt) break;
  }
  const made = names === undefined && file.path !== null ? namesOfValues(first) : null;
  if (made !== null) {
    await all.return(undefined);
    return openTable(file, made);
  }
  async function* rows(): AsyncGenerator<Row> {
    yield* first;
    yield* all;
  }
  const found = [...new Set(first.flatMap((row) => row.names))].filter(
    (name) => !first.every((row) => isNested(row, name)),
  );
  const columns = found.map((name) => ({ name, values: first.map((row) => row.text(name) ?? '') }));
  return { file, first: first[0] ?? null, columns, rows, close: async () => void (await all.return(undefined)) };
}

/** What stands in objects and lists has no text of its own. */
function isNested(row: Row, name: string): boolean {
  const value = row.value(name);
  return typeof value === 'object' && value !== null && row.text(name) === undefined;
}

const soundPath = /\.(?:wav|flac|mp3|ogg|oga|opus|sph|aiff?|au|m4a|webm|mp4|aac|wma|amr)$/i;

/**
 * Names for the columns of a table that has none: its first line is called as nothing that is known, and has the name of an utterance (with a digit, as
 * the others below it, or the path of a sound). Null where it names its columns.
 */
function namesOfValues(rows: readonly Row[]): readonly string[] | null {
  const [first] = rows;
  if (first === undefined || first.namesPlace() === first.place()) return null;
  const { names } = first;
  if (names.length < 2 || names.some((name) => usualRole(name) !== undefined)) return null;
  const isName = (text: string) => soundPath.test(text) || /^\S*\d\S*$/.test(text);
  const id = names.find((name) => [name, ...rows.map((row) => row.text(name) ?? '')].every(isName));
  const others = names.filter((name) => name !== id);
  if (id === undefined || !others.some((name) => /\p{L}/u.test(name))) return null;
  return names.map((name, place) => (name === id ? 'id' : others.length === 1 ? 'text' : `column ${place + 1}`));
}
