import { normalQuantile, studentQuantile } from '../distributions.ts';
import { quantileInPlace } from '../quantile.ts';
import type { Spread } from './cluster-spread.ts';

/**
 * Half the length of a symmetric bootstrap interval: so far are the replicates from the estimate in `level` of the
 * resamples, on either side (P. Hall, "On symmetric bootstrap confidence intervals", J. Royal Statistical Society B 50,
 * 1988: errors of the two ends cancel to a great part).
 *
 * Replicates of few units lie too near to the estimate: their spread has the divisor n, and it is itself only an estimate.
 * So the length is stretched by the standard error over the spread of the replicates, and by the t over the normal
 * deviate, as T. Hesterberg does with the levels of percentiles ("What teachers should know about the bootstrap", The
 * American Statistician 69, 2015). Where that many replicates are infinitely far, the bootstrap knows no shape, and the
 * length is that of a t interval.
 *
 * @param distances of the replicates from the estimate, signed; may be infinite. They are moved.
 */
export function symmetricHalfLength(distances: Float64Array, level: number, spread: Spread): number {
  const standardError = Math.sqrt(spread.variance);
  const student = studentQuantile((1 + level) / 2, spread.degreesOfFreedom);
  let count = 0;
  let sum = 0;
  for (const distance of distances) {
    if (!Number.isFinite(distance)) continue;
    count++;
    sum += distance;
  }
  let squares = 0;
  for (let place = 0; place < distances.length; place++) {
    const distance = distances[place]!;
    if (Number.isFinite(distance)) squares += (distance - sum / count) ** 2;
    distances[place] = Math.abs(distance);
  }
  const normalLength = normalQuantile((1 + level) / 2) * Math.sqrt(squares / count);
  const shape = quantileInPlace(distances, level) / normalLength;
  return student * standardError * (Number.isFinite(shape) ? shape : 1);
}
