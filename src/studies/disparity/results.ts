import type { Json } from '../../base/json.ts';
import { createRandom } from '../../base/random.ts';
import type { Comparison, Estimate } from '../../model/finding.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { differenceInterval } from '../../statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import { compareDisparities, type DisparityTable } from '../../statistics/fairness/compare-disparities.ts';
import { type DealtGroups, dealGroups } from '../../statistics/fairness/deal-groups.ts';
import { resampleDisparities } from '../../statistics/fairness/resample-disparities.ts';
import type { Interval } from '../../statistics/interval.ts';
import type { StudyContext } from '../contract.ts';
import { toEstimate } from '../shared/estimates.ts';
import type { Design, Subgroup } from './design.ts';
import { judged } from './domain-shift.ts';
import type { DisparityOptions } from './options.ts';
import { compareRecognizerPairs, type RecognizerPair } from './pairs.ts';
import { type Gathered, gather, type Tally, unitsOf } from './tally.ts';

/** One recognizer on one group. */
export interface GroupResult {
  readonly group: Subgroup;
  readonly recognizer: number;
  readonly wordErrorRate: Estimate;
  /**
   * The group's rate less that of everybody, with the test of the group against everybody else. A group that is not counted
   * has neither interval nor test.
   */
  readonly gap: Comparison;
}

/** One recognizer over all groups that are counted. */
export interface RecognizerResult {
  readonly recognizer: number;
  readonly wordErrorRate: Estimate;
  /** Mean distance of the groups from the baseline (FairLENS' average disparity). */
  readonly meanDisparity: Estimate;
  /** What it would be on average if attributes did not matter; null where there is no group. */
  readonly byChance: number | null;
  /** Whether it is more than that; corrected for all recognizers (step-down maximum) in `adjustedPValue`. */
  readonly pValue: number | null;
  readonly adjustedPValue: number | null;
}

export interface Results {
  /** Groups in order, in each the recognizers. */
  readonly groups: readonly GroupResult[];
  readonly recognizers: readonly RecognizerResult[];
  readonly pairs: readonly RecognizerPair[];
  /** FairLENS' own comparison, of the groups that are counted. */
  readonly table: DisparityTable;
  /** Sets of recognizers that nothing tells apart in fairness, by the profile's own rule. */
  readonly clusters: readonly (readonly number[])[];
  readonly failures: readonly GroupFailures[];
}

/** Resamples of all groups and recognizers together, and of each at least: some seconds, and as many as intervals were calibrated with. */
const maxResamples = 4e6;
const minResamples = 500;

