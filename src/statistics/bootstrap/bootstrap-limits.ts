import { normalCdf, normalQuantile } from '../distributions/normal.ts';
import { quantileSorted } from '../quantile.ts';

/** By how much the ends of a bootstrap interval are moved. */
export interface BootstrapCorrection {
  /** On the scale of normal deviates, 0 where half the replicates lie below the estimate. */
  readonly bias: number;
  /** Change of the standard error with the estimate, 0 for none. */
  readonly acceleration: number;
}

/** The percentile interval: nothing is moved. */
export const noCorrection: BootstrapCorrection = { bias: 0, acceleration: 0 };

/**
 * What the BCa interval corrects: B. Efron, "Better bootstrap confidence intervals", J. American Statistical Association 82
 * (1987). As in scipy, replicates equal to the estimate count half, and the acceleration comes from the jackknife (0 where
 * all values without one unit agree).
 *
 * @param sortedReplicates the estimates from the resamples, in rising order
 * @param leaveOneOut the estimates without each unit in turn, for each group that is resampled apart
 */
export function bcaCorrection(
  sortedReplicates: Float64Array,
  estimate: number,
  ...leaveOneOut: readonly Float64Array[]
): BootstrapCorrection {
  const count = sortedReplicates.length;
  // Sums of the same units in another order may differ in the last digits.
  const tolerance = 1e-12 * Math.max(Math.abs(estimate), sortedReplicates[count - 1]! - sortedReplicates[0]!);
  let below = 0;
  let equal = 0;
  for (const replicate of sortedReplicates) {
    if (Math.abs(replicate - estimate) <= tolerance) equal++;
    else if (replicate < estimate) below++;
  }
  // Half a replicate away from 0 and 1, where the normal quantile is infinite.
  const share = Math.min(count - 0.5, Math.max(0.5, below + equal / 2)) / count;

  return { bias: normalQuantile(share), acceleration: acceleration(leaveOneOut) ?? 0 };
}

/**
 * The acceleration of BCa by the jackknife, over groups that are resampled apart as in scipy; null where it is 0/0: all
 * estimates without one unit agree.
 */
export function acceleration(leaveOneOut: readonly Float64Array[]): number | null {
  let squares = 0;
  let cubes = 0;
  for (const values of leaveOneOut) {
    const units = values.length;
    let mean = 0;
    for (const value of values) mean += value / units;
    let groupSquares = 0;
    let groupCubes = 0;
    let furthest = 0;
    for (const value of values) {
      groupSquares += (mean - value) ** 2;
      groupCubes += (mean - value) ** 3;
      furthest = Math.max(furthest, Math.abs(mean - value));
    }
    // The mean of equal values may differ from them in the last digits.
    if (furthest <= 1e-14 * Math.abs(mean)) continue;
    // Influences are units - 1 times as large as distances; their squares are averaged twice over the units, cubes thrice.
    squares += (groupSquares * (units - 1) ** 2) / units ** 2;
    cubes += (groupCubes * (units - 1) ** 3) / units ** 3;
  }
  return squares > 0 ? cubes / (6 * squares ** 1.5) : null;
}

/**
 * The ends of a bootstrap interval, as quantiles of type 7 of the replicates.
 *
 * @param deviate how far out on the scale of normal deviates: the normal quantile of (1 + level) / 2, or a greater one
 */
export function bootstrapLimits(
  sortedReplicates: Float64Array,
  deviate: number,
  correction: BootstrapCorrection,
): { readonly low: number; readonly high: number } {
  const limit = (signed: number) => {
    const moved = correction.bias + signed;
    const shrink = 1 - correction.acceleration * moved;
    // Beyond its pole the formula turns back; the end of the replicates is meant.
    const probability = shrink > 0 ? normalCdf(correction.bias + moved / shrink) : moved > 0 ? 1 : 0;
    return quantileSorted(sortedReplicates, probability);
  };
  return { low: limit(-deviate), high: limit(deviate) };
}
