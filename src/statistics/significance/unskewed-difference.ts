import {
  fromNormalScale,
  onNormalScale,
  type RegroupedTotals,
  regroupingColumns,
  regroupingTable,
  type WelchParts,
  welchParts,
  withoutSpread,
} from './studentized-difference.ts';

/** Columns of `unskewedTable`. */
export const unskewedColumns = 9;

/** `regroupingTable`, and behind each cluster's columns the third powers of the same two and their products. */
export function unskewedTable(
  numerators: Float64Array,
  denominators: Float64Array,
  pooled: number,
): Float64Array<ArrayBuffer> {
  const narrow = regroupingTable(numerators, denominators, pooled);
  const table = new Float64Array(unskewedColumns * numerators.length);
  for (let unit = 0; unit < numerators.length; unit++) {
    const own = narrow.subarray(regroupingColumns * unit, regroupingColumns * (unit + 1));
    const [centred, denominator] = [own[0]!, own[1]!];
    table.set(own, unskewedColumns * unit);
    table.set(
      [centred ** 3, centred ** 2 * denominator, centred * denominator ** 2, denominator ** 3],
      unskewedColumns * unit + regroupingColumns,
    );
  }
  return table;
}

/** A difference of two pooled rates with what its transformation needs to know of it. */
export interface UnskewedParts extends WelchParts {
  /** Of the difference; 0 where no group varies within. */
  readonly skewness: number;
}

/** `welchParts`, and the skewness of the difference from the third cumulants of both groups. */
export function unskewedParts(first: Float64Array, totals: RegroupedTotals): UnskewedParts | null {
  const parts = welchParts(first, totals);
  if (parts === null) return null;
  if (parts.variance === 0) return { ...parts, skewness: 0 };
  const { sizes, sums } = totals;
  const third = thirdCumulant(sizes[0], first, null) - thirdCumulant(sizes[1], sums, first);
  return { ...parts, skewness: third / parts.variance ** 1.5 };
}

/**
 * The difference of two pooled rates in standard errors, its skewness removed: P. Hall's monotone transformation of a studentized
 * estimate ("On the removal of skewness by transformation", J. Royal Statistical Society B 54, 1992), with the third
 * cumulants of both groups, then on the scale of a standard normal variable.
 *
 * A few clusters that lose very much make a group's rate and its spread at once, and a sample without one of them shows too little
 * of both: its t is too far out on that side. What is seen of the skewness takes part of that back. A group of two has none to see.
 *
 * Infinite or 0 where no group varies within, as `studentizedDifference`.
 */
export function unskewedDifference(first: Float64Array, totals: RegroupedTotals): number | null {
  const parts = unskewedParts(first, totals);
  if (parts === null) return null;
  const { difference, variance, degreesOfFreedom, skewness } = parts;
  if (variance === 0) return withoutSpread(difference, totals);
  return withoutSkewness(difference / Math.sqrt(variance), skewness, degreesOfFreedom);
}

/** Hall's transformation of a t, on the scale of a standard normal variable. */
export function withoutSkewness(t: number, skewness: number, degreesOfFreedom: number): number {
  const third = (skewness * t) / 3;
  return onNormalScale(t * (1 + third + (third * third) / 3) + skewness / 6, degreesOfFreedom);
}

/** The difference that `unskewedDifference` would bring there, spread and skewness being what they are; infinite where there is no spread. */
export function differenceAtUnskewed(statistic: number, first: Float64Array, totals: RegroupedTotals): number {
  const { variance, degreesOfFreedom, skewness } = unskewedParts(first, totals)!;
  if (variance === 0) return Number.POSITIVE_INFINITY;
  const t = fromNormalScale(statistic, degreesOfFreedom);
  // t + s/3 t^2 + s^2/27 t^3 is ((1 + s t / 3)^3 - 1) / s.
  const skewed = skewness === 0 ? t : (3 / skewness) * (Math.cbrt(1 + skewness * (t - skewness / 6)) - 1);
  return skewed * Math.sqrt(variance);
}

/** Of the rate of what the sums hold less what the others hold, without bias where denominators are equal. */
export function thirdCumulant(clusters: number, sums: Float64Array, less: Float64Array | null): number {
  if (clusters < 3) return 0;
  const at = (column: number) => sums[column]! - (less === null ? 0 : less[column]!);
  const denominator = at(1);
  const rate = at(0) / denominator;
  const cubes = at(5) - 3 * rate * at(6) + 3 * rate ** 2 * at(7) - rate ** 3 * at(8);
  return (cubes / denominator ** 3) * (clusters ** 2 / ((clusters - 1) * (clusters - 2)));
}
