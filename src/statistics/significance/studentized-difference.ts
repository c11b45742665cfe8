/** How many clusters two groups have, and what their columns add up to together (`regroupingTable`). */
export interface RegroupedTotals {
  readonly sizes: readonly [number, number];
  readonly sums: Float64Array;
}

/** Columns of the table that clusters are dealt from. */
export const regroupingColumns = 5;

/**
 * For each cluster what its numerator is above the pooled rate's, its denominator, and their squares and product. Measured
 * from the pooled rate, differences of rates are the same and lose no digits.
 *
 * @param pooled all numerators over all denominators
 */
export function regroupingTable(
  numerators: Float64Array,
  denominators: Float64Array,
  pooled: number,
): Float64Array<ArrayBuffer> {
  const table = new Float64Array(regroupingColumns * numerators.length);
  for (let unit = 0; unit < numerators.length; unit++) {
    const denominator = denominators[unit]!;
    const centred = numerators[unit]! - pooled * denominator;
    table.set(
      [centred, denominator, centred * centred, centred * denominator, denominator ** 2],
      regroupingColumns * unit,
    );
  }
  return table;
}

/** The first group's rate minus the second's; null where one of them has nothing to divide by. */
export function differenceOfRates(first: Float64Array, { sums }: RegroupedTotals): number | null {
  const [numerator, denominator] = [first[0]!, first[1]!];
  const rest = sums[1]! - denominator;
  return denominator > 0 && rest > 0 ? numerator / denominator - (sums[0]! - numerator) / rest : null;
}

/** A difference of two pooled rates with what Welch's t test needs to know of it. */
export interface WelchParts {
  readonly difference: number;
  /** 0 where no group varies within. */
  readonly variance: number;
  readonly degreesOfFreedom: number;
}

/**
 * The difference of two pooled rates, each group's spread being its own; null where one of them has nothing to divide by. The
 * variance of a pooled rate is the usual one of a ratio (W. Cochran, "Sampling techniques", 3rd edition, formula 2.46).
 */
export function welchParts(first: Float64Array, { sizes, sums }: RegroupedTotals): WelchParts | null {
  const difference = differenceOfRates(first, { sizes, sums });
  if (difference === null) return null;
  const [one, other] = sizes;
  const negligible = 1e-12 * sums[2]!;
  const variance = groupVariance(one, first[0]!, first[1]!, first[2]!, first[3]!, first[4]!, negligible);
  const otherVariance = groupVariance(
    other,
    sums[0]! - first[0]!,
    sums[1]! - first[1]!,
    sums[2]! - first[2]!,
    sums[3]! - first[3]!,
    sums[4]! - first[4]!,
    negligible,
  );
  const both = variance + otherVariance;
  const degreesOfFreedom = both ** 2 / (variance ** 2 / (one - 1) + otherVariance ** 2 / (other - 1));
  return { difference, variance: both, degreesOfFreedom };
}

/**
 * The difference of two pooled rates in standard errors, on the scale of a standard normal variable: Welch's t with its
 * degrees of freedom, as `onNormalScale` has it.
 *
 * Infinite where rates differ and no group varies within; 0 where they are equal then.
 */
export function studentizedDifference(first: Float64Array, totals: RegroupedTotals): number | null {
  const parts = welchParts(first, totals);
  return parts === null ? null : studentizedParts(parts, totals);
}

/** `studentizedDifference` of parts that are known. */
export function studentizedParts(
  { difference, variance, degreesOfFreedom }: WelchParts,
  totals: RegroupedTotals,
): number {
  if (variance === 0) return withoutSpread(difference, totals);
  return onNormalScale(difference / Math.sqrt(variance), degreesOfFreedom);
}

/** A difference in standard errors where there are none: infinite, or 0 where nothing differs but by rounding. */
function withoutSpread(difference: number, { sums }: RegroupedTotals): number {
  return Math.abs(difference) * sums[1]! <= 1e-6 * Math.sqrt(sums[2]!) ? 0 : difference / 0;
}

/**
 * A t brought to the scale of a standard normal variable: D. Wallace's approximation ("Bounds on normal approximations to
 * Student's and the chi-square distributions", Annals of Mathematical Statistics 30, 1959).
 */
export function onNormalScale(t: number, degreesOfFreedom: number): number {
  const squared = degreesOfFreedom * Math.log1p(t ** 2 / degreesOfFreedom);
  return (Math.sign(t) * Math.sqrt(squared) * (8 * degreesOfFreedom + 1)) / (8 * degreesOfFreedom + 3);
}

/** The t that `onNormalScale` brings there. */
export function fromNormalScale(deviate: number, degreesOfFreedom: number): number {
  const own = (deviate * (8 * degreesOfFreedom + 3)) / (8 * degreesOfFreedom + 1);
  return Math.sign(deviate) * Math.sqrt(degreesOfFreedom * Math.expm1(own ** 2 / degreesOfFreedom));
}

/** Of a group's pooled rate (Cochran, formula 2.46); 0 where nothing but rounding is left. */
export function groupVariance(
  clusters: number,
  numerator: number,
  denominator: number,
  squares: number,
  products: number,
  squaredDenominators: number,
  negligible: number,
): number {
  const rate = numerator / denominator;
  const residuals = squares - 2 * rate * products + rate * rate * squaredDenominators;
  return residuals <= negligible ? 0 : (residuals * clusters) / (clusters - 1) / (denominator * denominator);
}

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
interface UnskewedParts extends WelchParts {
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
