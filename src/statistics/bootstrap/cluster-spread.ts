import { effectiveClusters } from './clustered-counts.ts';

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
export function clusterInfluences(
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
