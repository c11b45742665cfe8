import type { Json } from '../../base/json.ts';
import type { Comparison, Estimate } from '../../model/finding.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import { compareAll } from '../shared/comparisons.ts';
import { toEstimate } from '../shared/estimates.ts';
import { gather, type Part } from '../shared/sliced-counts.ts';
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

/** Turns counts into rates, differences and tests; p values are corrected for all of them together. */
export function concludePairs(tally: PairTally, settings: ComparisonSettings): ComparisonResults {
  const { level, resamples, minimumSpeakers, seed } = settings;
  const whole = tally.slices.whole();
  const places: { condition: number | null; part: Part; before: number; after: number; what: Json }[] = [];
  const add = (condition: number | null, part: Part) => {
    places.push({
      condition,
      part,
      before: condition === null ? pairSeries.allBefore : pairSeries.before(condition),
      after: condition === null ? pairSeries.allAfter : pairSeries.after(condition),
      what: [
        condition === null ? null : tally.conditions[condition]!.name,
        part.group && [part.group.attribute, part.group.value],
      ],
    });
  };
  add(null, whole);
  const conditions = tally.conditions.length > 1 ? tally.conditions.map((_, index) => index) : [];
  for (const condition of conditions) add(condition, whole);
  for (const part of tally.slices.groups()) add(null, part);

  const contrastOf = ({ part, before, after, what }: (typeof places)[number]) => {
    const second = gather(part, after);
    return { first: gather(part, before).counts, second: second.counts, n: second.n, what };
  };
  const comparisons = compareAll(places, contrastOf, { level, resamples, minimumSpeakers, seed, study: 'comparison' });
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
