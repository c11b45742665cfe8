import { studentQuantile } from '../distributions/student-t.ts';

/**
 * How far out on the scale of normal deviates the ends of a bootstrap interval are taken when there are few units.
 *
 * Plain bootstrap intervals are too short then: the spread of the replicates is that of a variance with divisor n, and
 * normal deviates take it for known. T. Hesterberg, "What teachers should know about the bootstrap", The American
 * Statistician 69 (2015), section "Skewed data and small samples", expands the levels: normal deviates are replaced by t
 * deviates times the square root of n/(n-1). Here, for units of unequal size and weight, that root becomes the jackknife
 * standard error over the spread of the replicates, and the degrees of freedom are the smaller of two:
 * - L. Kish's effective number of units (sum of sizes)^2 / (sum of squared sizes), minus 1 ("Survey sampling", 1965)
 * - F. Satterthwaite's 2 / (squared coefficient of variation of the variance) (Biometrics Bulletin 2, 1946), which by the
 *   fourth moment of the jackknife values is 2 n / (kurtosis - 1)
 *
 * @param effectiveUnits Kish's number
 */
export function expandedDeviate(
  sortedReplicates: Float64Array,
  leaveOneOut: Float64Array,
  effectiveUnits: number,
  level: number,
): number {
  const units = leaveOneOut.length;
  const spread = moments(leaveOneOut);
  const replicates = moments(sortedReplicates);
  const bySize = effectiveUnits - 1;
  const byKurtosis = (2 * units) / ((units * spread.fourths) / spread.squares ** 2 - 1);
  const degreesOfFreedom = Math.max(1, Math.min(bySize, byKurtosis));
  const jackknifeError = Math.sqrt((spread.squares * (units - 1)) / units);
  const bootstrapError = Math.sqrt(replicates.squares / sortedReplicates.length);
  const deviate = studentQuantile((1 + level) / 2, degreesOfFreedom) * (jackknifeError / bootstrapError);
  // No spread at all: every quantile is the same.
  return Number.isFinite(deviate) ? deviate : 0;
}

/** Sums of squared and of fourth powers of the distances from the mean. */
function moments(values: Float64Array): { squares: number; fourths: number } {
  let mean = 0;
  for (const value of values) mean += value / values.length;
  let squares = 0;
  let fourths = 0;
  for (const value of values) {
    const square = (value - mean) ** 2;
    squares += square;
    fourths += square * square;
  }
  return { squares, fourths };
}
