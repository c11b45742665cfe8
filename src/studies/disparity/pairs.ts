import { grouped } from '../../base/number-format.ts';
import { createRandom } from '../../base/random.ts';
import { counted } from '../../base/wording.ts';
import type { Comparison, Section } from '../../model/finding.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import type { DisparityComparison, DisparityTable } from '../../statistics/fairness/compare-disparities.ts';
import { compareGaps } from '../../statistics/fairness/compare-gaps.ts';
import { inseparableSets } from '../../statistics/fairness/grouped-units.ts';
import type { ErrorPair } from '../../statistics/fairness/pair-sums.ts';
import { compareAll, toComparison } from '../shared/comparisons.ts';
import { toEstimate } from '../shared/estimates.ts';
import { column, comparedWithColumn, comparisonColumns, recognizerColumn, tableOf } from '../shared/tables.ts';

import type { DisparityDesign } from './design.ts';
import type { DisparityOptions } from './options.ts';
import { gather, type Scores, unitsOf } from './scores.ts';

/** Two recognizers: which makes fewer errors, which is less unequal. Everything is about the second beside the first. */
export interface RecognizerPair {
  readonly first: string;
  readonly second: string;
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
  /** Whether that test tells mean disparities apart, uncorrected. */
  readonly wApart: boolean;
  /** Whether they are told apart by the test that the profile decides by. */
  readonly apart: boolean;
}

/** Compares every two recognizers, in both ways, and says which sets nothing tells apart in fairness. */
export function compareRecognizerPairs(
  scores: Scores,
  design: DisparityDesign,
  options: DisparityOptions,
  table: DisparityTable,
  seed: number,
): { readonly pairs: readonly RecognizerPair[]; readonly clusters: readonly (readonly string[])[] } {
  const { survey, counted } = design;
  const { baseline, level, resamples, minimumSpeakers, profile } = options;
  const bootstrap = { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
  const names = scores.clean.map(({ recognizer }) => recognizer);
  const rates = scores.clean.map((sums) =>
    rateInterval(gather(survey, null, sums).counts, { ...bootstrap, method: 'BCa' }),
  );
  const places = rates.flatMap((_, first) =>
    rates.slice(first + 1).map((__, offset) => ({ first, second: first + 1 + offset })),
  );
  const compared = compareAll(
    places,
    ({ first, second }) => {
      const one = gather(survey, null, scores.both(first, second));
      const other = gather(survey, null, scores.both(second, first));
      return { first: one.counts, second: other.counts, n: { ...other.n, pairs: other.n.utterances } };
    },
    { level, resamples, minimumSpeakers, seed },
  );
  const gaps = compareGaps(
    unitsOf(design, []),
    places.map(({ first, second }): ErrorPair => {
      const { errors, words } = scores.both(first, second);
      return { first: errors, second: scores.both(second, first).errors, words };
    }),
    { baseline, level, resamples, minimumSpeakers, random: createRandom({ seed, study: 'disparity', what: 'pairs' }) },
  );
  const pairs = places.map(({ first, second }, place): RecognizerPair => {
    const { difference: interval, pValue, adjustedPValue } = gaps.pairs[place]!;
    const wordErrorRate = compared[place]!;
    const overlap = overlapping(rates[first]!, rates[second]!);
    const disparity = toComparison(
      toEstimate(interval, wordErrorRate.difference.n),
      { pValue, test: gaps.test, ...(counted.length === 0 ? { reason: { code: 'no-group' } } : {}) },
      adjustedPValue,
      null,
      { among: places.length, family: 'pair', minimumSpeakers },
    );
    const wTest = counted.length === 0 ? null : table.pairs[place]!;
    const wApart = wTest?.wilcoxon.pValue != null && wTest.wilcoxon.pValue <= 1 - level + 1e-12;
    return {
      first: names[first]!,
      second: names[second]!,
      wordErrorRate,
      overlap,
      disagree: overlap !== null && overlap !== (wordErrorRate.verdict === 'cannot tell'),
      disparity,
      wTest,
      wApart,
      apart: profile === 'sound' ? disparity.verdict !== 'cannot tell' : wApart,
    };
  });
  const toldApart = places.filter((_, place) => pairs[place]!.disparity.verdict !== 'cannot tell');
  const clusters = profile === 'fairlens' ? table.clusters : inseparableSets(names.length, toldApart);
  return { pairs, clusters: clusters.map((members) => members.map((member) => names[member]!)) };
}

function overlapping(
  one: { readonly low: number | null; readonly high: number | null },
  other: { readonly low: number | null; readonly high: number | null },
): boolean | null {
  if (one.low === null || one.high === null || other.low === null || other.high === null) return null;
  return one.low <= other.high && other.low <= one.high;
}

/** Every two recognizers, by sound tests and by FairLENS' own rules, and where the two part. */
export function pairsSection(pairs: readonly RecognizerPair[]): Section | null {
  if (pairs.length === 0) return null;
  const columns = [
    { ...recognizerColumn, of: ({ second }: RecognizerPair) => second },
    { ...comparedWithColumn, of: ({ first }: RecognizerPair) => first },
  ];
  const parting = pairs.filter(({ disagree }) => disagree).length;
  const partingInFairness = pairs.filter((one) => one.wApart !== (one.disparity.verdict !== 'cannot tell')).length;
  return {
    id: 'disparity-pairs',
    title: 'Which recognizer has fewer errors, and is fairer',
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
