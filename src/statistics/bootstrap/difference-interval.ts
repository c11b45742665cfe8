import type { Interval } from '../interval.ts';
import { clusterBootstrap, clusterBootstrapWith, type Resample } from './cluster-bootstrap.ts';
import { type ClusteredCounts, type ComparisonOptions, comparedTables, isProportion } from './clustered-counts.ts';
import { proportionDifference } from './proportion-difference.ts';
import { rateDifference } from './rate-statistics.ts';

/**
 * The pooled rate of `second` minus that of `first`, with a confidence interval from resampling whole clusters. By default
 * the same index is the same speaker, and both counts of a speaker are drawn together, so that what the two have in common
 * cancels; `clusters: 'separate'` compares groups of different speakers (women and men, say).
 *
 * Null and degenerate cases as in `rateInterval` (no interval where all resamples give the same difference); two proportions have
 * the interval of `proportionDifference`. A cluster counts for `minimumClusters` only where both have something
 * to divide by, and groups must have that many each. See `clusterBootstrap` for how well it covers.
 *
 * @throws RangeError as `rateInterval`
 * @example
 * // first and second: errors and words of the same speakers under two recognizers
 * differenceInterval(first, second, { random: createRandom('an example') }).low > 0 // second makes more errors
 */
export function differenceInterval(
  first: ClusteredCounts,
  second: ClusteredCounts,
  options: ComparisonOptions,
): Interval {
  return isProportion(options, first, second)
    ? proportionDifference(first, second, options)
    : clusterBootstrap(comparedTables(first, second, options), rateDifference, options);
}

/** `differenceInterval` with the resampling done by others, on threads for instance; the same seed gives the same interval. */
export function differenceIntervalWith(
  resample: Resample,
  first: ClusteredCounts,
  second: ClusteredCounts,
  options: ComparisonOptions,
): Promise<Interval> {
  return isProportion(options, first, second)
    ? Promise.resolve(proportionDifference(first, second, options))
    : clusterBootstrapWith(resample, comparedTables(first, second, options), rateDifference, options);
}
