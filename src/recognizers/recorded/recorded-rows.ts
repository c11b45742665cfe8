import { hypothesisColumn, usualColumn } from '../../base/columns/roles.ts';
import { badConfig, badInput, type EarwitnessError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { printable } from '../../base/printable.ts';
import type { Row } from '../../system/delimited-rows.ts';
import { endingOf, readRows, rowFormatOf } from '../../system/read-rows.ts';
import type { RecordedOptions } from './options.ts';

/** What a row says. */
export interface RecordedRow {
  /** First line in its file, from 1. */
  readonly line: number;
  readonly utterance: string;
  /** Which channel of a recording, as it is written; null where nobody says. */
  readonly channel: string | null;
  /** Null where there is no such column. */
  readonly system: string | null;
  readonly condition: string;
  readonly repeat: number;
  readonly text: string | null;
  readonly error: string | null;
  /** As it stands in JSON; null where there is none. */
  readonly words: unknown;
  /** Who of several people wrote it; null where nobody says. */
  readonly listener: string | null;
  /** Whether somebody speaks of whom the listener could make out no word. */
  readonly unintelligible: boolean;
}

const roles = [
  'utterance',
  'channel',
  'system',
  'condition',
  'repeat',
  'text',
  'error',
  'words',
  'listener',
  'unintelligible',
] as const;
type Role = (typeof roles)[number];

/** The rows of the table that the options name, in any form in which tables are read. */
export async function* recordedRows(path: string, options: RecordedOptions): AsyncGenerator<RecordedRow> {
  const columnOf = columnFinder(options.columns);
  for await (const row of tableRows(path, options)) yield recordedRow(row, columnOf(row));
}

function tableRows(path: string, options: RecordedOptions): AsyncGenerator<Row> {
  const { format, delimiter } = options;
  formatOf(options);
  return readRows(path, options.file, { format, ...(delimiter !== undefined && { delimiter }) });
}

/** The columns of a table that people wrote. */
export const listening = ['listener', 'unintelligible'] as const;

/** Whether the table has one of these columns; false where its head cannot be read, which opening it tells. */
export async function hasColumn(
  path: string,
  options: RecordedOptions,
  columns: readonly ('listener' | 'unintelligible' | 'channel')[],
): Promise<boolean> {
  try {
    for await (const { names } of tableRows(path, options))
      return columns.some((column) => names.includes(options.columns[column] ?? column));
  } catch {
    // Said where it is opened.
  }
  return false;
}

/** What the options and the name of the file say of its form. */
export function formatOf({ file, format: wanted, delimiter, columns }: RecordedOptions): JsonObject {
  const format = wanted ?? (endingOf(file) === 'parquet' ? 'parquet' : rowFormatOf(file, 'set format'));
  const hasDelimiter = format === 'tsv' || format === 'csv';
  if (!hasDelimiter && delimiter !== undefined) throw badConfig('delimiter: JSON lines have none; leave it out');
  if (hasDelimiter && columns.words !== undefined) {
    throw badConfig('columns.words: only JSON lines can hold word times; leave it out');
  }
  return { format, delimiter: hasDelimiter ? (delimiter ?? (format === 'tsv' ? '\t' : ',')) : null };
}

/** `path`: of the sound, which names the utterance where nothing else does. */
type Columns = Readonly<Partial<Record<Role | 'path', string>>>;

/** Columns by the names that are there: the same for each row of a table, while JSON objects may differ. */
function columnFinder(wanted: RecordedOptions['columns']): (row: Row) => Columns {
  const known = new Map<string, Columns>();
  let last: { readonly names: readonly string[]; readonly columns: Columns } | null = null;
  return (row) => {
    if (row.names === last?.names) return last.columns;
    const key = JSON.stringify(row.names);
    const columns = known.get(key) ?? columnsOf(row, wanted);
    if (known.size < 100) known.set(key, columns);
    last = { names: row.names, columns };
    return columns;
  };
}

function columnsOf(row: Row, wanted: RecordedOptions['columns']): Columns {
  const found: Partial<Record<Role | 'path', string>> = {};
  for (const role of roles) {
    const name =
      wanted[role] ??
      (role === 'text' ? hypothesisColumn(row.names) : usualColumn(row.names, role === 'utterance' ? 'id' : role));
    if (name !== undefined && row.names.includes(name)) found[role] = name;
  }
  const path =
    found.utterance === undefined && wanted.utterance === undefined ? usualColumn(row.names, 'path') : undefined;
  if (path !== undefined) found.path = path;
  // A failure needs no text.
  const needed = [
    ...(path === undefined ? (['utterance'] as const) : []),
    ...(found.error === undefined ? ['text'] : []),
  ] as const;
  for (const role of roles) {
    // Of objects some may lack what others have.
    const isNeeded = needed.includes(role) || (wanted[role] !== undefined && row.value(row.names[0]!) === undefined);
    if (isNeeded && found[role] === undefined) throw missingColumn(row, role, wanted[role]);
  }
  return found;
}

const told = {
  utterance: 'utterance, utterance_id, utt, id, or the path of its audio',
  text: 'text, transcript, hypothesis or hyp',
} as const;

function missingColumn(row: Row, role: Role, wanted: string | undefined): EarwitnessError {
  const expected = wanted === undefined ? told[role as keyof typeof told] : JSON.stringify(printable(wanted, 60));
  const near = nearestName(wanted ?? role, row.names);
  const found = row.names
    .slice(0, 12)
    .map((name) => printable(name, 40))
    .join(', ');
  const hint = near === null ? 'name it in columns' : `did you mean "${printable(near, 60)}"?`;
  return bad(row.namesPlace(), `expected a column for the ${role} (${expected}), but found ${found}; ${hint}`);
}

function recordedRow(row: Row, columns: Columns): RecordedRow {
  const cell = (role: Role) => (columns[role] === undefined ? undefined : row.text(columns[role]));
  const name = (role: Role) => cell(role)?.trim() || null;
  const fail = (role: Role, problem: string) => bad(row.place(columns[role]), problem);
  const sound = columns.path === undefined ? undefined : row.text(columns.path);
  // As a manifest names it.
  const utterance = sound?.replace(/(?<=[^/\\])\.[A-Za-z0-9]{1,5}$/, '') ?? cell('utterance');
  if (utterance === undefined || utterance === '')
    throw fail('utterance', 'expected the id of an utterance, but the field is empty; fill it in');
  const error = cell('error') || null;
  const text = cell('text') ?? null;
  if (text === null && error === null)
    throw fail('text', 'expected a transcript, empty where nothing was recognized, but there is none; write it');
  const repeat = cell('repeat') || '0';
  if (!/^\d{1,9}$/.test(repeat.trim())) throw fail('repeat', 'expected the number of a repeat, a whole number from 0');
  const unintelligible = unintelligibleOf(cell('unintelligible') ?? '', error === null ? text : null);
  if (unintelligible === null)
    throw fail('unintelligible', 'expected yes or nothing, where yes stands beside an empty text');
  return {
    line: row.line,
    utterance,
    channel: name('channel'),
    system: cell('system') ?? null,
    condition: cell('condition') || 'clean',
    repeat: Number(repeat),
    text,
    error,
    words: (columns.words === undefined ? undefined : row.value(columns.words)) ?? null,
    listener: cell('listener') || null,
    unintelligible,
  };
}

const yes = ['yes', 'true', '1'];
const no = ['', 'no', 'false', '0'];

/** Null where it is neither, or where there are words all the same. */
function unintelligibleOf(value: string, text: string | null): boolean | null {
  const said = value.trim().toLowerCase();
  if (yes.includes(said)) return text === null || text === '' ? true : null;
  return no.includes(said) ? false : null;
}

function bad(place: string, problem: string): EarwitnessError {
  return badInput(`${place}: ${problem}`);
}
