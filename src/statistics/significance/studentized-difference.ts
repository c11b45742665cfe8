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

/**
 * The difference of two pooled rates in standard errors, each group's spread being its own, on the scale of a standard
 * normal variable: Welch's t with its degrees of freedom, brought to that scale by D. Wallace's approximation ("Bounds on
 * normal approximations to Student's and the chi-square distributions", Annals of Mathematical Statistics 30, 1959). The
 * variance of a pooled rate is the usual one of a ratio (W. Cochran, "Sampling techniques", 3rd edition, formula 2.46).
 *
 * Infinite where rates differ and no group varies within; 0 where they are equal then.
 */
export function studentizedDifference(first: Float64Array, { sizes, sums }: RegroupedTotals): number | null {
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
  if (both === 0) return Math.abs(difference) * sums[1]! <= 1e-6 * Math.sqrt(sums[2]!) ? 0 : difference / 0;
  const degreesOfFreedom = both ** 2 / (variance ** 2 / (one - 1) + otherVariance ** 2 / (other - 1));
  const squared = degreesOfFreedom * Math.log1p(difference ** 2 / both / degreesOfFreedom);
  return (Math.sign(difference) * Math.sqrt(squared) * (8 * degreesOfFreedom + 1)) / (8 * degreesOfFreedom + 3);
}

function groupVariance(
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
