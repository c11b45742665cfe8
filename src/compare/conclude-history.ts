import type { Comparison, Estimate, SampleSize } from '../model/finding.ts';
import type { ClusteredCounts } from '../statistics/bootstrap/clustered-counts.ts';
import { randomOfData } from '../statistics/bootstrap/random-of-data.ts';
import { rateInterval } from '../statistics/bootstrap/rate-interval.ts';
import { compareAll, type Family } from '../studies/shared/comparisons.ts';
import { toEstimate } from '../studies/shared/estimates.ts';
import { gather, type Part, type SlicedCounts } from '../studies/shared/sliced-counts.ts';
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
  /** Of each compared run. */
  readonly rates: readonly Estimate[];
  readonly tested: {
    /** Null of one run. */
    readonly trend: HistoryTrend | null;
    readonly groups: readonly HistoryTrend[];
    /** `since`: place of the first run after the change. */
    readonly beginnings: readonly { readonly since: number; readonly comparison: Comparison }[];
  };
}

/**
 * Rates of runs, their trend and where it may begin, tested together.
 *
 * @param slices whose series are the runs, oldest first, each of the same questions
 */
export function concludeHistory(slices: SlicedCounts, runs: number, settings: ComparisonSettings): HistoryResults {
  const { level, resamples, minimumSpeakers, seed } = settings;
  const whole = slices.whole();
  const options = { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
  const rates = Array.from({ length: runs }, (_, run) => {
    const { counts, n } = gather(whole, run);
    return toEstimate(rateInterval(counts, options), n);
  });
  if (runs < 2) return { rates, tested: { trend: null, groups: [], beginnings: [] } };
  // Whole numbers, of the same sum on both sides: what does not differ must not differ by a rounding either.
  const fromMiddle = (run: number) => 2 * run - (runs - 1);
  const earlier = (run: number) => Math.max(0, -fromMiddle(run));
  const later = (run: number) => Math.max(0, fromMiddle(run));
  const places: { readonly part: Part; readonly since: number | null; readonly family: number }[] = [
    { part: whole, since: null, family: 0 },
    // Of two runs the trend is all there is.
    ...(runs > 2 ? Array.from({ length: runs - 1 }, (_, run) => ({ part: whole, since: run + 1, family: 1 })) : []),
    ...slices.groups().map((part) => ({ part, since: null, family: 2 })),
  ];
  const comparisons = compareAll(
    places,
    ({ part, since, family }) => {
      const weigh = (weight: (run: number) => number) => weighted(part, runs, weight);
      const first = since === null ? weigh(earlier) : weigh((run) => (run < since ? runs - since : 0));
      const second = since === null ? weigh(later) : weigh((run) => (run >= since ? since : 0));
      const clusters = part.rows.map((row) => part.clusterOf(row));
      return { first: first.counts, second: second.counts, clusters, n: second.n, family };
    },
    { level, resamples, minimumSpeakers, seed, speakers: slices.clusters.count, families: historyFamilies },
  );
  const all = Array.from({ length: runs }, (_, run) => run);
  const total = all.reduce((sum, run) => sum + later(run), 0);
  // How many runs the two weighted means are apart: each lies half of this from the middle.
  const apart = all.reduce((sum, run) => sum + later(run) * fromMiddle(run), 0) / total;
  const perRun = (end: number | null) => (end === null ? null : end / apart);
  const trends = places.flatMap(({ part, since }, place): HistoryTrend[] => {
    if (since !== null) return [];
    const comparison = comparisons[place]!;
    const { value, low, high } = comparison.difference;
    const difference = {
      ...comparison.difference,
      ...{ value: perRun(value), low: perRun(low), high: perRun(high) },
    };
    return [{ group: part.group, comparison: { ...comparison, difference } }];
  });
  return {
    rates,
    tested: {
      trend: trends[0]!,
      groups: trends.slice(1),
      beginnings: places.flatMap(({ since }, place) =>
        since === null ? [] : [{ since, comparison: comparisons[place]! }],
      ),
    },
  };
}

/** Errors and words of several runs together. */
function weighted(
  part: Part,
  runs: number,
  weight: (run: number) => number,
): { counts: ClusteredCounts; n: SampleSize } {
  const numerators = new Float64Array(part.rows.length);
  const denominators = new Float64Array(part.rows.length);
  for (let run = 0; run < runs; run++) {
    const own = weight(run);
    if (own === 0) continue;
    const { counts } = gather(part, run);
    counts.numerators.forEach((errors, place) => {
      numerators[place]! += own * errors;
      denominators[place]! += own * counts.denominators[place]!;
    });
  }
  return { counts: { numerators, denominators }, n: gather(part, 0).n };
}

/**
 * Where the rates of the runs bend, and how: of a step and of a straight line that leaves the level, at every place, the one that leaves the least
 * squares. Null of fewer than three runs.
 */
export function bendOf({ rates, tested: { beginnings } }: HistoryResults) {
  const values = rates.map(({ value }) => value ?? 0);
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
