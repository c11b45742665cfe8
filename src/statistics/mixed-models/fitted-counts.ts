import { printable } from '../../base/printable.ts';
import type { CountRows } from './count-data.ts';
import type { CountModel } from './count-objective.ts';
import type { CountFit } from './fit-counts.ts';
import type { LikelihoodRatioReference } from './likelihood-ratio-reference.ts';
import type { PreparedCounts } from './prepare-counts.ts';

/** How a count regression is made. */
export interface CountMethod extends CountModel {
  readonly name: string;
  /** `expected`: standard errors with theta held, as MASS; `observed`: with theta estimated too, as statsmodels. */
  readonly information: 'observed' | 'expected';
}

/** A fitted model, with what its tests and intervals need. */
export interface FittedCounts {
  readonly prepared: PreparedCounts;
  readonly method: CountMethod;
  readonly separated: SeparatedLevels;
  /** Without the rows of separated levels. */
  readonly rows: CountRows;
  /** The columns that were fitted, as places in the design. */
  readonly places: readonly number[];
  /** These, made orthonormal. */
  readonly columns: readonly Float64Array[];
  readonly triangle: Float64Array;
  readonly fit: CountFit;
  /** What a likelihood ratio of each column of the design is held against; a sentence where nothing can be. */
  readonly references: readonly (LikelihoodRatioReference | string)[];
}

/** Columns of the design, by their places, over the rows that `keep` takes. */
export function columnsOver(
  prepared: PreparedCounts,
  places: readonly number[],
  keep: (row: number) => boolean,
): Float64Array[] {
  return places.map((place) => prepared.design.columns[place]!.values.filter((_, row) => keep(row)));
}

/** Levels of factors without a single error: their rate is estimated as 0, its logarithm as minus infinity. */
interface SeparatedLevels {
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
