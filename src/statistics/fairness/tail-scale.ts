import { normalQuantile } from '../distributions/normal.ts';
import { quantileSorted } from '../quantile.ts';

const near = 0.9;
const far = 0.995;

/**
 * Brings a statistic to a scale on which its tails are about as long as those of a standard normal variable, each side by
 * itself: the 90 % and the 99.5 % point are put where the normal ones are, and what lies beyond goes on in a straight line.
 * Statistics of few and of many units, or of skewed values, can then be compared in one maximum, which would otherwise be that
 * of the longest tail alone (balance after R. Beran, J. American Statistical Association 83, 1988).
 *
 * @param sorted values under the hypothesis, in rising order; they are kept by nobody
 * @returns what is put in: larger is more extreme, whichever the side. Where the values tell no tail, the distance from 0
 */
export function tailScale(sorted: Float64Array): (statistic: number) => number {
  const high = sideOf(quantileSorted(sorted, near), quantileSorted(sorted, far));
  const low = sideOf(-quantileSorted(sorted, 1 - near), -quantileSorted(sorted, 1 - far));
  return (statistic) => Math.max(high(statistic), low(-statistic));
}

function sideOf(nearPoint: number, farPoint: number): (distance: number) => number {
  const slope = (normalQuantile(far) - normalQuantile(near)) / (farPoint - nearPoint);
  if (!Number.isFinite(slope) || !(slope > 0)) return (distance) => distance;
  const start = normalQuantile(near) - slope * nearPoint;
  return (distance) => start + slope * distance;
}
