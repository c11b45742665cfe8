import type { Comparison, Estimate } from '../../model/finding.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import type { DisparityComparison, DisparityTable } from '../../statistics/fairness/compare-disparities.ts';
import type { DealtGroups } from '../../statistics/fairness/deal-groups.ts';
import { inseparableSets } from '../../statistics/fairness/grouped-units.ts';
import type { ResampledDisparities } from '../../statistics/fairness/resample-disparities.ts';
import { compareAll, toComparison } from '../shared/comparisons.ts';
import { toEstimate } from '../shared/estimates.ts';
import type { Design } from './design.ts';
import { gather } from './gather.ts';
import type { DisparityOptions } from './options.ts';
import type { Tally } from './tally.ts';

/** Two recognizers: which makes fewer errors, which is less unequal. Everything is about the second beside the first. */
export interface RecognizerPair {
  readonly first: number;
  readonly second: number;
  /** Word error rates on the trials that both answered. */
  readonly wordErrorRate: Comparison;
  /** Whether the BCa intervals of their rates overlap, by which FairLENS decides; null where one has none. */
  readonly overlap: boolean | null;
  /** Whether FairLENS' rule and the paired test part: one tells them apart and the other does not. */
  readonly disagree: boolean;
  /** Mean disparities, with the test that asks speakers. */
  readonly disparity: Comparison;
  /** FairLENS' test; absent where no group is counted. */
  readonly wTest: DisparityComparison | null;
}

interface Known {
  readonly tally: Tally;
  readonly design: Design;
  readonly options: DisparityOptions;
  readonly seed: number;
  readonly dealt: DealtGroups;
  readonly resampledMeans: ResampledDisparities;
  readonly table: DisparityTable;
}

/** Compares every two recognizers, in both ways, and says which sets nothing tells apart in fairness. */
export function comparePairs({ tally, design, options, seed, dealt, resampledMeans, table }: Known): {
  readonly pairs: readonly RecognizerPair[];
  readonly clusters: readonly (readonly number[])[];
} {
  const { survey, counted } = design;
  const { level, resamples, minimumSpeakers, profile } = options;
  const names = design.recognizers.map(({ name }) => name);
  const rates = names.map((_, recognizer) =>
    rateInterval(gather(survey, null, tally.main(recognizer)).counts, {
      level,
      resamples,
      minimumClusters: minimumSpeakers,
      method: 'BCa',
      random: randomOfData(seed),
    }),
  );
  const compared = compareAll(
    dealt.pairs,
    ({ first, second }) => {
      const one = gather(survey, null, tally.main(first), tally.without(first, second));
      const other = gather(survey, null, tally.main(second), tally.without(second, first));
      return { first: one.counts, second: other.counts, n: other.n };
    },
    { level, resamples, minimumSpeakers, seed },
  );
  const correction = `step-down maximum over ${counted.length === 0 ? 0 : dealt.pairs.length} pairs`;
  const pairs = dealt.pairs.map(({ first, second, ...tested }, place): RecognizerPair => {
    const { pValue, adjustedPValue } = counted.length === 0 ? { pValue: null, adjustedPValue: null } : tested;
    const wordErrorRate = compared[place]!;
    const overlap = overlapping(rates[first]!, rates[second]!);
    const { difference: interval } = resampledMeans.pairs[place]!;
    const difference: Estimate = toEstimate(interval, wordErrorRate.difference.n);
    return {
      first,
      second,
      wordErrorRate,
      overlap,
      disagree: overlap !== null && overlap !== (wordErrorRate.verdict === 'cannot tell'),
      disparity: toComparison(
        difference,
        {
          pValue,
          test: `attributes dealt anew among speakers, ${correction}`,
          ...(counted.length === 0 ? { reason: 'no group is counted' } : {}),
        },
        adjustedPValue,
        null,
        { correction: `correcting for ${dealt.pairs.length} pairs`, minimumSpeakers },
      ),
      wTest: counted.length === 0 ? null : table.pairs[place]!,
    };
  });
  return {
    pairs,
    clusters:
      profile === 'fairlens'
        ? table.clusters
        : inseparableSets(
            names.length,
            pairs.filter(({ disparity }) => disparity.verdict !== 'cannot tell'),
          ),
  };
}

function overlapping(
  one: { readonly low: number | null; readonly high: number | null },
  other: { readonly low: number | null; readonly high: number | null },
): boolean | null {
  if (one.low === null || one.high === null || other.low === null || other.high === null) return null;
  return one.low <= other.high && other.low <= one.high;
}
