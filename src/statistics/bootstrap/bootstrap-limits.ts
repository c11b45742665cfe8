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
 * @param leaveOneOut the estimates without each unit in turn
 */
export function bcaCorrection(
  sortedReplicates: Float64Array,
  estimate: number,
  leaveOneOut: Float64Array,
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

  let mean = 0;
  for (const value of leaveOneOut) mean += value / leaveOneOut.length;
  let squares = 0;
  let cubes = 0;
  for (const value of leaveOneOut) {
    squares += (mean - value) ** 2;
    cubes += (mean - value) ** 3;
  }
  const scale = 6 * squares ** 1.5;
  return { bias: normalQuantile(share), acceleration: scale > 0 ? cubes / scale : 0 };
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
