import type { Comparison, Estimate, SampleSize } from '../model/finding.ts';
import { clean } from '../model/trial.ts';
import { resamplesAlike } from '../statistics/bootstrap/cluster-bootstrap.ts';
import type { ClusteredCounts } from '../statistics/bootstrap/clustered-counts.ts';
import { differenceInterval } from '../statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../statistics/bootstrap/rate-interval.ts';
import { compareAll, type Family } from '../studies/shared/comparisons.ts';
import { measured, toEstimate } from '../studies/shared/estimates.ts';
import { type Gathered, gather, type Part } from '../studies/shared/sliced-counts.ts';
import { againSeries, type PairTally, pairSeries } from './tally-pairs.ts';

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
  /** How far apart the two may be either way; see `withinOf`. */
  readonly within: Estimate;
}

/** What changed between two sides: in all, and apart by condition and group. */
export interface ComparisonResults {
  /** Over all conditions. */
  readonly overall: Change;
  /** Empty where there is only one: `overall` says it all. */
  readonly conditions: readonly Change[];
  readonly groups: readonly Change[];
  /** Empty where there is one condition. */
  readonly groupsInConditions: readonly Change[];
  /** Null where no clip was asked twice of both. */
  readonly again: Again | null;
}

/** Shares of clips of which two answers are not the same. */
export interface Again {
  readonly before: Estimate;
  readonly after: Estimate;
  /** Two answers of one side. */
  readonly within: Estimate;
  /** One of each side. */
  readonly between: Estimate;
  /** Between less within. */
  readonly comparison: Comparison;
}

/** Most important first. */
export const changeFamilies: readonly Family[] = [
  { name: 'clean audio and all conditions together', weight: 2 },
  { name: 'groups', weight: 1 },
  { name: 'single conditions', weight: 1 },
  { name: 'groups in single conditions', weight: 1 },
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
  const groups = tally.slices.groups();
  for (const part of groups) add(null, part);
  for (const condition of conditions) for (const part of groups) add(condition, part);

  const contrastOf = ({ condition, part, before, after }: (typeof places)[number]) => {
    const second = gather(part, after);
    const clusters = part.rows.map((row) => part.clusterOf(row));
    const own = condition === null || tally.conditions[condition]!.name === clean.name;
    const family = part.group !== null ? (condition === null ? 1 : 3) : own ? 0 : 2;
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
      within: withinOf(first, second, n, settings),
    };
  });
  return {
    overall: changes[0]!,
    conditions: changes.filter(({ condition, group }) => condition !== null && group === null),
    groups: changes.filter(({ condition, group }) => condition === null && group !== null),
    groupsInConditions: changes.filter(({ condition, group }) => condition !== null && group !== null),
    again: concludeAgain(tally, settings),
  };
}

/**
 * The least margin within which two rates are shown to be the same: the further end of the interval of their difference that leaves out as much
 * on each side as the level leaves out in all (90 % for a level of 95 %). That is two one-sided tests (D. Schuirmann, Journal of
 * Pharmacokinetics and Biopharmaceutics 15, 1987): where the truth lies at a margin, this is below it in at most 1 - level.
 */
function withinOf(
  first: ClusteredCounts,
  second: ClusteredCounts,
  n: SampleSize,
  { level, resamples, minimumSpeakers, seed }: ComparisonSettings,
): Estimate {
  const options = { level: 2 * level - 1, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
  const { value, low, high, reason } = differenceInterval(first, second, options);
  const method = 'further end of the interval of two one-sided tests';
  const told = (further: number | null, why: string) => measured(further, n, why, method);
  // Where every speaker changed alike, no resample says otherwise.
  if (reason === resamplesAlike && value === 0) return told(0, 'no speaker has another rate');
  return low === null || high === null
    ? told(null, reason ?? 'there is no interval')
    : told(Math.max(-low, high), 'a bound, which has no interval');
}

/** Whether answers of the two sides differ more often than two answers of one side to the same clip. */
function concludeAgain({ again }: PairTally, settings: ComparisonSettings): Again | null {
  const whole = again.whole();
  const [before, after, within, between] = [
    againSeries.before,
    againSeries.after,
    againSeries.within,
    againSeries.between,
  ].map((series) => gather(whole, series)) as [Gathered, Gathered, Gathered, Gathered];
  if (between.n.pairs === 0) return null;
  const { level, resamples, minimumSpeakers, seed } = settings;
  const share = ({ counts, n: { words: _, ...n } }: Gathered) =>
    toEstimate(
      rateInterval(counts, { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) }),
      n,
    );
  const { words: _, ...n } = between.n;
  const [comparison] = compareAll([null], () => ({ first: within.counts, second: between.counts, n }), {
    ...{ level, resamples, minimumSpeakers, seed },
  });
  return {
    ...{ before: share(before), after: share(after), within: share(within), between: share(between) },
    comparison: comparison!,
  };
}
