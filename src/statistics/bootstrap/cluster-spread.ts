import type { Reason } from '../../model/reason.ts';
import { normalQuantile, studentQuantile } from '../distributions.ts';
import { quantileInPlace } from '../quantile.ts';
import { countNonemptyClusters, effectiveClusters } from './clustered-counts.ts';

/** The variance of an estimate, and how well it is known. */
export interface Spread {
  readonly variance: number;
  /** Of the t distribution that a studentized estimate is taken to have; at least 1. */
  readonly degreesOfFreedom: number;
}

/**
 * The variance of a statistic of pooled rates from the clusters' residuals (linearization, or "sandwich"), each divided by
 * the root of 1 minus the cluster's share of all words: a cluster that carries much of the words pulls the rate to itself,
 * and its residual is too small (CR2 of R. M. Bell and D. F. McCaffrey, "Bias reduction in standard errors for linear
 * regression with multi-stage samples", Survey Methodology 28, 2002).
 *
 * How well it is known follows from two things. Kish's effective number of clusters minus 1 is what words of unequal number
 * leave ("Survey sampling", 1965). For statistics of proportional error the tails of the residuals count as well: the squared
 * coefficient of variation of a variance is (kurtosis - 1) / n, which F. Satterthwaite makes 2 n / (kurtosis - 1) degrees of
 * freedom ("An approximate distribution of estimates of variance components", Biometrics Bulletin 2, 1946). The reciprocals
 * are added, less half of 1/n, which normal residuals have in both; the whole of it would take a kurtosis for known
 * that few clusters show too small. For differences, whose residuals are nearly symmetric, Kish's number alone came closest
 * (bench/calibration/intervals.ts; `clusterBootstrap` has the figures).
 *
 * @param slopes by how much the statistic changes with each rate of the table
 */
export function clusterSpread(
  table: Float64Array,
  width: number,
  sums: Float64Array,
  slopes: readonly number[],
  withKurtosis: boolean,
): Spread {
  const influences = clusterInfluences(table, width, sums, slopes);
  let squares = 0;
  let fourths = 0;
  for (const influence of influences) {
    squares += influence ** 2;
    fourths += influence ** 4;
  }
  const reciprocal = 1 / (effectiveClusters(table, width) - 1);
  if (!withKurtosis || squares === 0) return { variance: squares, degreesOfFreedom: Math.max(1, 1 / reciprocal) };
  const kurtosis = (influences.length * fourths) / squares ** 2;
  const both = reciprocal + (kurtosis - 1) / (2 * influences.length) - 0.5 / influences.length;
  return { variance: squares, degreesOfFreedom: Math.max(1, 1 / both) };
}

/** By how much each cluster moves the statistic, its share of the words made up for. */
function clusterInfluences(
  table: Float64Array,
  width: number,
  sums: Float64Array,
  slopes: readonly number[],
): Float64Array {
  return Float64Array.from({ length: table.length / width }, (_, cluster) => {
    let influence = 0;
    for (let rate = 0; rate < slopes.length; rate++) {
      const all = sums[2 * rate + 1]!;
      const words = table[cluster * width + 2 * rate + 1]!;
      const residual = table[cluster * width + 2 * rate]! - (sums[2 * rate]! / all) * words;
      if (words < all) influence += (slopes[rate]! * residual) / all / Math.sqrt(1 - words / all);
    }
    return influence;
  });
}

/** The spread of estimates from groups that are resampled apart: variances add (B. L. Welch, Biometrika 34, 1947). */
export function addSpreads(spreads: readonly Spread[]): Spread {
  if (spreads.length === 1) return spreads[0]!;
  let variance = 0;
  let uncertainty = 0;
  for (const spread of spreads) {
    variance += spread.variance;
    uncertainty += spread.variance ** 2 / spread.degreesOfFreedom;
  }
  return { variance, degreesOfFreedom: uncertainty > 0 ? Math.max(1, variance ** 2 / uncertainty) : 1 };
}

/**
 * With fewer clusters (speakers) than this no interval is given unless the caller says otherwise: from here on, 95 %
 * intervals hold the truth at least 93 times in 100 in the populations of the table at `clusterBootstrap`, but for `hard`.
 * The clusters must also count as at least half as many of equal size.
 */
export const defaultMinimumClusters = 10;

/** Why there are too few clusters for an interval, or null. */
export function tooFewClusters(tables: readonly Float64Array[], width: number, minimum: number): Reason | null {
  const needed = Math.max(2, minimum);
  const counts = tables.map((table) => countNonemptyClusters(table, width));
  if (counts.length === 2 && counts.every((count) => count < needed)) {
    return { code: 'few-units', need: needed, have: counts, each: 'group' };
  }
  for (const table of tables) {
    const clusters = countNonemptyClusters(table, width);
    if (clusters < needed) {
      return { code: 'few-units', need: needed, have: [clusters], ...(tables.length === 2 && { each: 'group' }) };
    }
    const effective = effectiveClusters(table, width);
    if (effective < needed / 2) return { code: 'uneven-units', need: needed / 2, have: clusters, effective };
  }
  return null;
}

