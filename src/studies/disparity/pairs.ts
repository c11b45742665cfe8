import { grouped } from '../../base/number-format.ts';
import { createRandom } from '../../base/random.ts';
import type { Comparison, Estimate, Section } from '../../model/finding.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import type { DisparityComparison, DisparityTable } from '../../statistics/fairness/compare-disparities.ts';
import { compareGaps } from '../../statistics/fairness/compare-gaps.ts';
import { inseparableSets } from '../../statistics/fairness/grouped-units.ts';
import type { ErrorPair } from '../../statistics/fairness/pair-sums.ts';
import { compareAll, toComparison } from '../shared/comparisons.ts';
import { toEstimate } from '../shared/estimates.ts';
import { column, comparedWithColumn, comparisonColumns, recognizerColumn, tableOf } from '../shared/tables.ts';
import { counted } from '../shared/wording.ts';
import type { Design } from './design.ts';
import type { DisparityOptions } from './options.ts';
import { gather, type Tally, unitsOf } from './tally.ts';

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
  /** Mean disparities on the trials that both answered, with the test that asks speakers. */
  readonly disparity: Comparison;
  /** FairLENS' test; absent where no group is counted. */
  readonly wTest: DisparityComparison | null;
}

interface Known {
  readonly tally: Tally;
  readonly design: Design;
  readonly options: DisparityOptions;
  readonly seed: number;
  readonly table: DisparityTable;
}

