import { parseJson } from '../../base/json.ts';
import { splitQuoted } from '../../system/delimited-rows.ts';

const maxRows = 2000;

/** A table whose first row may be names. */
export interface Table {
  readonly format: 'tsv' | 'csv' | 'jsonl';
  readonly delimiter: string | null;
  readonly quotes: 'csv' | 'literal' | null;
  /** The first row may be names; of JSON it is none. */
  readonly rows: readonly (readonly string[])[];
  /** Of JSON; null: the first row, or there are none. */
  readonly names: readonly string[] | null;
}

/** Rows with a mistake are told where the list is read; so many right ones show what it is. */
export const wholeShare = 0.8;

/**
 * The first rows of a table of any kind, by what stands in it: JSON lines, or lines that a delimiter divides into as many fields each.
 *
 * @returns null where it is none
 */
export function parseTable(text: string): Table | null {
  if (text.trim() === '' || text.includes('\0')) return null;
  return jsonTable(text) ?? delimitedTable(text);
}

function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, maxRows);
}

function jsonTable(text: string): Table | null {
  if (!text.trimStart().startsWith('{')) return null;
  const objects: Record<string, unknown>[] = [];
  for (const line of linesOf(text)) {
    try {
      const value = parseJson(line);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
      objects.push(value as Record<string, unknown>);
    } catch {
      return null;
    }
  }
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const textOf = (value: unknown) => (typeof value === 'object' || value === undefined ? '' : String(value));
  const rows = objects.map((object) => names.map((name) => textOf(object[name])));
  return names.length === 0 ? null : { format: 'jsonl', delimiter: null, quotes: null, rows, names };
}

/** The delimiter that divides nearly all lines into the same number of fields, the largest. */
function delimitedTable(text: string): Table | null {
  const lines = linesOf(text);
  const tables = [
    { format: 'tsv', delimiter: '\t', quotes: 'literal' },
    { format: 'csv', delimiter: ',', quotes: 'csv' },
    { format: 'csv', delimiter: ';', quotes: 'csv' },
    { format: 'csv', delimiter: '|', quotes: 'literal' },
  ] as const;
  let best: Table | null = null;
  for (const { format, delimiter, quotes } of tables) {
    const rows = quotes === 'csv' ? quotedRows(lines, delimiter) : lines.map((line) => line.split(delimiter));
    const width = rows?.[0]?.length ?? 0;
    const whole = rows?.filter((row) => row.length === width) ?? [];
    if (rows === null || width < 2 || whole.length < wholeShare * rows.length) continue;
    if (best === null || width > best.rows[0]!.length) best = { format, delimiter, quotes, rows: whole, names: null };
  }
  // A list of one column is a list of sounds alone.
  return best ?? { format: 'tsv', delimiter: '\t', quotes: 'literal', rows: lines.map((line) => [line]), names: null };
}

/** Null where a quote is never closed. */
function quotedRows(lines: readonly string[], delimiter: string): string[][] | null {
  const rows: string[][] = [];
  let open = '';
  for (const line of lines) {
    const raw = open === '' ? line : `${open}\n${line}`;
    const split = splitQuoted(raw, delimiter);
    if (split.strayAt !== null) return null;
    if (split.openedAt !== null) {
      open = raw;
      continue;
    }
    open = '';
    rows.push([...split.fields]);
  }
  return rows;
}
