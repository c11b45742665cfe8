import { designMatrix } from '../regression/design-matrix.ts';

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
