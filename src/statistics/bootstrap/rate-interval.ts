import type { Interval } from '../interval.ts';
import { clusterBootstrap } from './cluster-bootstrap.ts';
import {
  type BootstrapOptions,
  type ClusteredCounts,
  clusterTable,
  isProportion,
  pooledRate,
} from './clustered-counts.ts';
import { clusteredProportion } from './clustered-proportion.ts';

export type { BootstrapOptions, ClusteredCounts } from './clustered-counts.ts';

/**
 * A pooled rate (all numerators over all denominators) with a confidence interval that respects clusters: whole speakers
 * are resampled, because the words of one speaker are not independent. Utterances as clusters give the interval of
 * independent utterances. See `clusterBootstrap` for the method and for how well it covers.
 *
 * Null with a reason: the value where nothing was counted or all denominators are 0; the interval with fewer clusters
 * than `minimumClusters`, with words so unequally spread that they count as fewer than half of that, or where every speaker
 * has the same rate (no errors at all, for instance): resamples cannot differ then, and an interval of no length would
 * claim what nobody knows. Proportions (`ClusteredCounts.proportion`) have the exact interval of `clusteredProportion` there
 * and everywhere, unless a plain method is asked for. More than 2,000 clusters are merged at random into 2,000.
 *
 * @throws RangeError for counts that are not finite, negative denominators, unequal lengths, impossible options
 * @example
 * const errors = Float64Array.of(3, 5, 1, 4, 0, 2, 6, 2, 9, 3, 4, 1);
 * const words = Float64Array.of(40, 31, 52, 38, 20, 44, 61, 35, 50, 42, 29, 33);
 * rateInterval({ numerators: errors, denominators: words }, { random: createRandom('an example') })
 * // { value: .0842, low: .0536, high: .1323, level: .95, method: 'symmetric bootstrap over clusters, 2000 resamples, …' }
 */
export function rateInterval(counts: ClusteredCounts, options: BootstrapOptions): Interval {
  const table = clusterTable(counts);
  return isProportion(options, counts)
    ? clusteredProportion(table, options)
    : clusterBootstrap([table], pooledRate, options);
}
