import { isCalled, usualRole } from '../../base/columns/roles.ts';
import { type Column, plainWords } from '../../base/columns/texts.ts';
import { firstOf } from '../../base/first-of.ts';
import { soundEnding } from '../../base/sound-endings.ts';
import type { Row } from '../../system/delimited-rows.ts';
import { readRows } from '../../system/read-rows.ts';
import { bytesOf, type TextFile } from './text-file.ts';

/** What the first rows of a table tell. */
export interface TableHead {
  readonly file: TextFile;
  /** Null where there is no row. */
  readonly first: Row | null;
  /** Names of its columns where its first line is a row; null: it names them itself. */
  readonly namesMade: readonly string[] | null;
  /** Columns with what stands in the first rows. */
  readonly columns: readonly Column[];
  /** What has a name and no text: lists and objects. */
  readonly nested: readonly string[];
  /** The line of a row that holds names of columns, where the first line does not. */
  readonly headLine: number | null;
  /** Said behind its name where a title stands above those of its columns. */
  readonly titled: readonly string[];
}

/** A table whose first rows were looked at. */
export interface OpenTable extends TableHead {
  /** All rows: as often as wanted where they are kept (`TextFile.isKept`), else once. */
  rows(): AsyncGenerator<Row>;
}

/** By so many rows columns are told apart. */
const rowsLookedAt = 300;

const opened = new WeakMap<TextFile, Promise<OpenTable>>();

/**
 * Opens a table and looks at its first rows, once, whoever asks. What is wrong in these, but for the very first, is told where all are read.
 *
 * @throws EarwitnessError `bad-input`: there is no first row, or it cannot be read
 */
export function openTable(file: TextFile): Promise<OpenTable> {
  const table = opened.get(file) ?? withRows(file);
  opened.set(file, table);
  return table;
}

async function withRows(file: TextFile): Promise<OpenTable> {
  const { head, all } = await begun(file);
  let kept: Promise<readonly Row[]> | null = null;
  async function* rows(): AsyncGenerator<Row> {
    if (kept !== null && !file.isKept) throw new Error(`${file.name} is read again, and its rows were not kept`);
    kept ??= file.isKept ? collected(all) : Promise.resolve([]);
    yield* await kept;
    yield* all;
  }
  return { ...head, rows };
}

/** All that comes. */
export async function collected<T>(all: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const one of all) found.push(one);
  return found;
}

/**
 * Looks at the first rows of a table that is not read.
 *
 * @throws EarwitnessError as `openTable`
 */
export async function lookAt(file: TextFile): Promise<TableHead> {
  const { head, rest } = await begun(file);
  await rest.return(undefined);
  return head;
}

async function begun(file: TextFile) {
  let made: readonly string[] | null = null;
  const names = (rows: readonly Row[]) => {
    made = namesMade(rows);
    return made;
  };
  const told: string[] = [];
  const titled = () => told.push('without the title above its columns');
  const rest = readRows(bytesOf(file), file.name, { names, titled });
  const { first, all } = await firstOf(rest, (_, count) => count === rowsLookedAt);
  const called = [...new Set(first.flatMap((row) => row.names))];
  const nested = called.filter((name) => first.every((row) => isNested(row, name)));
  const found = called.filter((name) => !nested.includes(name));
  const named = found.some(isName)
    ? undefined
    : first.find((row) => row.names.filter((name) => isName(row.text(name) ?? '')).length >= Math.min(2, found.length));
  const columns = found.map((name) => ({ name, values: first.map((row) => row.text(name) ?? '') }));
  const headLine = named?.line ?? null;
  const head: TableHead = { file, first: first[0] ?? null, namesMade: made, columns, nested, headLine, titled: told };
  return { head, all, rest };
}

/** Whether it is the very name that tables have for one of these. */
const isName = (text: string) =>
  (['id', 'path', 'speaker', 'reference', 'hypothesis'] as const).some((role) => isCalled(text, role));

/** What stands in objects and lists has no text of its own. */
function isNested(row: Row, name: string): boolean {
  const value = row.value(name);
  return typeof value === 'object' && value !== null && row.text(name) === undefined;
}

/**
 * Names for the columns of a table that has none: its first line is called as nothing that is known, and has the name of an utterance (with a digit, as
 * the others below it, or the path of a sound), or the same words twice. Null where it names its columns.
 *
 * @param rows of columns by their numbers
 */
function namesMade(rows: readonly Row[]): readonly string[] | null {
  const names = rows[0]?.names ?? [];
  const valuesOf = (name: string) => rows.map((row) => row.text(name)?.trim() ?? '');
  const head = names.map((name) => valuesOf(name)[0]!);
  if (head.some((value) => usualRole(value) !== undefined)) return null;
  const isSounds = (name: string) => valuesOf(name).every((value) => soundEnding.test(value));
  const isIds = (name: string) => valuesOf(name).every((value) => /^\S*\d\S*$/.test(value));
  const id = names.find(isSounds) ?? names.find(isIds);
  const others = names.filter((name) => name !== id);
  const isList = names.length === 1 && isSounds(names[0]!);
  const isNamed = id !== undefined && (isList || others.some((name) => /\p{L}/u.test(valuesOf(name)[0]!)));
  if (!isNamed && !haveCommonWords(head)) return null;
  return names.map((name) => (name === id ? 'id' : others.length === 1 ? 'text' : name));
}

/** Whether two texts are the same sentence but for some words, which no names of columns are. */
function haveCommonWords(texts: readonly string[]): boolean {
  const words = texts.map((text) => plainWords(text).split(' '));
  return words.some((said, place) =>
    words.slice(place + 1).some((heard) => {
      const common = new Set(said).intersection(new Set(heard)).size;
      return common >= minCommon && common * 2 > Math.max(said.length, heard.length);
    }),
  );
}

/** Of fewer words two names may have as many in common: `small model`, `large model`. */
const minCommon = 3;
