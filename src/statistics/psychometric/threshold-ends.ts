import { findRoot } from '../optimization/find-root.ts';
import { weightedMean } from './curve-weights.ts';
import { jackknifeError } from './jackknife.ts';

/** In units of the range of levels. */
const tolerance = 1e-6;

/** The curves as they are weighed, with all answers and without those of each cluster in turn. */
export interface WeighedCurves {
  readonly weights: Float64Array;
  readonly leftOut: readonly Float64Array[];
}

/**
 * The levels at which the expected share is just so far from the target that it differs, as E. Fieller's interval for ratios
 * ("Some problems in interval estimation", Journal of the Royal Statistical Society B 16, 1954): longer where the
 * steepness is uncertain too, and not always symmetric.
 *
 * @param excessAt by curve, how far the share at a level is above the target
 * @param value where the mean of that is 0, from `hardest` to `mildest`
 * @param deviate how many standard errors make a difference
 * @returns null where one of them lies beyond the levels
 */
export function thresholdEnds(
  { weights, leftOut }: WeighedCurves,
  excessAt: (level: number) => Float64Array,
  { value, hardest, mildest }: { readonly value: number; readonly hardest: number; readonly mildest: number },
  deviate: number,
): { readonly low: number; readonly high: number } | null {
  const limitOfExcess = (side: 1 | -1) => (at: number) => {
    const excess = excessAt(at);
    const error = jackknifeError(leftOut.map((by) => weightedMean(by, excess)));
    return weightedMean(weights, excess) + side * deviate * error;
  };
  const [upper, lower] = [limitOfExcess(1), limitOfExcess(-1)];
  if (upper(hardest) > 0 || lower(mildest) < 0) return null;
  // A little beyond the value, which is a root within a tolerance itself: clusters that do not differ have no error at all.
  const near = tolerance * (mildest - hardest);
  return {
    low: findRoot(upper, hardest, Math.min(mildest, value + near), near),
    high: findRoot(lower, Math.max(hardest, value - near), mildest, near),
  };
}
