import { exactProportionInterval } from '../../../statistics/exact-proportion-interval.ts';
import type { Interval } from '../../../statistics/interval.ts';

/** A part of a population that was sampled by itself. */
export interface Stratum {
  /** How many it has, of which those of `hits` were looked at. */
  readonly size: number;
  readonly hits: readonly {
    readonly hit: boolean;
    /** What shares this is not independent: the text of a case. */
    readonly cluster: string;
  }[];
}

/**
 * The share of hits in a population whose parts were sampled by themselves, each weighted by its size: where small parts were given
 * more than their share (at least one each), the share among all that was looked at is not that of the population.
 *
 * The interval is exact for as many independent items as say as much (Korn and Graubard, Survey Methodology 24, 1998): the variance is
 * linearized, with what shares a cluster summed, and each part's own share taken for that of all where only one of it was looked at.
 * Where all or none are hits the number of items is that of the weights alone (L. Kish, "Survey sampling", 1965, section 11.7). That the
 * population is finite is not used: the interval is a little too long. Parts of which nothing was looked at are left out, and
 * the reason says so.
 *
 * @example stratifiedProportion([{ size: 90, hits: [{ hit: false, cluster: 'a' }] }, { size: 10, hits: [{ hit: true, cluster: 'b' }] }]).value // .1
 */
export function stratifiedProportion(strata: readonly Stratum[], level = 0.95): Interval {
  const known = strata.filter(({ hits }) => hits.length > 0);
  const total = known.reduce((sum, { size }) => sum + size, 0);
  const items = known.flatMap(({ size, hits }) => {
    const weight = size / total / hits.length;
    const share = hits.filter(({ hit }) => hit).length / hits.length;
    return hits.map(({ hit, cluster }) => ({ weight, hit, cluster, own: hits.length > 1 ? share : null }));
  });
  if (items.length === 0) return exactProportionInterval(0, 0, level);
  const value = items.reduce((sum, { weight, hit }) => sum + (hit ? weight : 0), 0);
  const clusters = new Map<string, number>();
  for (const { weight, hit, cluster, own } of items) {
    clusters.set(cluster, (clusters.get(cluster) ?? 0) + weight * (Number(hit) - (own ?? value)));
  }
  const squares = [...clusters.values()].reduce((sum, influence) => sum + influence ** 2, 0);
  const variance = (squares * clusters.size) / Math.max(1, clusters.size - 1);
  const byWeights = 1 / items.reduce((sum, { weight }) => sum + weight ** 2, 0);
  const bernoulli = value * (1 - value);
  // Asked of the hits: the sum of the weights of all may be a hair less than 1.
  const alike = items.every(({ hit }) => hit === items[0]!.hit);
  // More items than there are would be claimed where a part's hits are all alike by chance.
  const effective =
    !alike && variance > 0 && bernoulli > 0
      ? Math.min(items.length, bernoulli / variance)
      : Math.min(items.length, byWeights);
  const interval = exactProportionInterval(Math.min(1, value) * effective, effective, level);
  const left = strata.length - known.length;
  return {
    ...interval,
    value: Math.min(1, value),
    ...(left === 0 ? {} : { reason: `${left} of ${strata.length} parts are left out: nothing was looked at in them` }),
    method: `${interval.method}, for ${effective.toFixed(1)} independent items of ${items.length} weighted ones`,
  };
}
