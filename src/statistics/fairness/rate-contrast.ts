import type { Reason } from '../../model/reason.ts';
import type { ClusteredCounts } from '../bootstrap/clustered-counts.ts';
import { studentQuantile, studentUpperTail } from '../distributions.ts';
import type { Interval } from '../interval.ts';

/** A rate with what it is multiplied by. The same index is the same cluster (speaker) in all of them. */
export interface ContrastPart {
  readonly counts: ClusteredCounts;
  readonly weight: number;
}

export interface RateContrast extends Interval {
  /** Two-sided, whether the sum is 0. Null with the interval. */
  readonly pValue: number | null;
}

/**
 * A weighted sum of pooled rates (a change of a group less that of all, say) with a t interval and test that respect
 * clusters, which may have a part in any number of the rates. The variance is that of the clusters' residuals (linearization;
 * D. Binder, International Statistical Review 51, 1983), each divided by the root of 1 minus the cluster's share (CR2 of R.
 * M. Bell and D. F. McCaffrey, Survey Methodology 28, 2002), with Kish's effective number of clusters minus 1 as degrees of
 * freedom, the least over the rates (L. Kish, "Survey sampling", 1965).
 *
 * @param minimumClusters no interval and no test with fewer in one of the rates; 10 by default
 * @throws RangeError for lengths that differ, an impossible level
 * @example
 * // (group outdoors - group indoors) - (all outdoors - all indoors)
 * rateContrast([
 *   { counts: groupOut, weight: 1 }, { counts: groupIn, weight: -1 },
 *   { counts: allOut, weight: -1 }, { counts: allIn, weight: 1 },
 * ]).pValue
 */
export function rateContrast(
  parts: readonly ContrastPart[],
  { level = 0.95, minimumClusters = 10 }: { readonly level?: number; readonly minimumClusters?: number } = {},
): RateContrast {
  if (!(level > 0 && level < 1)) throw new RangeError(`expected a level between 0 and 1, but got ${level}`);
  const method = 't interval from the spread of clusters (linearization)';
  const without = (value: number | null, reason: Reason): RateContrast => {
    return { value, low: null, high: null, level, reason, method, pValue: null };
  };
  const clusters = parts[0]?.counts.numerators.length ?? 0;
  const influence = new Float64Array(clusters);
  let vary = false;
  let [value, effective, fewest] = [0, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const { counts, weight } of parts) {
    const { numerators, denominators } = counts;
    if (numerators.length !== clusters || denominators.length !== clusters) {
      throw new RangeError(
        `expected ${clusters} clusters everywhere, but got ${numerators.length} and ${denominators.length}`,
      );
    }
    let [errors, words, squares, count] = [0, 0, 0, 0];
    for (let cluster = 0; cluster < clusters; cluster++) {
      errors += numerators[cluster]!;
      words += denominators[cluster]!;
      squares += denominators[cluster]! ** 2;
      if (denominators[cluster]! > 0) count++;
    }
    if (!(words > 0)) return without(null, { code: 'no-denominator' });
    value += weight * (errors / words);
    effective = Math.min(effective, words ** 2 / squares);
    fewest = Math.min(fewest, count);
    for (let cluster = 0; cluster < clusters; cluster++) {
      const own = denominators[cluster]!;
      if (own === 0 && numerators[cluster] === 0) continue;
      const residual = numerators[cluster]! - (errors / words) * own;
      if (Math.abs(residual) > 1e-9) vary = true;
      if (own < words) influence[cluster]! += (weight * residual) / words / Math.sqrt(1 - own / words);
    }
  }
  if (clusters === 0) return without(null, { code: 'nothing-counted' });
  const needed = Math.max(2, minimumClusters);
  if (fewest < needed) return without(value, { code: 'few-units', need: needed, have: [fewest], each: 'rate' });
  const degreesOfFreedom = Math.max(1, effective - 1);
  const standardError = Math.sqrt(influence.reduce((sum, one) => sum + one ** 2, 0));
  const half = standardError * studentQuantile((1 + level) / 2, degreesOfFreedom);
  // Residuals that are all 0 leave nothing but rounding.
  if (standardError <= 1e-12) {
    const same = Math.abs(value) <= 1e-12 ? 0 : value;
    return without(value, vary ? { code: 'same-for-each', value: same } : { code: 'same-rate' });
  }
  const pValue = 2 * studentUpperTail(Math.abs(value) / standardError, degreesOfFreedom);
  return {
    value,
    low: value - half,
    high: value + half,
    level,
    method: `${method}, ${degreesOfFreedom.toFixed(1)} degrees of freedom`,
    pValue,
  };
}
