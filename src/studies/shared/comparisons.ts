import type { Json } from '../../base/json.ts';
import { createRandom } from '../../base/random.ts';
import type { Comparison, Estimate, SampleSize, Verdict } from '../../model/finding.ts';
import { resamplesAlike } from '../../statistics/bootstrap/cluster-bootstrap.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { differenceInterval } from '../../statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { pairedPermutationTest } from '../../statistics/significance/paired-permutation-test.ts';
import { correctByHolm } from './correct-by-holm.ts';
import { toEstimate } from './estimates.ts';

/** Two error rates on the same trials, cluster by cluster. */
export interface Contrast {
  /** What it is compared with. */
  readonly first: ClusteredCounts;
  readonly second: ClusteredCounts;
  readonly n: SampleSize;
  /** Seeds its random numbers: unique among the study's. */
  readonly what: Json;
}

export interface ComparisonSettings {
  readonly level: number;
  readonly resamples: number;
  readonly minimumSpeakers: number;
  /** Of the run, and the study's name. */
  readonly seed: number;
  readonly study: string;
}

/**
 * Compares error rates: second minus first, so that less than 0 means that the second makes fewer errors. P values are
 * corrected for all comparisons made together (Holm). A comparison is `better` or `worse` only where the interval leaves
 * out 0 and the corrected p value is at most 1 - level; otherwise it `cannot tell`.
 *
 * Where very many are compared, more permutations are drawn: enough for the smallest p value they can give to stay at
 * half of 1 - level after the correction. 10,000 would do for 500 comparisons only at the very edge.
 *
 * @param contrastOf makes the counts of one at a time, so that those of all need not be in memory together
 */
export function compareAll<Item>(
  items: readonly Item[],
  contrastOf: (item: Item) => Contrast,
  settings: ComparisonSettings,
): Comparison[] {
  const { level, resamples, minimumSpeakers, seed, study } = settings;
  const permutations = Math.min(100_000, Math.max(10_000, Math.ceil((2 * items.length) / (1 - level))));
  const tested = items.map((item) => {
    const { first, second, n, what } = contrastOf(item);
    const random = (use: string) => createRandom({ seed, study, what, use });
    const interval = differenceInterval(first, second, {
      level,
      resamples,
      minimumClusters: minimumSpeakers,
      random: randomOfData(seed),
    });
    return {
      difference: toEstimate(interval, n),
      test: pairedPermutationTest(first, second, { permutations, random: random('test') }),
    };
  });
  const { adjusted, correction } = correctByHolm(tested.map(({ test }) => test.pValue));
  return tested.map(({ difference, test }, index) => toComparison(difference, test, adjusted[index]!, correction));
}

/** What a test says by itself. */
interface Tested {
  readonly pValue: number | null;
  readonly test: string;
  readonly reason?: string;
}

/**
 * A difference and its test with a verdict.
 *
 * @param correction how the p value was adjusted, in words; null where it was not
 */
export function toComparison(
  difference: Estimate,
  { pValue, test, reason = difference.reason }: Tested,
  adjustedPValue: number | null,
  correction: string | null,
): Comparison {
  return {
    difference,
    pValue,
    adjustedPValue,
    test: correction === null ? test : `${test}, ${correction}`,
    verdict: judge(difference, adjustedPValue),
    ...(reason === undefined ? {} : { reason }),
  };
}

/**
 * Interval and test must agree, or nothing is claimed. Where all speakers differ alike (from no error to none right, say) there
 * is no interval, but a test: its word stands alone.
 */
export function judge({ value, low, high, level, reason }: Estimate, adjustedPValue: number | null): Verdict {
  if (value === null || adjustedPValue === null || adjustedPValue > 1 - level) return 'cannot tell';
  if (reason === resamplesAlike && value !== 0) return value < 0 ? 'better' : 'worse';
  if (low === null || high === null) return 'cannot tell';
  if (high < 0) return 'better';
  return low > 0 ? 'worse' : 'cannot tell';
}

const opposite: Readonly<Record<Verdict, Verdict>> = { better: 'worse', worse: 'better', 'cannot tell': 'cannot tell' };

/** The same comparison seen from the other side. */
export function turned(comparison: Comparison): Comparison {
  const { difference, verdict } = comparison;
  // 0 - x, so that nothing becomes -0.
  const negative = (value: number | null) => (value === null ? null : 0 - value);
  return {
    ...comparison,
    difference: {
      ...difference,
      value: negative(difference.value),
      low: negative(difference.high),
      high: negative(difference.low),
    },
    verdict: opposite[verdict],
  };
}