/**
 * The variance of a statistic of proportions as `clusterSpread` has it, known less well the fewer clusters it comes from: the
 * reciprocal of its degrees of freedom is 1 / (m - 1) + (kurtosis - usual) / m, with m Kish's effective number of clusters. Near 0
 * and 1 the few speakers that are not like all others make both the proportion and its spread, and a sample that happens to have
 * few of them shows too little of either. The squared coefficient of variation of a variance, (kurtosis - 1) / m, is twice the
 * reciprocal degrees of freedom by F. Satterthwaite ("An approximate distribution of estimates of variance components",
 * Biometrics Bulletin 2, 1946); here it counts whole, because the two err together. One odd speaker leaves about 1 degree of
 * freedom.
 *
 * @param slopes by how much the statistic changes with each proportion of the table
 * @param usual what of the kurtosis is not counted: the `least` there is, 1, or that of `normal` influences of clusters as unequal as
 *   these are. The former for a proportion, whose spread goes with its estimate (normal influences of 20 speakers then leave 6.6
 *   degrees of freedom), the latter for a difference (19)
 * @returns a variance of 0 where the clusters do not differ but by rounding
 */
export function cautiousSpread(
  table: Float64Array,
  width: number,
  sums: Float64Array,
  slopes: readonly number[],
  usual: 'least' | 'normal',
): Spread {
  const influences = clusterInfluences(table, width, sums, slopes);
  const clusters = effectiveClusters(table, width);
  const least = usual === 'least' ? 1 : normalKurtosis(table, width, sums);
  return cautiousFreedom(influences, clusters, least);
}

/**
 * The sum of squared influences as a variance, and its degrees of freedom by the rule of `cautiousSpread`.
 *
 * @param influences by how much each cluster moves the statistic
 * @param clusters the effective number of clusters
 * @param usualKurtosis what of the kurtosis is not counted; 1 is the least there is
 */
export function cautiousFreedom(influences: ArrayLike<number>, clusters: number, usualKurtosis = 1): Spread {
  let squares = 0;
  let fourths = 0;
  for (let cluster = 0; cluster < influences.length; cluster++) {
    squares += influences[cluster]! ** 2;
    fourths += influences[cluster]! ** 4;
  }
  if (squares < 1e-24) return { variance: 0, degreesOfFreedom: 1 };
  const kurtosis = (influences.length * fourths) / squares ** 2;
  const reciprocal = 1 / (clusters - 1) + Math.max(0, kurtosis - usualKurtosis) / clusters;
  return { variance: squares, degreesOfFreedom: Math.max(1, 1 / reciprocal) };
}

/** The kurtosis of influences that are normal for each word, and as unequal as the clusters' words are. */
function normalKurtosis(table: Float64Array, width: number, sums: Float64Array): number {
  let squares = 0;
  let fourths = 0;
  for (let place = 0; place < table.length; place += width) {
    let share = 0;
    for (let column = 1; column < width; column += 2) share += table[place + column]! / sums[column]!;
    squares += share ** 2;
    fourths += share ** 4;
  }
  return (3 * (table.length / width) * fourths) / squares ** 2;
}

/**
 * Half the length of a symmetric bootstrap interval: so far are the replicates from the estimate in `level` of the
 * resamples, on either side (P. Hall, "On symmetric bootstrap confidence intervals", J. Royal Statistical Society B 50,
 * 1988: errors of the two ends cancel to a great part).
 *
 * Replicates of few units lie too near to the estimate: their spread has the divisor n, and it is itself only an estimate.
 * So the length is stretched by the standard error over the spread of the replicates, and by the t over the normal
 * deviate, as T. Hesterberg does with the levels of percentiles ("What teachers should know about the bootstrap", The
 * American Statistician 69, 2015). Where that many replicates are infinitely far, the bootstrap knows no shape, and the
 * length is that of a t interval.
 *
 * @param distances of the replicates from the estimate, signed; may be infinite. They are moved.
 */
export function symmetricHalfLength(distances: Float64Array, level: number, spread: Spread): number {
  const standardError = Math.sqrt(spread.variance);
  const student = studentQuantile((1 + level) / 2, spread.degreesOfFreedom);
  let count = 0;
  let sum = 0;
  for (const distance of distances) {
    if (!Number.isFinite(distance)) continue;
    count++;
    sum += distance;
  }
  let squares = 0;
  for (let place = 0; place < distances.length; place++) {
    const distance = distances[place]!;
    if (Number.isFinite(distance)) squares += (distance - sum / count) ** 2;
    distances[place] = Math.abs(distance);
  }
  const normalLength = normalQuantile((1 + level) / 2) * Math.sqrt(squares / count);
  const shape = quantileInPlace(distances, level) / normalLength;
  return student * standardError * (Number.isFinite(shape) ? shape : 1);
}
