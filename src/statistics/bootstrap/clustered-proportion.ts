import { studentQuantile } from '../distributions.ts';
import { exactProportionInterval } from '../exact-proportion-interval.ts';
import type { Interval } from '../interval.ts';
import { cautiousSpread, defaultMinimumClusters, tooFewClusters } from './cluster-spread.ts';
import { type BootstrapOptions, columnSums, effectiveClusters } from './clustered-counts.ts';

/**
 * The interval of a proportion whose items come in clusters: the exact binomial interval for as many independent items as the
 * clustered ones count for (`effectiveItems`). It neither collapses where all speakers have the same rate nor fills the whole width
 * because of one who has not, as resampling does. The degrees of freedom are those of `cautiousSpread`, and where clusters do not
 * differ Kish's number of them stands: speakers as one item each, the most that items of a cluster can have in common.
 *
 * How often intervals of level .95 hold the truth, and their mean length, 10,000 simulations (standard error .002) of speakers with 100
 * items each, of proportions .9, .95 and .99; `node bench/calibration/proportions.ts` makes the figures, with other items too. The
 * correlation is that of items of one speaker.
 *
 * ```
 * speakers  correlation       .9           .95          .99
 *  8          0           .999/.075    .998/.056    .999/.031
 *  8           .1         .974/.253    .964/.221    .999/.221
 *  8           .5         .940/.430    .968/.365     .999/.350
 * 16          0           .992/.040    .992/.030     .995/.015
 * 16           .1         .975/.146    .972/.128     .969/.119
 * 16           .5         .971/.313    .958/.250     .992/.199
 * 20          0           .987/.034    .988/.025     .991/.012
 * 20           .1         .971/.122    .973/.107     .972/.096
 * 20           .5         .975/.277    .950/.220     .992/.166
 * 50          0           .972/.019    .974/.014     .978/.007
 * 50           .1         .969/.064    .974/.052     .974/.042
 * 50           .5         .985/.159    .980/.131     .978/.080
 * ```
 *
 * The least of all 144 situations, which have .5, 20 items, and 4 or 60 items as well, is .940 (8 speakers of 100 items, .9, a
 * correlation of .5); from 16 speakers on it is .950. It is an exact interval's way to
 * hold the truth more often than it says; speakers of unequal numbers of items make it up to twice as long as it would have to be.
 *
 * @param table hits and items in turn for each cluster
 */
export function clusteredProportion(
  table: Float64Array,
  { level = 0.95, minimumClusters = defaultMinimumClusters }: Pick<BootstrapOptions, 'level' | 'minimumClusters'>,
): Interval {
  const name = 'exact binomial interval (Clopper and Pearson) over clusters';
  const without = (value: number | null, reason: string): Interval => {
    return { value, low: null, high: null, level, reason, method: name };
  };
  if (!(level > 0 && level < 1)) throw new RangeError(`expected a level between 0 and 1, but got ${level}`);
  if (table.length === 0) return without(null, 'there is nothing to count');
  checkProportion(table);
  const sums = columnSums(table, 2);
  const [hits, items] = sums as unknown as [number, number];
  if (!(items > 0)) return without(null, 'the rate is undefined: nothing to divide by');
  const value = Math.min(1, hits / items);
  const refusal = tooFewClusters([table], 2, minimumClusters);
  if (refusal !== null) return without(value, refusal);

  const { variance, degreesOfFreedom } = cautiousSpread(table, 2, sums, [1], 'least');
  const spread = { share: hits / items, variance, degreesOfFreedom, items, clusters: effectiveClusters(table, 2) };
  const effective = effectiveItems(spread, level);
  const { low, high } = exactProportionInterval(value * effective, effective, level);
  const method = `${name}, ${items} items count for ${effective.toFixed(1)} independent ones (Korn and Graubard)`;
  return { value, low, high, level, method };
}

/** @throws RangeError where there are hits below 0 or more than items: a fault of the caller */
function checkProportion(table: Float64Array): void {
  for (let place = 0; place < table.length; place += 2) {
    const hits = table[place]!;
    const items = table[place + 1]!;
    // Sums of fractions may be a last digit too large.
    if (!(hits >= 0 && hits <= items * (1 + 1e-12))) {
      throw new RangeError(`expected a proportion, from 0 to all of the items, but a cluster has ${hits} of ${items}`);
    }
  }
}

/** A share of items that are not independent, and what is known of its spread. */
interface ShareSpread {
  /** From 0 to 1. */
  readonly share: number;
  /** Of the share, from how clusters differ; 0 where they do not. */
  readonly variance: number;
  /** From how much the variance is known (`cautiousFreedom`). */
  readonly degreesOfFreedom: number;
  readonly items: number;
  /** The least number that the items may count for: of clusters, as if all items of one were the same. */
  readonly clusters: number;
}

/**
 * For how many independent items those of a complex sample count, so that the exact binomial interval of so many is theirs (E. Korn
 * and B. Graubard, "Confidence intervals for proportions with small expected number of positive counts estimated from survey
 * data", Survey Methodology 24, 1998): p (1 - p) / variance, times (t of items - 1 over t of the variance's degrees of
 * freedom) squared. It lies between the number of clusters and the number of items (all independent). Where clusters do not differ
 * the former stands: from equal speakers nothing is learned of how others may differ, and if none of m speakers shows
 * it, as much as 1 - .025^(1/m) of all speakers may.
 *
 * @param level confidence level of the interval to be made
 */
export function effectiveItems(
  { share, variance, degreesOfFreedom, items, clusters }: ShareSpread,
  level: number,
): number {
  if (variance === 0) return Math.min(items, clusters);
  const quantile = (degrees: number) => studentQuantile((1 + level) / 2, Math.max(1, degrees));
  // Estimates above the number of items come from chance; they are put right before the degrees of freedom are.
  const independent = Math.min(items, (share * (1 - share)) / variance);
  const known = independent * (quantile(items - 1) / quantile(degreesOfFreedom)) ** 2;
  return Math.min(items, Math.max(clusters, known));
}
