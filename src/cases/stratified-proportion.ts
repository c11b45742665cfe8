import { grouped } from '../base/number-format.ts';
import { cautiousFreedom } from '../statistics/bootstrap/cluster-spread.ts';
import { effectiveItems } from '../statistics/bootstrap/rate-interval.ts';
import { exactProportionInterval } from '../statistics/exact-intervals.ts';
import type { Interval } from '../statistics/interval.ts';

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
 * The interval is exact for as many independent items as these count for (`effectiveItems`): the variance is linearized, with what
 * shares a cluster summed, and each part's own share taken for that of all where only one of it was looked at. The least number is that
 * of clusters by their weights (L. Kish, "Survey sampling", 1965, section 11.7), or what the variance says where parts differ more
 * than that. That the population is finite is not used: the interval is a little too long. Parts of which nothing was looked at are left
 * out, and the reason says so.
 *
 * How often intervals of level .95 held the truth in 24 situations of 16 cells with 40 to 395 cases, 3 and 15 % hits, 10,000 simulations
 * each (standard error .002, bench/calibration/stratified-proportions.ts): .956 to .988 where each case has a text of its own; .968
 * to .999, and up to three times as long, where four share one.
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
  // The sum of the weights of all may be a hair less than 1.
  const alike = items.every(({ hit }) => hit === items[0]!.hit);
  const value = alike ? Number(items[0]!.hit) : items.reduce((sum, { weight, hit }) => sum + (hit ? weight : 0), 0);
  const clusters = new Map<string, { influence: number; weight: number }>();
  for (const { weight, hit, cluster, own } of items) {
    const before = clusters.get(cluster) ?? { influence: 0, weight: 0 };
    const influence = before.influence + weight * (Number(hit) - (own ?? value));
    clusters.set(cluster, { influence, weight: before.weight + weight });
  }
  const byWeights = 1 / [...clusters.values()].reduce((sum, { weight }) => sum + weight ** 2, 0);
  const correction = Math.sqrt(clusters.size / Math.max(1, clusters.size - 1));
  const influences = Float64Array.from(clusters.values(), ({ influence }) => correction * influence);
  const { variance, degreesOfFreedom } = cautiousFreedom(influences, byWeights);
  const varies = !alike && variance > 0;
  const effective = effectiveItems(
    {
      share: value,
      variance: varies ? variance : 0,
      degreesOfFreedom,
      items: items.length,
      clusters: varies ? Math.min(byWeights, (value * (1 - value)) / variance) : byWeights,
    },
    level,
  );
  const interval = exactProportionInterval(Math.min(1, value) * effective, effective, level);
  const left = strata.length - known.length;
  return {
    ...interval,
    value: Math.min(1, value),
    ...(left === 0 ? {} : { reason: { code: 'parts-left-out' as const, left, of: strata.length } }),
    method: `${interval.method}, for ${effective.toFixed(1)} independent items of ${grouped(items.length)} weighted ones`,
  };
}