/** Turns counts into estimates, intervals and tests. */
export function conclude(
  tally: Tally,
  design: Design,
  options: DisparityOptions,
  { seed, computing }: Pick<StudyContext, 'seed' | 'computing'>,
): Results {
  const { survey, subgroups, counted } = design;
  const { level, resamples, minimumSpeakers, permutations, baseline, profile } = options;
  const recognizers = design.recognizers.map((_, index) => index);
  const seeded = (what: Json) => createRandom({ seed, study: 'disparity', what });
  const bootstrap = { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
  const plain = profile === 'fairlens' ? { method: 'BCa' as const } : {};
  const nameOf = (recognizer: number) => design.recognizers[recognizer]!.name;
  const units = unitsOf(
    design,
    recognizers.map((recognizer) => tally.main(recognizer)),
  );
  const onProgress = (done: number, of: number) => computing?.('permuting attributes', done, of);
  const deal = { permutations, baseline, random: seeded('dealt'), onProgress };
  const dealt = dealGroups(units, deal);
  const resampledMeans = resampleDisparities(units, {
    level,
    resamples,
    minimumSpeakers,
    baseline,
    random: seeded('mean disparity'),
  });

  const wholes = recognizers.map((recognizer) => gather(survey, null, tally.main(recognizer)));
  // What no other study tells need not be resampled as often: the length of an interval rests on speakers' own spread.
  const cells = Math.max(1, subgroups.length * recognizers.length);
  const fewer = Math.min(resamples, Math.max(minResamples, Math.floor(maxResamples / cells)));
  const wordErrorRate = ({ counts, n: { pairs: _, ...size } }: Gathered, group: Subgroup | null): Estimate => {
    const isTold = group === null || group.attributes.length === 1 || profile === 'fairlens';
    return toEstimate(rateInterval(counts, { ...bootstrap, ...plain, ...(isTold ? {} : { resamples: fewer }) }), size);
  };
  const gapOf = ({ counts, n: { pairs: _, ...size } }: Gathered, recognizer: number, place: number): Comparison => {
    const group = subgroups[place]!;
    const [all, own] = withRestMerged(wholes[recognizer]!.counts, counts, fewer < resamples);
    // A group that is not counted has no interval, so that nothing is resampled for one.
    const few = { resamples: fewer, ...(group.counted ? {} : { minimumClusters: Number.POSITIVE_INFINITY }) };
    const difference = toEstimate(differenceInterval(all, own, { ...bootstrap, ...few }), size);
    return judged(difference, group, dealt.cells[recognizer]![counted.indexOf(place)], dealt.test);
  };
  const groups = subgroups.flatMap((group, place) =>
    recognizers.map((recognizer): GroupResult => {
      computing?.('rates and gaps of groups', place * recognizers.length + recognizer, cells);
      const own = gather(survey, group, tally.main(recognizer));
      return { group, recognizer, wordErrorRate: wordErrorRate(own, group), gap: gapOf(own, recognizer, place) };
    }),
  );
  const rates = wholes.map((whole) => wordErrorRate(whole, null));
  const table = compareDisparities(
    {
      groups: counted.map((place) => subgroups[place]!.name),
      models: recognizers.map((recognizer) => ({
        name: nameOf(recognizer),
        values: counted.map((place) => groups[place * recognizers.length + recognizer]!.wordErrorRate.value),
        ...(baseline === 'pooled' ? { baseline: rates[recognizer]!.value } : {}),
      })),
    },
    { level },
  );
  const { pairs, clusters } = compareRecognizerPairs({ tally, design, options, seed, table });
  return {
    groups,
    table,
    pairs,
    clusters,
    recognizers: recognizerResults(rates, dealt, resampledMeans, counted.length),
    failures: groupFailures(tally, design, options, seed),
  };
}

/** More speakers outside of a group than this are added up to so many; to no more than the group has, but this many, where there are many groups. */
const mostOthers = 100;
const minOthers = 25;

/**
 * Counts of everybody and of a group. Speakers outside of it are alike to the gap: what they add up to varies little, and resampling each
 * of them for every group would take most of the time.
 */
function withRestMerged(
  all: ClusteredCounts,
  group: ClusteredCounts,
  isMany: boolean,
): [ClusteredCounts, ClusteredCounts] {
  const inside: number[] = [];
  const outside: number[] = [];
  for (let place = 0; place < all.denominators.length; place++) {
    if (group.denominators[place]! > 0 || group.numerators[place] !== 0) inside.push(place);
    else if (all.denominators[place]! > 0) outside.push(place);
  }
  const others = isMany ? Math.min(mostOthers, Math.max(minOthers, inside.length)) : mostOthers;
  if (outside.length <= others) return [all, group];
  const merged = (counts: Float64Array) => {
    const values = new Float64Array(inside.length + others);
    inside.forEach((place, at) => {
      values[at] = counts[place]!;
    });
    outside.forEach((place, at) => {
      values[inside.length + (at % others)]! += counts[place]!;
    });
    return values;
  };
  const both = ({ numerators, denominators, ...rest }: ClusteredCounts) => ({
    ...rest,
    numerators: merged(numerators),
    denominators: merged(denominators),
  });
  return [both(all), both(group)];
}

function recognizerResults(
  rates: readonly Estimate[],
  dealt: DealtGroups,
  means: readonly Interval[],
  groups: number,
): RecognizerResult[] {
  return rates.map((wordErrorRate, recognizer) => {
    const { byChance, pValue, adjustedPValue } = dealt.outcomes[recognizer]!;
    return {
      recognizer,
      wordErrorRate,
      meanDisparity: toEstimate(means[recognizer]!, wordErrorRate.n),
      byChance,
      pValue: groups === 0 ? null : pValue,
      adjustedPValue: groups === 0 ? null : adjustedPValue,
    };
  });
}

/** Trials of a group that failed, beside those of everybody. */
export interface GroupFailures {
  readonly group: Subgroup;
  readonly recognizer: number;
  readonly failed: number;
  readonly asked: number;
  /** Share of the group's trials that failed less that of everybody's; tested as gaps of errors are. */
  readonly gap: Comparison;
}

/**
 * Whether failures hit some groups more than others: they are left out of error rates, so that a recognizer that gives up on a
 * group would look fair to it. Recognizers that never failed have no row.
 */
function groupFailures(tally: Tally, design: Design, options: DisparityOptions, seed: number): GroupFailures[] {
  const { survey, subgroups, counted, recognizers } = design;
  const { level, resamples, minimumSpeakers, permutations } = options;
  const failing = recognizers.flatMap((_, recognizer) =>
    survey.rows.clusters.some((__, row) => tally.failures(recognizer).errors(row) > 0) ? [recognizer] : [],
  );
  if (failing.length === 0) return [];
  const dealt = dealGroups(
    unitsOf(
      design,
      failing.map((recognizer) => tally.failures(recognizer)),
    ),
    { permutations, random: createRandom({ seed, study: 'disparity', what: 'failures' }) },
  );
  return subgroups.flatMap((group, place) =>
    failing.map((recognizer, outcome): GroupFailures => {
      const counts = tally.failures(recognizer);
      const mine = gather(survey, group, counts);
      const shares = [gather(survey, null, counts), mine].map((one) => ({ ...one.counts, proportion: true }));
      const interval = differenceInterval(shares[0]!, shares[1]!, {
        level,
        resamples,
        minimumClusters: minimumSpeakers,
        random: randomOfData(seed),
      });
      const n = { utterances: mine.n.utterances, speakers: mine.n.speakers };
      const cell = dealt.cells[outcome]![counted.indexOf(place)];
      return {
        group,
        recognizer,
        failed: mine.counts.numerators.reduce((sum, failed) => sum + failed, 0),
        asked: mine.n.words,
        gap: judged(toEstimate(interval, n), group, cell, dealt.test),
      };
    }),
  );
}
