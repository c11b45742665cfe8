import type { Interval } from '../interval.ts';
import { clusterBootstrap } from './cluster-bootstrap.ts';
import { type BootstrapOptions, type ClusteredCounts, clusterTable } from './clustered-counts.ts';

export type { BootstrapOptions, ClusteredCounts } from './clustered-counts.ts';

/**
 * A pooled rate (all numerators over all denominators) with a confidence interval that respects clusters: whole speakers
 * are resampled, because the words of one speaker are not independent. See `clusterBootstrap` for how well it covers, and
 * `bcaCorrection` and `expandedDeviate` for the method.
 *
 * Null with a reason: the value where nothing was counted or all denominators are 0; the interval with fewer clusters
 * than `minimumClusters`, or with words so unequally spread that they count as fewer than half of that. Where every
 * speaker has the same rate the resamples cannot differ, and the interval is that one value, which `method` says. More
 * than 2,000 clusters are merged at random into 2,000.
 *
 * @throws RangeError for counts that are not finite, negative denominators, unequal lengths, impossible options
 * @example
 * const errors = Float64Array.of(3, 5, 1, 4, 0, 2, 6, 2, 9, 3, 4, 1);
 * const words = Float64Array.of(40, 31, 52, 38, 20, 44, 61, 35, 50, 42, 29, 33);
 * rateInterval({ numerators: errors, denominators: words }, { random: createRandom('an example') })
 * // { value: .0842, low: .0536, high: .1248, level: .95, method: 'BCa bootstrap over clusters, 2000 resamples, …' }
 */
export function rateInterval(counts: ClusteredCounts, options: BootstrapOptions): Interval {
  return clusterBootstrap(clusterTable(counts), 2, (sums) => sums[0]! / sums[1]!, 'rate', options);
}
