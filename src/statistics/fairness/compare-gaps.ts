import { grouped } from '../../base/number-format.ts';
import type { Reason } from '../../model/reason.ts';
import type { Interval } from '../interval.ts';
import { stepDownMaximum } from '../significance/multiplicity.ts';
import { farthestKept } from '../significance/permutation-result.ts';
import { fromNormalScale, onNormalScale } from '../significance/studentized-difference.ts';
import { distinctColumns, type GroupedUnits, groupSums, rowsBySpeaker } from './grouped-units.ts';
import { columnsOfPair, type ErrorPair, pairSums } from './pair-sums.ts';
import { type ResampleOptions, resampledRows } from './resample-disparities.ts';

/** Two recognizers: whether one is more unequal than the other. */
export interface GapComparison {
  /** Mean disparities on these words; null where no group has any. */
  readonly meanDisparities: readonly [first: number | null, second: number | null];
  /** The second's mean disparity less the first's. It leaves out 0 where p is at most 1 - level, and only there. */
  readonly difference: Interval;
  /** Two-sided, by itself; null with the interval. */
  readonly pValue: number | null;
  /** Corrected for all pairs. */
  readonly adjustedPValue: number | null;
}

export interface ComparedGaps {
  readonly pairs: readonly GapComparison[];
  readonly test: string;
}

/** Sums and statistics that all resamples may cost together: some seconds; and how few resamples there may be of large tables. */
const maxAdditions = 2e9;
const minResamples = 500;

/**
 * Whether recognizers are equally unequal: two have one gap, however large, where each speaker's *difference between the two* is as
 * large in every group as outside of it. So that difference is compared, group against everybody else (a difference in differences of
 * pooled rates), in standard errors of its own: each side has its own variance (W. Cochran, "Sampling techniques", 3rd edition,
 * formula 2.46) and Welch's degrees of freedom, brought to a normal scale. What chance makes of it is seen in resamples of whole
 * speakers, measured from what was observed and studentized anew (bootstrap-t: B. Efron and R. Tibshirani, "An introduction to the
 * bootstrap", 1993, chapter 12.5). A pair's statistic is that of the group that is farthest out; all pairs are corrected by the
 * step-down maximum over the same resamples. Dealing attributes anew would ask another question: whether they matter to any
 * recognizer at all.
 *
 * Gaps may differ and be as large on average (of opposite sign, in other groups). So the difference of the mean disparities must be told
 * from 0 too, by the same resamples: its t with their standard deviation. A pair's p is the greater of the two (R. Berger,
 * Technometrics 24, 1982), and where gaps are not told apart the interval goes on to 0.
 *
 * How often equal ones are told apart: design/joint-tests.md, bench/calibration/equal-effects.ts.
 *
 * @param units rows and groups; `outcomes` of its own are not looked at
 * @throws RangeError for lengths that differ, impossible options
 * @example
 * // the same gap of 60 points, the second recognizer 10 points worse for everybody
 * compareGaps({ speakers, profiles, groups: [[0], [1]] }, [{ first, second, words }], { random }).pairs[0].adjustedPValue
 */
