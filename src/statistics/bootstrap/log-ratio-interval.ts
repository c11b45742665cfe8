import type { Interval } from '../interval.ts';
import { clusterBootstrap, clusterBootstrapWith, type Resample } from './cluster-bootstrap.ts';
import { type ClusteredCounts, type ComparisonOptions, comparedTables } from './clustered-counts.ts';
import { logRateRatio } from './rate-statistics.ts';

/**
 * The logarithm to base 2 of the pooled rate of `second` over that of `first`, with a confidence interval from resampling
 * whole clusters: 1 means twice as many errors, -1 half as many, and swapping the two changes the sign alone. Clusters as in
 * `differenceInterval`.
 *
 * Null with a reason where one of the rates is 0 or less: the logarithm does not exist, and no correction is added, since the
 * number would be the correction's. Resamples without an error in one of the two are drawn again. Other null and
 * degenerate cases as in `rateInterval`; see `clusterBootstrap` for how well it covers.
 *
 * @throws RangeError as `rateInterval`
 * @example
 * logRatioInterval(women, men, { clusters: 'separate', random: createRandom('an example') })
 * // value 1: the rate of the men is twice that of the women
 */
export function logRatioInterval(
  first: ClusteredCounts,
  second: ClusteredCounts,
  options: ComparisonOptions,
): Interval {
  return clusterBootstrap(comparedTables(first, second, options), logRateRatio, options);
}

/** `logRatioInterval` with the resampling done by others, on threads for instance; the same seed gives the same interval. */
export function logRatioIntervalWith(
  resample: Resample,
  first: ClusteredCounts,
  second: ClusteredCounts,
  options: ComparisonOptions,
): Promise<Interval> {
  return clusterBootstrapWith(resample, comparedTables(first, second, options), logRateRatio, options);
}
