import { printable } from '../../base/printable.ts';
import type { PreparedCounts } from './prepare-counts.ts';

/** Levels of factors without a single error: their rate is estimated as 0, its logarithm as minus infinity. */
export interface SeparatedLevels {
  /** Columns of the design matrix. */
  readonly columns: ReadonlySet<number>;
  /** Whether a row is of none of these levels. */
  keep(row: number): boolean;
  /** Why there is no fit, if a reference level has no errors. */
  readonly reason?: string;
}

/**
 * Finds levels without errors. Rows of these fit perfectly whatever the rest of the model, so that the rest is fitted
 * without them.
 */
export function separatedLevels(prepared: PreparedCounts): SeparatedLevels {
  const { design, errors } = prepared;
  const columns = new Set<number>();
  let reason: string | undefined;
  for (const term of design.terms) {
    if (term.kind !== 'factor') continue;
    let levelErrors = 0;
    let allErrors = 0;
    for (const error of errors) allErrors += error;
    design.columns.forEach((column, index) => {
      if (column.term !== term.name) return;
      let own = 0;
      for (let row = 0; row < errors.length; row++) own += column.values[row]! * errors[row]!;
      levelErrors += own;
      if (own === 0) columns.add(index);
    });
    if (levelErrors === allErrors && term.levels!.length > 1) {
      reason = `no errors at the reference level ${printable(term.levels![0]!)} of ${printable(term.name)}, so that ratios to it do not exist; choose another reference`;
    }
  }
  const separated = [...columns].map((column) => design.columns[column]!.values);
  const keep = (row: number) => separated.every((values) => values[row] === 0);
  return reason === undefined ? { columns, keep } : { columns, keep, reason };
}
