import type { Interval } from '../interval.ts';
import { bootstrapInterval, type PlainBootstrapOptions, type Statistic } from './bootstrap-interval.ts';

/**
 * The mean (or another statistic) of the differences of paired values, `second` minus `first`, with its bootstrap interval:
 * pairs are resampled whole, so that what the two have in common cancels. Coverage, null and degenerate cases as in
 * `bootstrapInterval`. For error counts of speakers use `differenceInterval`, which pools and resamples speakers.
 *
 * @throws RangeError for lengths that differ, and as `bootstrapInterval`
 * @example
 * pairedDifferenceInterval(before, after, { random: createRandom('an example') }).low > 0 // values have grown
 */
export function pairedDifferenceInterval(
  first: Float64Array,
  second: Float64Array,
  options: PlainBootstrapOptions & { /** Of the differences; the mean by default. */ readonly statistic?: Statistic },
): Interval {
  if (first.length !== second.length) {
    throw new RangeError(`expected as many values in both, but got ${first.length} and ${second.length}`);
  }
  const differences = second.map((value, index) => value - first[index]!);
  return bootstrapInterval(differences, options.statistic ?? 'mean', options);
}
