import type { Comparison, Estimate } from '../model/finding.ts';
import { randomOfData } from '../statistics/bootstrap/random-of-data.ts';
import { combineRates, rateInterval } from '../statistics/bootstrap/rate-interval.ts';
import { type Contrast, compareAll, type Family } from '../studies/shared/comparisons.ts';
import { type Decisive, decisiveOf } from '../studies/shared/decisive.ts';
import { toEstimate } from '../studies/shared/estimates.ts';
import { gather, type Part, rateOf, type SlicedCounts } from '../studies/shared/sliced-counts.ts';
import type { ComparisonSettings } from './conclude-pairs.ts';

/** Most important first. */
export const historyFamilies: readonly Family[] = [
  { name: 'the trend', weight: 2 },
  { name: 'where it begins', weight: 1 },
  { name: 'trends of groups', weight: 1 },
];

/** The slope of all trials, or of those of one group. */
export interface HistoryTrend {
  readonly group: Part['group'];
  /** Of the rate, from one run to the next. */
  readonly comparison: Comparison;
}

/** Rates of the compared runs, and what was tested of them. */
export interface HistoryResults {
  /** Of each compared run, over what it answered. */
  readonly rates: readonly Estimate[];
  /** Who decides the rate of each; null: nobody. */
  readonly decided: readonly (Decisive | null)[];
  /** How far each run is from the others: the mean of its differences from them, each over what the two share. */
  readonly levels: readonly number[];
  readonly tested: {
    /** Null of one run. */
    readonly trend: HistoryTrend | null;
    readonly groups: readonly HistoryTrend[];
    /** `since`: place of the first run after the change. */
    readonly beginnings: readonly { readonly since: number; readonly comparison: Comparison }[];
  };
}

/** Where the counts of one run stand: all of it, or what it shares with another. */
export type HistorySeries = (run: number, sharedWith: number) => number;

/** Two runs, the later less the earlier, and how much their difference counts. */
interface PairOfRuns {
  readonly earlier: number;
  readonly later: number;
  readonly weight: number;
}

/**
 * Rates of runs, their trend and where it may begin, tested together. All differences are means of differences between two runs, each over the
 * questions that these two answered: the slope of the least squares is the mean of all of them by how many runs the two are apart (by their
 * squares, per run), and later runs less earlier ones the mean of those across the place. Where every run answered all, these are the same numbers as of the runs' rates.
 *
 * @param slices whose series are the runs, oldest first and watched, and what each shares with another
 */
