import { clean } from '../model/condition.ts';
import type { Comparison, Estimate } from '../model/finding.ts';
import { randomOfData } from '../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../statistics/bootstrap/rate-interval.ts';
import { compareAll, type Family } from '../studies/shared/comparisons.ts';
import { toEstimate } from '../studies/shared/estimates.ts';
import { gather, type Part } from '../studies/shared/sliced-counts.ts';
import { type PairTally, pairSeries } from './tally-pairs.ts';

export interface ComparisonSettings {
  readonly level: number;
  readonly resamples: number;
  readonly minimumSpeakers: number;
  readonly seed: number;
}

/** Both sides in one place, on the trials that both answered. */
export interface Change {
  /** Null: all conditions. */
  readonly condition: number | null;
  /** Null: everybody. */
  readonly group: Part['group'];
  readonly before: Estimate;
  readonly after: Estimate;
  readonly comparison: Comparison;
}

export interface ComparisonResults {
  /** Over all conditions. */
  readonly overall: Change;
  /** Empty where there is only one: `overall` says it all. */
  readonly conditions: readonly Change[];
  readonly groups: readonly Change[];
}

/** Most important first. */
export const changeFamilies: readonly Family[] = [
  { name: 'clean audio and all conditions together', weight: 2 },
  { name: 'groups', weight: 1 },
  { name: 'single conditions', weight: 1 },
];

/** Turns counts into rates, differences and tests; p values are corrected for all of them together. */
export function concludePairs(tally: PairTally, settings: ComparisonSettings): ComparisonResults {
  const { level, resamples, minimumSpeakers, seed } = settings;
  const whole = tally.slices.whole();
  const places: { condition: number | null; part: Part; before: number; after: number }[] = [];
  const add = (condition: number | null, part: Part) => {
    places.push({
      condition,
      part,
      before: condition === null ? pairSeries.allBefore : pairSeries.before(condition),
      after: condition === null ? pairSeries.allAfter : pairSeries.after(condition),
    });
  };
  add(null, whole);
  const conditions = tally.conditions.length > 1 ? tally.conditions.map((_, index) => index) : [];
  for (const condition of conditions) add(condition, whole);
  for (const part of tally.slices.groups()) add(null, part);

  const contrastOf = ({ condition, part, before, after }: (typeof places)[number]) => {
    const second = gather(part, after);
    const clusters = part.rows.map((row) => part.clusterOf(row));
    const own = condition === null || tally.conditions[condition]!.name === clean.name;
    const family = part.group !== null ? 1 : own ? 0 : 2;
    return { first: gather(part, before).counts, second: second.counts, clusters, n: second.n, family };
  };
  const comparisons = compareAll(places, contrastOf, {
    ...{ level, resamples, minimumSpeakers, seed, speakers: tally.slices.clusters.count },
    families: changeFamilies,
  });
  const changes = places.map((place, index): Change => {
    const { first, second, n } = contrastOf(place);
    const rate = (counts: typeof first) => {
      const options = { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
      return toEstimate(rateInterval(counts, options), n);
    };
    return {
      condition: place.condition,
      group: place.part.group,
      before: rate(first),
      after: rate(second),
      comparison: comparisons[index]!,
    };
  });
  return {
    overall: changes[0]!,
    conditions: changes.filter(({ condition }) => condition !== null),
    groups: changes.filter(({ group }) => group !== null),
  };
}
