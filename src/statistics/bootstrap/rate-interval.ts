import { grouped } from '../../base/number-format.ts';
import type { Reason } from '../../model/reason.ts';
import { studentQuantile } from '../distributions.ts';
import { exactProportionInterval } from '../exact-intervals.ts';
import type { Interval } from '../interval.ts';
import { clusterBootstrap } from './cluster-bootstrap.ts';
import { cautiousSpread, defaultMinimumClusters, tooFewClusters } from './cluster-spread.ts';
import {
  type BootstrapOptions,
  type ClusteredCounts,
  clusterTable,
  columnSums,
  effectiveClusters,
  isProportion,
  pooledRate,
} from './clustered-counts.ts';

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
 * // { value: .0842, low: .0536, high: .1323, level: .95, method: 'symmetric bootstrap over clusters, 2,000 resamples, …' }
 */
export function rateInterval(counts: ClusteredCounts, options: BootstrapOptions): Interval {
  const table = clusterTable(counts);
  return isProportion(options, counts)
    ? clusteredProportion(table, options)
    : clusterBootstrap([table], pooledRate, options);
}

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
  const without = (value: number | null, reason: Reason): Interval => {
    return { value, low: null, high: null, level, reason, method: name };
  };
  if (!(level > 0 && level < 1)) throw new RangeError(`expected a level between 0 and 1, but got ${level}`);
  if (table.length === 0) return without(null, { code: 'nothing-counted' });
  checkProportion(table);
  const sums = columnSums(table, 2);
  const [hits, items] = sums as unknown as [number, number];
  if (!(items > 0)) return without(null, { code: 'no-denominator' });
  const value = Math.min(1, hits / items);
  const refusal = tooFewClusters([table], 2, minimumClusters);
  if (refusal !== null) return without(value, refusal);

  const { variance, degreesOfFreedom } = cautiousSpread(table, 2, sums, [1], 'least');
  const spread = { share: hits / items, variance, degreesOfFreedom, items, clusters: effectiveClusters(table, 2) };
  const effective = effectiveItems(spread, level);
  const { low, high } = exactProportionInterval(value * effective, effective, level);
  const method = `${name}, ${grouped(items)} items count for ${effective.toFixed(1)} independent ones (Korn and Graubard)`;
  return { value, low, high, level, method };
}

/** @throws RangeError where there are hits below 0 or more than items: a fault of the caller */
function checkProportion(table: Float64Array): void {
  for (let place = 0; place < table.length; place += 2) {
    const hits = table[place]!;
    const items = table[place + 1]!;
    // Sums of fractions may be a last digit too large.
    if (!(hits >= 0 && hits <= items * (1 + 1e-12))) {
      throw new RangeError(
        `expected a proportion, from 0 to all of the items, but a cluster has ${hits} of ${grouped(items)}`,
      );
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

/** One rate of a weighted sum of rates. */
export interface WeightedRate {
  /** The same index is the same cluster in all parts; a cluster that is absent from one has 0 of 0 there. */
  readonly counts: ClusteredCounts;
  /** 1/n for a mean of n rates; negative for what is taken away. */
  readonly weight: number;
}

/**
 * A weighted sum of pooled rates (a mean over scenarios, a mean of degradations) as counts of one rate, so that the
 * intervals and tests for rates of clusters serve for it too. The pooled rate of the result is exactly the weighted sum.
 * What a cluster contributes beyond its share, `numerator - rate x denominator`, is exactly the cluster's influence on the
 * sum by linearization (D. A. Binder, "On the variances of asymptotically normal estimators from complex surveys",
 * International Statistical Review 51, 1983), so standard errors are those of the sum, whether the rates are of the same
 * clusters, of others, or of some common ones. Where all rates have the same words, resampling the result is the same as
 * resampling all the rates together.
 *
 * Denominators are the clusters' words, averaged over the rates by the size of their weights; numerators may be negative.
 * Rates of weight 0 count for nothing.
 *
 * @returns null where a rate with a weight does not exist (nothing to divide by), or no rate has a weight
 * @throws RangeError for numbers of clusters that differ, or weights that are not finite
 * @example
 * // the mean over two scenarios of the degradation from clean sound
 * combineRates([{ counts: noise, weight: .5 }, { counts: room, weight: .5 }, { counts: clean, weight: -1 }])
 */
export function combineRates(parts: readonly WeightedRate[]): ClusteredCounts | null {
  const clusters = parts[0]?.counts.denominators.length ?? 0;
  let weights = 0;
  let value = 0;
  let words = 0;
  const sums = parts.map(({ counts, weight }) => {
    if (counts.denominators.length !== clusters || counts.numerators.length !== clusters) {
      throw new RangeError(`expected ${clusters} clusters everywhere, but got ${counts.denominators.length}`);
    }
    if (!Number.isFinite(weight)) throw new RangeError(`expected finite weights, but got ${weight}`);
    const denominator = total(counts.denominators);
    const rate = total(counts.numerators) / denominator;
    if (weight !== 0) {
      weights += Math.abs(weight);
      value += weight * rate;
      words += Math.abs(weight) * denominator;
    }
    return { denominator, rate };
  });
  if (weights === 0 || !Number.isFinite(value)) return null;
  words /= weights;

  const numerators = new Float64Array(clusters);
  const denominators = new Float64Array(clusters);
  parts.forEach(({ counts, weight }, index) => {
    if (weight === 0) return;
    const { denominator, rate } = sums[index]!;
    const size = Math.abs(weight) / weights;
    const scale = (weight * words) / denominator;
    for (let cluster = 0; cluster < clusters; cluster++) {
      const here = counts.denominators[cluster]!;
      denominators[cluster]! += size * here;
      numerators[cluster]! += size * here * value + scale * (counts.numerators[cluster]! - rate * here);
    }
  });
  // What ought to be 0 may be off by rounding, and a count below 0 would be taken for one that was subtracted.
  const rounding = 1e-12 * (words + Math.abs(value) * words);
  return { numerators: numerators.map((count) => (Math.abs(count) < rounding ? 0 : count)), denominators };
}

function total(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
