import type { ClusteredCounts } from './clustered-counts.ts';

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