/** Compares every two recognizers, in both ways, and says which sets nothing tells apart in fairness. */
export function compareRecognizerPairs({ tally, design, options, seed, table }: Known): {
  readonly pairs: readonly RecognizerPair[];
  readonly clusters: readonly (readonly number[])[];
} {
  const { survey, counted } = design;
  const { baseline, level, resamples, minimumSpeakers, profile } = options;
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
  const places = names.flatMap((_, first) =>
    names.slice(first + 1).map((__, offset) => ({ first, second: first + 1 + offset })),
  );
  const compared = compareAll(
    places,
    ({ first, second }) => {
      const one = gather(survey, null, tally.main(first), tally.without(first, second));
      const other = gather(survey, null, tally.main(second), tally.without(second, first));
      return { first: one.counts, second: other.counts, n: other.n };
    },
    { level, resamples, minimumSpeakers, seed },
  );
  const gaps = compareGaps(
    unitsOf(design, []),
    places.map(({ first, second }) => errorsOfBoth(tally, design, first, second)),
    { baseline, level, resamples, minimumSpeakers, random: createRandom({ seed, study: 'disparity', what: 'pairs' }) },
  );
  const pairs = places.map(({ first, second }, place): RecognizerPair => {
    const { difference: interval, pValue, adjustedPValue } = gaps.pairs[place]!;
    const wordErrorRate = compared[place]!;
    const overlap = overlapping(rates[first]!, rates[second]!);
    const difference: Estimate = toEstimate(interval, wordErrorRate.difference.n);
    return {
      first,
      second,
      wordErrorRate,
      overlap,
      disagree: overlap !== null && overlap !== (wordErrorRate.verdict === 'cannot tell'),
      disparity: toComparison(
        difference,
        { pValue, test: gaps.test, ...(counted.length === 0 ? { reason: 'no group is counted' } : {}) },
        adjustedPValue,
        null,
        { correction: `correcting for ${grouped(places.length)} pairs`, minimumSpeakers },
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

/** Errors of two recognizers on the trials that both answered, row by row. */
function errorsOfBoth(tally: Tally, { survey }: Design, first: number, second: number): ErrorPair {
  const sideOf = (one: number, other: number) => {
    const [counts, less] = [tally.main(one), tally.without(one, other)];
    return (what: 'errors' | 'words') =>
      Float64Array.from(survey.rows.clusters, (_, row) => counts[what](row) - less[what](row));
  };
  const [mine, others] = [sideOf(first, second), sideOf(second, first)];
  return { first: mine('errors'), second: others('errors'), words: mine('words') };
}

function overlapping(
  one: { readonly low: number | null; readonly high: number | null },
  other: { readonly low: number | null; readonly high: number | null },
): boolean | null {
  if (one.low === null || one.high === null || other.low === null || other.high === null) return null;
  return one.low <= other.high && other.low <= one.high;
}

/** Every two recognizers, by sound tests and by FairLENS' own rules, and where the two part. */
export function pairsSection(
  pairs: readonly RecognizerPair[],
  design: Design,
  options: DisparityOptions,
): Section | null {
  if (pairs.length === 0) return null;
  const names = design.recognizers.map(({ name }) => name);
  const columns = [
    { ...recognizerColumn, of: ({ second }: RecognizerPair) => names[second]! },
    { ...comparedWithColumn, of: ({ first }: RecognizerPair) => names[first]! },
  ];
  const parting = pairs.filter(({ disagree }) => disagree).length;
  const alpha = 1 - options.level + 1e-12;
  const wApart = ({ wTest }: RecognizerPair) => (wTest?.wilcoxon.pValue ?? 1) <= alpha;
  const partingInFairness = pairs.filter((pair) => wApart(pair) !== (pair.disparity.verdict !== 'cannot tell')).length;
  return {
    id: 'disparity-pairs',
    title: 'Recognizers compared',
    text: [
      parting === 0
        ? 'In error rates, overlap of intervals (FairLENS’ rule) and the paired test agree on every pair.'
        : `On error rates, overlap of intervals (FairLENS’s rule) and the paired test disagree for ${counted(parting, 'pair')} of ${grouped(pairs.length)}: intervals may overlap although the same speakers have fewer errors with one.`,
      partingInFairness === 0
        ? 'In disparity, the uncorrected W-test and the test over speakers agree on every pair.'
        : `On disparity, the uncorrected W-test and the test over speakers disagree for ${counted(partingInFairness, 'pair')} of ${grouped(pairs.length)}. The W-test treats overlapping groups as independent, and a recognizer with more errors as less fair because its rates vary more.`,
    ],
    tables: [
      tableOf('disparity-pairs-errors', 'Difference in word error rate on the trials that both answered', pairs, [
        ...columns,
        {
          ...column('difference', 'Difference', 'difference', ({ wordErrorRate }) => wordErrorRate),
          help: 'Below zero: fewer errors.',
        },
        ...comparisonColumns(
          'Permutation test: the two recognizers are swapped speaker by speaker',
          ({ wordErrorRate }: RecognizerPair) => wordErrorRate,
        ),
        {
          ...column('overlap', 'Intervals overlap', 'text', ({ overlap }) => whether(overlap, 'yes', 'no')),
          help: 'FairLENS: no difference if they do.',
        },
        column('rules', 'The two rules', 'text', ({ overlap, disagree }) =>
          whether(overlap === null ? null : disagree, 'disagree', 'agree'),
        ),
      ]),
      {
        ...tableOf('disparity-pairs-fairness', 'Difference in mean disparity', pairs, [
          ...columns,
          {
            ...column('difference', 'Difference', 'difference', ({ disparity }) => disparity),
            help: 'Below zero: less unequal.',
          },
          ...comparisonColumns(
            'Whole speakers are resampled: whether the difference between the two recognizers is as large in every group as outside of it, and mean disparities are equal',
            ({ disparity }: RecognizerPair) => disparity,
          ),
          {
            ...column('wTest', 'W-test p', 'pvalue', ({ wTest }) => wTest?.wilcoxon.pValue ?? null),
            help: 'Wilcoxon’s signed-rank test on the groups’ disparities, uncorrected, as FairLENS has it.',
          },
          column('wHolm', 'W-test p, Holm', 'pvalue', ({ wTest }) => wTest?.holmPValue ?? null),
          column(
            'wDiscovery',
            'W-test p, Benjamini-Hochberg',
            'pvalue',
            ({ wTest }) => wTest?.falseDiscoveryPValue ?? null,
          ),
          column('wForm', 'W-test', 'text', ({ wTest }) =>
            wTest === null ? null : `${wTest.wilcoxon.method}, ${wTest.groups} groups`,
          ),
        ]),
        note: 'Both know distances alone: a recognizer that is worse for the weak and one that is better for them may have the same mean disparity. The gaps of groups have signs.',
      },
    ],
  };
}

/** Which of two words; null where it is not known. */
function whether(known: boolean | null, yes: string, no: string): string | null {
  return known === null ? null : known ? yes : no;
}
