import type { CountModel } from './count-objective.ts';
import type { CountRows } from './count-rows.ts';
import type { CountFit } from './fit-counts.ts';
import type { LikelihoodRatioReference } from './likelihood-ratio-reference.ts';
import type { PreparedCounts } from './prepare-counts.ts';
import type { SeparatedLevels } from './separated-levels.ts';

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
