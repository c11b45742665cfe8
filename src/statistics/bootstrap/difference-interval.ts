import type { Interval } from '../interval.ts';
import { clusterBootstrap } from './cluster-bootstrap.ts';
import { type BootstrapOptions, type ClusteredCounts, clusterTable } from './clustered-counts.ts';

/**
 * The pooled rate of `second` minus that of `first`, with a confidence interval from resampling whole clusters: the same
 * index is the same speaker, and both counts of a speaker are drawn together, so that what the two have in common
 * cancels.
 *
 * The percentile interval, expanded for few clusters: BCa's bias and acceleration, estimated for a difference, are mostly
 * noise and miss more than they mend (.92 instead of .94 to .95 at 20 speakers; `smallSample: 'none'` gives the plain BCa).
 * Null and degenerate cases as in `rateInterval`; a cluster counts for `minimumClusters` only where both have something
 * to divide by.
 *
 * @throws RangeError as `rateInterval`
 * @example
 * // first and second: errors and words of the same speakers under two recognizers
 * differenceInterval(first, second, { random: createRandom('an example') }).low > 0 // second makes more errors
 */
export function differenceInterval(
  first: ClusteredCounts,
  second: ClusteredCounts,
  options: BootstrapOptions,
): Interval {
  return clusterBootstrap(
    clusterTable(first, second),
    4,
    (sums) => sums[2]! / sums[3]! - sums[0]! / sums[1]!,
    'difference',
    options,
  );
}