export function concludeHistory(
  slices: SlicedCounts,
  runs: number,
  seriesOf: HistorySeries,
  settings: ComparisonSettings,
): HistoryResults {
  const { level, resamples, minimumSpeakers, seed } = settings;
  const whole = slices.whole();
  const options = { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
  const all = Array.from({ length: runs }, (_, run) => run);
  const rates = all.map((run) => {
    const { counts, n } = gather(whole, seriesOf(run, run));
    return toEstimate(rateInterval(counts, options), n);
  });
  const decided = all.map((run) => {
    const watched = { counts: gather(whole, run).counts, units: whole.units, watch: whole.watch(run) };
    return decisiveOf(watched, () => rates[run]!, options, slices.clusters.speakerOf);
  });
  const levels = all.map((run) => {
    const differences = all.flatMap((other) => {
      const [own, others] = [rateOf(whole, seriesOf(run, other)), rateOf(whole, seriesOf(other, run))];
      return own === null || others === null ? [] : [own - others];
    });
    return differences.reduce((sum, one) => sum + one, 0) / Math.max(1, differences.length);
  });
  if (runs < 2) return { rates, decided, levels, tested: { trend: null, groups: [], beginnings: [] } };
  const pairs = all.flatMap((earlier) => all.slice(earlier + 1).map((later) => ({ earlier, later })));
  const sharedBy = new Map(
    [whole, ...slices.groups()].map((part) => [
      JSON.stringify(part.group),
      pairs.filter(({ earlier, later }) => rateOf(part, seriesOf(earlier, later)) !== null),
    ]),
  );
  const pairsOf = ({ group }: Part, since: number | null) =>
    sharedBy
      .get(JSON.stringify(group))!
      .filter(({ earlier, later }) => since === null || (earlier < since && since <= later))
      .map(({ earlier, later }): PairOfRuns => {
        return { earlier, later, weight: since === null ? later - earlier : 1 };
      });
  const places: { readonly part: Part; readonly since: number | null; readonly family: number }[] = [
    { part: whole, since: null, family: 0 },
    // Of two runs the trend is all there is.
    ...(runs > 2 ? all.slice(1).map((since) => ({ part: whole, since, family: 1 })) : []),
    ...slices.groups().map((part) => ({ part, since: null, family: 2 })),
  ];
  const comparisons = compareAll(
    places,
    ({ part, since, family }) => ({ ...contrastOf(part, pairsOf(part, since), seriesOf), family }),
    { level, resamples, minimumSpeakers, seed, speakers: slices.clusters.count, families: historyFamilies },
  );
  const trends = places.flatMap(({ part, since }, place): HistoryTrend[] => {
    if (since !== null) return [];
    const comparison = comparisons[place]!;
    const own = pairsOf(part, null);
    const total = own.reduce((sum, { weight }) => sum + weight, 0);
    const apart = own.reduce((sum, { weight }) => sum + weight ** 2, 0) / total;
    const perRun = (end: number | null) => (end === null ? null : end / apart);
    const { value, low, high } = comparison.difference;
    const difference = {
      ...comparison.difference,
      ...{ value: perRun(value), low: perRun(low), high: perRun(high) },
    };
    return [{ group: part.group, comparison: { ...comparison, difference } }];
  });
  return {
    rates,
    decided,
    levels,
    tested: {
      trend: trends[0]!,
      groups: trends.slice(1),
      beginnings: places.flatMap(({ since }, place) =>
        since === null ? [] : [{ since, comparison: comparisons[place]! }],
      ),
    },
  };
}

/** The mean of differences between two runs; without any, nothing on both sides. */
function contrastOf(part: Part, pairs: readonly PairOfRuns[], seriesOf: HistorySeries): Contrast {
  const total = pairs.reduce((sum, { weight }) => sum + weight, 0);
  const sides = pairs.map(({ earlier, later, weight }) => ({
    weight: weight / total,
    before: gather(part, seriesOf(earlier, later)),
    after: gather(part, seriesOf(later, earlier)),
  }));
  const none = gather(part, -1);
  const combined = (side: 'before' | 'after') =>
    combineRates(sides.map((one) => ({ counts: one[side].counts, weight: one.weight }))) ?? none.counts;
  const largest = sides.toSorted((one, other) => other.after.n.utterances - one.after.n.utterances)[0];
  return {
    ...{ first: combined('before'), second: combined('after') },
    clusters: part.units,
    n: largest?.after.n ?? none.n,
  };
}

/**
 * Where the rates of the runs bend, and how: of a step and of a straight line that leaves the level, at every place, the one that leaves the least
 * squares. Null of fewer than three runs.
 */
export function bendOf({ levels: values, tested: { beginnings } }: HistoryResults) {
  const bends = beginnings.flatMap(({ since, comparison }) => [
    { since, comparison, grows: false, left: leftOf(values, (run) => (run >= since ? 1 : 0)) },
    { since, comparison, grows: true, left: leftOf(values, (run) => Math.max(0, run - since + 1)) },
  ]);
  return bends.toSorted((a, b) => a.left - b.left)[0] ?? null;
}

/** The sum of squares that a straight line in `along` leaves. */
function leftOf(values: readonly number[], along: (run: number) => number): number {
  const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length;
  const x = values.map((_, run) => along(run));
  const [middle, level] = [mean(x), mean(values)];
  const sum = (product: (run: number) => number) => values.reduce((all, _, run) => all + product(run), 0);
  const slope = sum((run) => (x[run]! - middle) * values[run]!) / sum((run) => (x[run]! - middle) ** 2);
  return sum((run) => (values[run]! - level - slope * (x[run]! - middle)) ** 2);
}