export function compareGaps(
  units: Omit<GroupedUnits, 'outcomes'>,
  pairs: readonly ErrorPair[],
  options: ResampleOptions,
): ComparedGaps {
  const { baseline = 'pooled', level = 0.95, resamples: wanted = 2000, minimumSpeakers = 10, random } = options;
  const rows = units.profiles.length;
  for (const { first, second, words } of pairs) {
    if (![first, second, words].every(({ length }) => length === rows)) {
      throw new RangeError(
        `expected ${rows} rows everywhere, but got ${first.length}, ${second.length} and ${words.length}`,
      );
    }
  }
  const speakers = rowsBySpeaker(units);
  const { columns, places } = distinctColumns(pairs.flatMap(columnsOfPair));
  const { byGroup, add } = groupSums(units, columns);
  const totals = new Float64Array(columns.length);
  const groups = units.groups.length;
  const each = places.length / Math.max(1, pairs.length);
  const ofPairs = pairs.map((pair, at) => pairSums(pair, places.slice(each * at, each * (at + 1))));

  const sum = (weights: ArrayLike<number>) => {
    add(units.profiles, weights);
    columns.forEach((column, place) => {
      let total = 0;
      for (let row = 0; row < rows; row++) total += weights[row]! * column[row]!;
      totals[place] = total;
    });
  };
  sum(new Uint8Array(rows).fill(1));
  const read = { byGroup, totals, groups, isPooled: baseline === 'pooled' };
  const observed = ofPairs.map((pair) => pair.observe(read, units));
  const heard = pairs.map(({ words }) => speakers.filter((own) => own.some((row) => words[row]! > 0)).length);
  const needed = Math.max(2, minimumSpeakers);
  const reasons = observed.map(({ meanDisparities }, at): Reason | null => {
    if (meanDisparities.some(Number.isNaN)) return { code: 'no-rate-of-groups' };
    return heard[at]! < needed ? { code: 'few-units', need: needed, have: [heard[at]!] } : null;
  });

  const cost =
    columns.length * (rows + units.groups.reduce((all, own) => all + own.length, 0)) + 20 * pairs.length * groups;
  const resamples = Math.min(wanted, Math.max(minResamples, Math.floor(maxAdditions / Math.max(1, cost))));
  const farthest = Array.from(pairs, () => new Float64Array(resamples));
  const differences = Array.from(pairs, () => new Float64Array(resamples));
  if (reasons.includes(null)) {
    resampledRows(units, resamples, random, (weights, resample) => {
      sum(weights);
      ofPairs.forEach((pair, at) => {
        if (reasons[at] !== null) return;
        farthest[at]![resample] = pair.farthest(read);
        differences[at]![resample] = pair.difference(read);
      });
    });
  }

  const means = observed.map(({ meanDisparities: [one, other], influences }, at) =>
    spreadOf(other - one, differences[at]!, { freedom: freedomOf(influences, speakers), speakers: heard[at]!, level }),
  );
  // What has no interval has no test either, and makes nobody else's harder.
  const reasonOf = (at: number) => reasons[at] ?? means[at]!.reason;
  const open = (at: number) => reasonOf(at) !== null;
  const gapTests = stepDownMaximum(observed.map((pair, at) => (open(at) ? null : pair.farthest)));
  const meanTests = stepDownMaximum(means.map(({ statistic }, at) => (open(at) ? null : statistic)));
  const [gapsNow, meansNow] = [new Float64Array(pairs.length), new Float64Array(pairs.length)];
  for (let resample = 0; resample < resamples && reasons.includes(null); resample++) {
    for (let at = 0; at < pairs.length; at++) {
      gapsNow[at] = farthest[at]![resample]!;
      meansNow[at] = means[at]!.distances[resample]!;
    }
    gapTests.add(gapsNow);
    meanTests.add(meansNow);
  }
  const [byGaps, byMeans] = [gapTests.pValues(), meanTests.pValues()];
  const told = pairs.filter((_, at) => !open(at)).length;
  const method = `bootstrap over speakers, ${grouped(resamples)} resamples, t interval with their spread, on to 0 where no group’s gap differs`;
  return {
    test: `bootstrap-t of gaps between recognizers, whole speakers resampled ${grouped(resamples)} times, step-down maximum over ${told} pair${told === 1 ? '' : 's'}`,
    pairs: observed.map(({ meanDisparities: [one, other] }, at): GapComparison => {
      const value = other - one;
      const meanDisparities = Number.isNaN(value) ? ([null, null] as const) : ([one, other] as const);
      const mean = means[at]!;
      const untold = (reason: Reason): GapComparison => ({
        meanDisparities,
        difference: { value: Number.isNaN(value) ? null : value, low: null, high: null, level, reason, method },
        pValue: null,
        adjustedPValue: null,
      });
      const reason = reasonOf(at);
      if (reason !== null) return untold(reason);
      const apart = byGaps[at]!.pValue!;
      const isOpen = apart > 1 - level + 1e-12;
      const [low, high] = [value - mean.half, value + mean.half];
      return {
        meanDisparities,
        difference: {
          ...{ value, level, method },
          ...(isOpen ? { low: Math.min(0, low), high: Math.max(0, high) } : { low, high }),
        },
        pValue: Math.max(apart, byMeans[at]!.pValue!),
        adjustedPValue: Math.max(byGaps[at]!.adjustedPValue!, byMeans[at]!.adjustedPValue!),
      };
    }),
  };
}

/** The difference of mean disparities in the resamples' standard deviations, on a normal scale, and how far resamples are from their middle. */
function spreadOf(
  difference: number,
  resampled: Float64Array,
  { freedom, speakers, level }: { readonly freedom: number; readonly speakers: number; readonly level: number },
) {
  const known = resampled.filter((value) => !Number.isNaN(value));
  const middle = known.reduce((sum, value) => sum + value, 0) / known.length;
  const squares = known.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  const degreesOfFreedom = Math.min(speakers - 1, freedom);
  // The spread of resamples has the divisor n and not n - 1.
  const spread = Math.sqrt(squares / (known.length - 1));
  const deviation = spread * Math.sqrt(speakers / (speakers - 1));
  // A resample without a group counts against a difference.
  const distances = resampled.map((value) =>
    Number.isNaN(value) ? Number.POSITIVE_INFINITY : Math.abs(value - middle) / spread,
  );
  const half = deviation * fromNormalScale(farthestKept(distances, level, false), degreesOfFreedom);
  return {
    /** Of the interval; no number where there is a reason. */
    half,
    statistic: onNormalScale(Math.abs(difference) / deviation, degreesOfFreedom),
    distances,
    /** Why there is no interval; null where there is one. */
    reason: withoutInterval(spread, half, resampled, level),
  };
}

function withoutInterval(spread: number, half: number, resampled: Float64Array, level: number): Reason | null {
  if (spread <= 1e-12) return { code: 'alike' };
  if (Number.isFinite(half)) return null;
  const lost = resampled.filter(Number.isNaN).length;
  if (!Number.isFinite(farthestKept(new Float64Array(resampled.length), level, false)))
    return { code: 'few-resamples', resamples: resampled.length, level };
  // Of a group that so many resamples are without, the rest do not tell how it varies.
  if (lost > 0) return { code: 'rate-missing-in-resamples', missing: lost, resamples: resampled.length };
  return { code: 'variance-of-few' };
}

/**
 * How well a variance is known to which units add these, as F. Satterthwaite has it ("An approximate distribution of estimates of variance
 * components", Biometrics Bulletin 2, 1946): where few speakers make most of it, those of a small group, it has little more than their number.
 *
 * @param influences of rows
 */
function freedomOf(influences: Float64Array, speakers: readonly (readonly number[])[]): number {
  let [squares, fourths] = [0, 0];
  for (const rows of speakers) {
    const own = rows.reduce((sum, row) => sum + influences[row]!, 0);
    squares += own ** 2;
    fourths += own ** 4;
  }
  // It is no less than 1, but for rounding: 1 where all add the same.
  const excess = Math.max(0, (speakers.length * fourths) / squares ** 2 - 1);
  return squares > 0 ? Math.max(1, (2 * speakers.length) / excess) : 1;
}
