import { select } from '../quantile.ts';
import { permutationPValue } from './permutation-result.ts';

/**
 * The share of arrangements whose statistic is as far from 0 as the observed one, on either side: the two-sided p value of a statistic
 * that is nearly symmetric. Where groups are not alike it holds its level better than twice the smaller side.
 *
 * @param distances of the statistic from 0 in each arrangement; infinite where there is none
 */
export function symmetricPValue(distances: ArrayLike<number>, observed: number, exact: boolean): number {
  let asFar = 0;
  for (let place = 0; place < distances.length; place++) if (distances[place]! >= observed) asFar++;
  return permutationPValue({ atMost: 0, atLeast: asFar }, distances.length, exact, 'greater');
}

/**
 * How far from 0 an observed statistic may be for `symmetricPValue` to be above 1 - level. Infinite where there are too few arrangements
 * for any to be rejected.
 */
export function farthestKept(distances: ArrayLike<number>, level: number, exact: boolean): number {
  // Among all arrangements the observed is one of them, to random ones it is added.
  const added = exact ? 0 : 1;
  const rejected = Math.floor((1 - level) * (distances.length + added) * (1 + 1e-12));
  if (rejected === 0) return Number.POSITIVE_INFINITY;
  const asFar = rejected - added;
  const moved = Float64Array.from(distances);
  select(moved, distances.length - 1 - asFar);
  return moved[distances.length - 1 - asFar]!;
}
