import type { Reason } from '../../model/reason.ts';
import { designMatrix, orthonormalColumns } from '../regression/design-matrix.ts';

/** Something that may differ between groups and that errors may depend on: one value for each row. */
export interface Cause {
  /** Unique among the causes. */
  readonly name: string;
  /** What it belongs to (`recording`, `delivery`, `text`): parts of one kind are also given as a sum. */
  readonly kind: string;
  /** Numbers, or names of things such as devices. */
  readonly values: readonly string[] | ArrayLike<number>;
}

/** A cause as columns of a design matrix. */
export interface CauseColumns {
  readonly cause: Cause;
  readonly columns: readonly Float64Array[];
}

/**
 * Columns of a cause: one for each name but the first, or for numbers one of mean 0 and spread 1, and where `bent` a second
 * that bends it: a natural cubic spline with knots at the quantiles .1, .5 and .9 (F. Harrell, "Regression Modeling Strategies",
 * 2015, section 2.4.5). None where the cause is the same everywhere.
 *
 * @throws RangeError for numbers that are not finite
 */
export function causeColumns(cause: Cause, bent: boolean): CauseColumns {
  const raw = designMatrix({ [cause.name]: cause.values }).columns.slice(1);
  const columns = raw.flatMap(({ values, level }) => {
    const straight = standardized(values);
    if (straight === null || level !== undefined || !bent) return straight ?? [];
    return [straight, bend(straight) ?? []].flat();
  });
  return { cause, columns };
}

/** Null where all values are the same but for rounding. */
function standardized(values: Float64Array): Float64Array | null {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const spread = Math.sqrt(squares / values.length);
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return spread > 1e-9 * largest ? values.map((value) => (value - mean) / spread) : null;
}

/** The part of a spline that is no straight line; null where the knots fall together. */
function bend(values: Float64Array): Float64Array | null {
  const sorted = values.slice().sort();
  const [low, middle, high] = [0.1, 0.5, 0.9].map((share) => sorted[Math.round(share * (sorted.length - 1))]!);
  const span = high! - low!;
  if (!(middle! > low!) || !(high! > middle!)) return null;
  const cube = (distance: number) => Math.max(0, distance) ** 3;
  return standardized(
    values.map(
      (value) =>
        (cube(value - low!) -
          (cube(value - middle!) * (high! - low!)) / (high! - middle!) +
          (cube(value - high!) * (middle! - low!)) / (high! - middle!)) /
        span ** 2,
    ),
  );
}

/** Causes whose parts can be told from the group and from each other, and why the rest cannot. */
export interface SeparableCauses {
  readonly kept: readonly CauseColumns[];
  readonly left: readonly { readonly cause: Cause; readonly why: Inseparable; readonly reason: Reason }[];
  /** The share of the variance of the group that the kept causes explain together, from 0 to 1. */
  readonly groupShare: number;
}

/** What a cause that has no part of its own cannot be told from. */
type Inseparable = 'constant' | 'group' | 'other causes';

/**
 * From here on a cause says too much of what others or the group say: a variance inflation of 10, where regressions are
 * commonly taken to be collinear (M. Kutner and others, "Applied Linear Statistical Models", 2005, section 10.5).
 */
export const maxShared = 0.9;

/**
 * Goes through the causes in their order. One that (nearly) tells the groups apart by itself cannot be told from the group: a
 * device that one group alone used. One that follows from those before it says the same as they do, and its part is in theirs.
 *
 * @param inGroup 1 or 0 for each row
 */
export function separableCauses(causes: readonly Cause[], inGroup: Float64Array, bent: boolean): SeparableCauses {
  const constant = new Float64Array(inGroup.length).fill(1);
  const kept: CauseColumns[] = [];
  const left: { readonly cause: Cause; readonly why: Inseparable; readonly reason: Reason }[] = [];
  for (const cause of causes) {
    const own = causeColumns(cause, bent);
    const earlier = [constant, ...kept.flatMap(({ columns }) => columns)];
    if (own.columns.length === 0) {
      left.push({ cause, why: 'constant', reason: { code: 'cause-of-all' } });
    } else if (sharedWith(inGroup, [constant, ...own.columns]) >= maxShared) {
      left.push({ cause, why: 'group', reason: { code: 'cause-is-group' } });
    } else if (own.columns.some((column) => sharedWith(column, earlier) >= maxShared)) {
      left.push({ cause, why: 'other causes', reason: { code: 'cause-in-others' } });
    } else {
      kept.push(own);
    }
  }
  const columns = kept.flatMap(({ columns: own }) => own);
  return { kept, left, groupShare: sharedWith(inGroup, [constant, ...columns]) };
}

/** Share of the variance of a column that others explain (R squared), the first of which is constant. */
function sharedWith(column: Float64Array, others: readonly Float64Array[]): number {
  const { columns, dependent } = orthonormalColumns(others, 1e-6);
  const rows = column.length;
  const mean = column.reduce((sum, value) => sum + value, 0) / rows;
  let [all, explained] = [0, 0];
  for (const value of column) all += (value - mean) ** 2 / rows;
  columns.forEach((other, place) => {
    if (place === 0 || dependent.includes(place)) return;
    let product = 0;
    for (let row = 0; row < rows; row++) product += other[row]! * column[row]!;
    explained += (product / rows) ** 2;
  });
  return all > 0 ? Math.min(1, explained / all) : 1;
}
