import type { Json } from '../../base/json.ts';
import { createRandom } from '../../base/random.ts';
import type { Comparison, Estimate } from '../../model/finding.ts';
import { differenceInterval } from '../../statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import { compareDisparities, type DisparityTable } from '../../statistics/fairness/compare-disparities.ts';
import { type DealtGroups, dealGroups } from '../../statistics/fairness/deal-groups.ts';
import { resampleDisparities } from '../../statistics/fairness/resample-disparities.ts';
import type { Interval } from '../../statistics/interval.ts';
import { holm } from '../../statistics/significance/holm.ts';
import { toEstimate } from '../shared/estimates.ts';
import type { Design } from './design.ts';
import { gather, unitsOf } from './gather.ts';
import { type GroupFailures, groupFailures } from './group-failures.ts';
import { judged } from './judged.ts';
import type { DisparityOptions } from './options.ts';
import { comparePairs, type RecognizerPair } from './pairs.ts';
import type { Subgroup } from './subgroups.ts';
import type { Tally } from './tally.ts';

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
  /** Whether it is more than that; corrected for all recognizers (Holm) in `adjustedPValue`. */
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

/** Turns counts into estimates, intervals and tests. */
export function conclude(tally: Tally, design: Design, options: DisparityOptions, seed: number): Results {
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
  const deal = { permutations, baseline, random: seeded('dealt') };
  const dealt = dealGroups(units, deal);
  const resampledMeans = resampleDisparities(units, {
    level,
    resamples,
    minimumSpeakers,
    baseline,
    random: seeded('mean disparity'),
  });

  const wholes = recognizers.map((recognizer) => gather(survey, null, tally.main(recognizer)));
  const wordErrorRate = (recognizer: number, group: Subgroup | null): Estimate => {
    const { counts, n } = group === null ? wholes[recognizer]! : gather(survey, group, tally.main(recognizer));
    const { pairs: _, ...size } = n;
    return toEstimate(rateInterval(counts, { ...bootstrap, ...plain }), size);
  };
  const gapOf = (recognizer: number, place: number): Comparison => {
    const group = subgroups[place]!;
    const { counts, n } = gather(survey, group, tally.main(recognizer));
    const { pairs: _, ...size } = n;
    const difference = toEstimate(differenceInterval(wholes[recognizer]!.counts, counts, bootstrap), size);
    return judged(difference, group, dealt.cells[recognizer]![counted.indexOf(place)], dealt.test);
  };
  const groups = subgroups.flatMap((group, place) =>
    recognizers.map(
      (recognizer): GroupResult => ({
        group,
        recognizer,
        wordErrorRate: wordErrorRate(recognizer, group),
        gap: gapOf(recognizer, place),
      }),
    ),
  );
  const rates = recognizers.map((recognizer) => wordErrorRate(recognizer, null));
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
  const { pairs, clusters } = comparePairs({ tally, design, options, seed, dealt, resampledMeans, table });
  return {
    groups,
    table,
    pairs,
    clusters,
    recognizers: recognizerResults(rates, dealt, resampledMeans.outcomes, counted.length),
    failures: groupFailures(tally, design, options, seed),
  };
}

function recognizerResults(
  rates: readonly Estimate[],
  dealt: DealtGroups,
  means: readonly Interval[],
  groups: number,
): RecognizerResult[] {
  const adjusted = holm(dealt.outcomes.map(({ pValue }) => (groups === 0 ? null : pValue)));
  return rates.map((wordErrorRate, recognizer) => {
    const { byChance, pValue } = dealt.outcomes[recognizer]!;
    return {
      recognizer,
      wordErrorRate,
      meanDisparity: toEstimate(means[recognizer]!, wordErrorRate.n),
      byChance,
      pValue: groups === 0 ? null : pValue,
      adjustedPValue: adjusted[recognizer]!,
    };
  });
}
