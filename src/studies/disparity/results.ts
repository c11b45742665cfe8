import type { Json } from '../../base/json.ts';
import { createRandom } from '../../base/random.ts';
import type { Comparison, Estimate } from '../../model/finding.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { differenceInterval } from '../../statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import { compareDisparities } from '../../statistics/fairness/compare-disparities.ts';
import { dealGroups } from '../../statistics/fairness/deal-groups.ts';
import { resampleDisparities } from '../../statistics/fairness/resample-disparities.ts';
import type { StudyContext } from '../contract.ts';
import { toEstimate } from '../shared/estimates.ts';
import type { DisparityDesign, Subgroup } from './design.ts';
import { judged } from './domain-shift.ts';
import type { DisparityOptions } from './options.ts';
import { compareRecognizerPairs, type RecognizerPair } from './pairs.ts';
import { type Gathered, gather, type Scores, unitsOf } from './scores.ts';

/** One recognizer on one group. */
export interface GroupResult {
  readonly group: Subgroup;
  readonly recognizer: string;
  readonly wordErrorRate: Estimate;
  /**
   * The group's rate less that of everybody, with the test of the group against everybody else. A group that is not counted
   * has neither interval nor test.
   */
  readonly gap: Comparison;
}

/** One recognizer over all groups that are counted. */
export interface RecognizerResult {
  readonly recognizer: string;
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
  /** Sets of recognizers that nothing tells apart in fairness, by the profile's own rule. */
  readonly clusters: readonly (readonly string[])[];
  readonly failures: readonly GroupFailures[];
}

/** Resamples of all groups and recognizers together, and of each at least: some seconds, and as many as intervals were calibrated with. */
const maxResamples = 4e6;
const minResamples = 500;

/** Turns counts into estimates, intervals and tests. */
export function conclude(
  scores: Scores,
  design: DisparityDesign,
  options: DisparityOptions,
  { seed, computing }: Pick<StudyContext, 'seed' | 'computing'>,
): Results {
  const { survey, subgroups, counted, recognizers } = design;
  const { level, resamples, minimumSpeakers, permutations, baseline, profile } = options;
  const seeded = (what: Json) => createRandom({ seed, study: 'disparity', what });
  const bootstrap = { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
  const plain = profile === 'fairlens' ? { method: 'BCa' as const } : {};
  const units = unitsOf(design, scores.clean);
  const onProgress = (done: number, of: number) => computing?.('permuting attributes', done, of);
  const dealt = dealGroups(units, { permutations, baseline, random: seeded('dealt'), onProgress });
  const resampling = { level, resamples, minimumSpeakers, baseline, random: seeded('mean disparity') };
  const resampledMeans = resampleDisparities(units, resampling);

  const wholes = scores.clean.map((sums) => gather(survey, null, sums));
  // What no other study tells need not be resampled as often: the length of an interval rests on speakers' own spread.
  const cells = Math.max(1, subgroups.length * recognizers.length);
  const fewer = Math.min(resamples, Math.max(minResamples, Math.floor(maxResamples / cells)));
  const rateOf = ({ counts, n }: Gathered, group: Subgroup | null): Estimate => {
    const isTold = group === null || group.attributes.length === 1 || profile === 'fairlens';
    return toEstimate(rateInterval(counts, { ...bootstrap, ...plain, ...(isTold ? {} : { resamples: fewer }) }), n);
  };
  const groups = subgroups.flatMap((group, place) =>
    scores.clean.map((sums, number): GroupResult => {
      computing?.('rates and gaps of groups', place * recognizers.length + number, cells);
      const own = gather(survey, group, sums);
      const both = withRestMerged(wholes[number]!.counts, own.counts, fewer < resamples);
      // A group that is not counted has no interval, so that nothing is resampled for one.
      const few = { resamples: fewer, ...(group.counted ? {} : { minimumClusters: Number.POSITIVE_INFINITY }) };
      const difference = toEstimate(differenceInterval(...both, { ...bootstrap, ...few }), own.n);
      const gap = judged(difference, group, dealt.cells[number]![counted.indexOf(place)], dealt.test);
      return { group, recognizer: sums.recognizer, wordErrorRate: rateOf(own, group), gap };
    }),
  );
  const rates = wholes.map((whole) => rateOf(whole, null));
  const table = compareDisparities(
    {
      groups: counted.map((place) => subgroups[place]!.name),
      models: recognizers.map(({ name }, number) => ({
        name,
        values: counted.map((place) => groups[place * recognizers.length + number]!.wordErrorRate.value),
        ...(baseline === 'pooled' ? { baseline: rates[number]!.value } : {}),
      })),
    },
    { level },
  );
  return {
    groups,
    ...compareRecognizerPairs(scores, design, options, table, seed),
    recognizers: rates.map((wordErrorRate, number): RecognizerResult => {
      const { byChance, pValue, adjustedPValue } = dealt.outcomes[number]!;
      const isTested = counted.length > 0;
      return {
        recognizer: recognizers[number]!.name,
        wordErrorRate,
        meanDisparity: toEstimate(resampledMeans[number]!, wordErrorRate.n),
        byChance,
        pValue: isTested ? pValue : null,
        adjustedPValue: isTested ? adjustedPValue : null,
      };
    }),
    failures: groupFailures(scores, design, options, seed),
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

/** Trials of a group that failed, beside those of everybody. */
export interface GroupFailures {
  readonly group: Subgroup;
  readonly recognizer: string;
  readonly failed: number;
  readonly asked: number;
  /** Share of the group's trials that failed less that of everybody's; tested as gaps of errors are. */
  readonly gap: Comparison;
}

/**
 * Whether failures hit some groups more than others: they are left out of error rates, so that a recognizer that gives up on a
 * group would look fair to it. Recognizers that never failed have no row.
 */
function groupFailures(
  { failed }: Scores,
  design: DisparityDesign,
  { level, resamples, minimumSpeakers, permutations }: DisparityOptions,
  seed: number,
): GroupFailures[] {
  const { survey, subgroups, counted } = design;
  const failing = failed.flatMap((sums) => {
    if (!sums.errors.some((count) => count > 0)) return [];
    return [{ recognizer: sums.recognizer, sums, everybody: gather(survey, null, sums).counts }];
  });
  if (failing.length === 0) return [];
  const dealt = dealGroups(
    unitsOf(
      design,
      failing.map(({ sums }) => sums),
    ),
    { permutations, random: createRandom({ seed, study: 'disparity', what: 'failures' }) },
  );
  const bootstrap = { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
  return subgroups.flatMap((group, place) =>
    failing.map(({ recognizer, sums, everybody }, outcome): GroupFailures => {
      const { counts, n } = gather(survey, group, sums);
      const [all, own] = [everybody, counts].map((shares) => ({ ...shares, proportion: true }));
      const size = { utterances: n.utterances, speakers: n.speakers };
      const difference = toEstimate(differenceInterval(all!, own!, bootstrap), size);
      return {
        group,
        recognizer,
        failed: counts.numerators.reduce((sum, count) => sum + count, 0),
        asked: n.words,
        gap: judged(difference, group, dealt.cells[outcome]![counted.indexOf(place)], dealt.test),
      };
    }),
  );
}
