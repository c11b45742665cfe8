import { isComparison } from './comparison.ts';
import type { Comparison, Estimate, Finding, Table } from './finding.ts';
import type { ChosenRows } from './scores.ts';

/** A row of a table, by the keys of its columns. */
export type Row = Table['rows'][number];

/**
 * The rows of a table of a finding, whichever section it stands in; none where it has no such table.
 *
 * @example rowsOf(finding, 'hallucination-conditions').map((row) => estimateAt(row, 'pace').value)
 */
export function rowsOf({ sections }: Pick<Finding, 'sections'>, table: string): readonly Row[] {
  return sections.flatMap(({ tables }) => tables ?? []).find(({ id }) => id === table)?.rows ?? [];
}

/** The rows of a table that a part of a finding's first table is made of. */
export function chosenRowsOf(finding: Pick<Finding, 'sections'>, { table, where = {} }: ChosenRows): readonly Row[] {
  return rowsOf(finding, table).filter((row) => Object.entries(where).every(([key, value]) => row[key] === value));
}

/** @throws TypeError where the cell is no text: the table is not what it is taken for */
export function textAt(row: Row, key: string): string {
  const cell = row[key];
  if (typeof cell !== 'string')
    throw new TypeError(`expected a text in the column ${key}, but got ${JSON.stringify(cell)}`);
  return cell;
}

/** @throws TypeError where the cell is no estimate: the table is not what it is taken for */
export function estimateAt(row: Row, key: string): Estimate {
  const cell = row[key];
  if (typeof cell === 'object' && cell !== null && 'n' in cell) return cell;
  throw new TypeError(`expected an estimate in the column ${key}, but got ${JSON.stringify(cell)}`);
}

/** @throws TypeError where the cell is no comparison: the table is not what it is taken for */
export function comparisonAt(row: Row, key: string): Comparison {
  const cell = row[key];
  if (isComparison(cell)) return cell;
  throw new TypeError(`expected a comparison in the column ${key}, but got ${JSON.stringify(cell)}`);
}

/** @throws TypeError where the cell is no number: the table is not what it is taken for */
export function numberAt(row: Row, key: string): number {
  const cell = row[key];
  if (typeof cell !== 'number')
    throw new TypeError(`expected a number in the column ${key}, but got ${JSON.stringify(cell)}`);
  return cell;
}
