import { grouped } from '../../base/number-format.ts';
import { neededClusters } from '../bootstrap/cluster-spread.ts';
import type { Interval } from '../interval.ts';
import { stepDownMaximum } from '../significance/multiplicity.ts';
import { farthestKept } from '../significance/permutation-result.ts';
import { fromNormalScale, groupVariance, onNormalScale } from '../significance/studentized-difference.ts';
import { distinctColumns, type GroupedUnits, groupSums, rowsBySpeaker } from './grouped-units.ts';
import { type ResampleOptions, resampledRows } from './resample-disparities.ts';

/** Errors of two recognizers in the same words, row by row. */
export interface ErrorPair {
  readonly first: Float64Array;
  readonly second: Float64Array;
  readonly words: Float64Array;
}

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

/** What is summed up of each pair, by group. */
const columnsOfPair = 8;

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
  const { columns, places } = distinctColumns(pairs.flatMap(columnsFor));
  const { byGroup, add } = groupSums(units, columns);
  const totals = new Float64Array(columns.length);
  const groups = units.groups.length;
  const ofPairs = pairs.map((pair, at) => pairSums(pair, places.slice(columnsOfPair * at, columnsOfPair * (at + 1))));

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
  const observed = ofPairs.map((pair) => pair.observe(read));
  const heard = pairs.map(({ words }) => speakers.filter((own) => own.some((row) => words[row]! > 0)).length);
  const needed = Math.max(2, minimumSpeakers);
  const reasons = observed.map(({ meanDisparities }, at) => {
    if (meanDisparities.some(Number.isNaN)) return 'no group has a rate';
    return heard[at]! < needed ? neededClusters(needed, heard[at]!, null) : null;
  });

  const cost =
    columns.length * (rows + units.groups.reduce((all, own) => all + own.length, 0)) + 20 * pairs.length * groups;
  const resamples = Math.min(wanted, Math.max(minResamples, Math.floor(maxAdditions / Math.max(1, cost))));
  const farthest = Array.from(pairs, () => new Float64Array(resamples));
  const differences = Array.from(pairs, () => new Float64Array(resamples));
  const without = Array.from(pairs, () => new Float64Array(speakers.length));
  if (reasons.includes(null)) {
    const weights = new Uint8Array(rows).fill(1);
    speakers.forEach((own, speaker) => {
      for (const row of own) weights[row] = 0;
      sum(weights);
      for (const row of own) weights[row] = 1;
      ofPairs.forEach((pair, at) => {
        without[at]![speaker] = pair.difference(read);
      });
    });
    resampledRows(units, resamples, random, (weights, resample) => {
      sum(weights);
      ofPairs.forEach((pair, at) => {
        if (reasons[at] !== null) return;
        farthest[at]![resample] = pair.farthest(read);
        differences[at]![resample] = pair.difference(read);
      });
    });
  }

  const means = observed.map(({ meanDisparities: [one, other] }, at) =>
    spreadOf(other - one, differences[at]!, without[at]!, heard[at]!),
  );
  const open = (at: number) => reasons[at] !== null || means[at]!.deviation === 0;
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
      const untold = (reason: string): GapComparison => ({
        meanDisparities,
        difference: { value: Number.isNaN(value) ? null : value, low: null, high: null, level, reason, method },
        pValue: null,
        adjustedPValue: null,
      });
      if (reasons[at] != null) return untold(reasons[at]);
      if (mean.deviation === 0)
        return untold('every resample of the speakers gives the same: the data cannot say how it varies');
      const apart = byGaps[at]!.pValue!;
      const half = mean.deviation * fromNormalScale(farthestKept(mean.distances, level, false), mean.degreesOfFreedom);
      const isOpen = apart > 1 - level + 1e-12;
      const [low, high] = [value - half, value + half];
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

/** Errors of both, the same times words, the squared difference, words, squared words, and whether there are any. */
function columnsFor({ first, second, words }: ErrorPair): Float64Array[] {
  return [
    first,
    second,
    first.map((errors, row) => errors * words[row]!),
    second.map((errors, row) => errors * words[row]!),
    first.map((errors, row) => (second[row]! - errors) ** 2),
    words,
    words.map((own) => own ** 2),
    words.map((own) => (own > 0 ? 1 : 0)),
  ];
}

/** The sums of one resample. */
interface Sums {
  readonly byGroup: readonly Float64Array[];
  readonly totals: Float64Array;
  readonly groups: number;
  readonly isPooled: boolean;
}

/** One pair in the sums of resamples. */
function pairSums(pair: ErrorPair, places: readonly number[]) {
  const [
    first = 0,
    second = 0,
    firstProducts = 0,
    secondProducts = 0,
    squares = 0,
    words = 0,
    squaredWords = 0,
    present = 0,
  ] = places;
  const negligible = 1e-12 * pair.first.reduce((sum, errors, row) => sum + (pair.second[row]! - errors) ** 2, 0);
  let centres: Float64Array | null = null;
  let isTested = new Uint8Array(0);

  /** How far a group's difference is from that of everybody else, less what was observed of it, in standard errors. */
  const cell = (
    { byGroup, totals }: Sums,
    group: number,
    isFarther: number,
  ): { difference: number; statistic: number } => {
    const own = byGroup[words]![group]!;
    const rest = totals[words]! - own;
    const [inside, outside] = [byGroup[present]![group]!, totals[present]! - byGroup[present]![group]!];
    if (inside < 2 || outside < 2 || !(own > 0 && rest > 0)) return { difference: Number.NaN, statistic: Number.NaN };
    const errors = byGroup[second]![group]! - byGroup[first]![group]!;
    const otherErrors = totals[second]! - totals[first]! - errors;
    const products = byGroup[secondProducts]![group]! - byGroup[firstProducts]![group]!;
    const otherProducts = totals[secondProducts]! - totals[firstProducts]! - products;
    const [square, squareWords] = [byGroup[squares]![group]!, byGroup[squaredWords]![group]!];
    const one = groupVariance(inside, errors, own, square, products, squareWords, negligible);
    const other = groupVariance(
      outside,
      otherErrors,
      rest,
      totals[squares]! - square,
      otherProducts,
      totals[squaredWords]! - squareWords,
      negligible,
    );
    const difference = errors / own - otherErrors / rest;
    const variance = one + other;
    const distance = Math.abs(difference - (centres === null ? 0 : centres[group]!));
    if (variance === 0) return { difference, statistic: distance <= 1e-9 ? 0 : Number.POSITIVE_INFINITY };
    const t = distance / Math.sqrt(variance);
    // On the normal scale it is no farther out.
    if (t <= isFarther) return { difference, statistic: t };
    const freedom = variance ** 2 / (one ** 2 / (inside - 1) + other ** 2 / (outside - 1));
    return { difference, statistic: onNormalScale(t, freedom) };
  };
  const gapsOf = ({ byGroup, totals, isPooled }: Sums, errors: number) => {
    const rates = byGroup[errors]!.map((wrong, group) => wrong / byGroup[words]![group]!);
    const known = rates.filter((rate) => !Number.isNaN(rate));
    const from = isPooled
      ? totals[errors]! / totals[words]!
      : known.reduce((sum, rate) => sum + rate, 0) / known.length;
    return rates.map((rate) => rate - from);
  };
  /** The mean of gaps, each in the direction that it was observed to have. */
  const meanOf = (gaps: Float64Array, directions: Float64Array) => {
    let [sum, known] = [0, 0];
    for (let group = 0; group < gaps.length; group++) {
      if (Number.isNaN(directions[group])) continue;
      sum += directions[group]! * gaps[group]!;
      known++;
    }
    return sum / known;
  };
  const both = (sums: Sums): [Float64Array, Float64Array] => [gapsOf(sums, first), gapsOf(sums, second)];
  let directions: [Float64Array, Float64Array] = [new Float64Array(0), new Float64Array(0)];
  const meansOf = ([one, other]: [Float64Array, Float64Array]) =>
    [meanOf(one, directions[0]), meanOf(other, directions[1])] as const;
  return {
    observe(sums: Sums) {
      const cells = Array.from({ length: sums.groups }, (_, group) => cell(sums, group, 0));
      isTested = Uint8Array.from(cells, ({ statistic }) => (Number.isNaN(statistic) ? 0 : 1));
      centres = Float64Array.from(cells, ({ difference }) => difference);
      const gaps = both(sums);
      directions = [gaps[0].map(Math.sign), gaps[1].map(Math.sign)];
      return {
        farthest: cells.reduce((most, { statistic }) => (statistic > most ? statistic : most), 0),
        meanDisparities: meansOf(gaps),
      };
    },
    /** Of mean disparities, as if no gap could change its direction: what is near 0 varies less by distances alone than its gaps do. */
    difference(sums: Sums): number {
      const [one, other] = meansOf(both(sums));
      return other - one;
    },
    farthest(sums: Sums): number {
      let most = 0;
      for (let group = 0; group < sums.groups; group++) {
        if (isTested[group] === 0) continue;
        const { statistic } = cell(sums, group, most);
        // A resample in which a group has no spread counts against a difference.
        if (Number.isNaN(statistic)) return Number.POSITIVE_INFINITY;
        if (statistic > most) most = statistic;
      }
      return most;
    },
  };
}

/** The difference of mean disparities in the resamples' standard deviations, on a normal scale, and how far resamples are from their middle. */
function spreadOf(difference: number, resampled: Float64Array, without: Float64Array, speakers: number) {
  const known = resampled.filter((value) => !Number.isNaN(value));
  const middle = known.reduce((sum, value) => sum + value, 0) / known.length;
  const squares = known.reduce((sum, value) => sum + (value - middle) ** 2, 0);
  const degreesOfFreedom = Math.min(speakers - 1, freedomOf(without));
  // The spread of resamples has the divisor n and not n - 1.
  const spread = Math.sqrt(squares / (known.length - 1));
  const deviation = spread > 1e-12 ? spread * Math.sqrt(speakers / (speakers - 1)) : 0;
  return {
    deviation,
    degreesOfFreedom,
    statistic: onNormalScale(Math.abs(difference) / deviation, degreesOfFreedom),
    // A resample without a group counts against a difference.
    distances: resampled.map((value) =>
      Number.isNaN(value) ? Number.POSITIVE_INFINITY : Math.abs(value - middle) / spread,
    ),
  };
}

/**
 * How well a variance is known to which units add these, as F. Satterthwaite has it ("An approximate distribution of estimates of variance
 * components", Biometrics Bulletin 2, 1946): where few speakers make most of it, those of a small group, it has little more than their number.
 *
 * @param without what is estimated without each unit
 */
function freedomOf(without: Float64Array): number {
  const known = without.filter((value) => !Number.isNaN(value));
  const middle = known.reduce((sum, value) => sum + value, 0) / known.length;
  let [squares, fourths] = [0, 0];
  for (const value of known) {
    squares += (value - middle) ** 2;
    fourths += (value - middle) ** 4;
  }
  const kurtosis = (known.length * fourths) / squares ** 2;
  return squares > 0 ? Math.max(1, (2 * known.length) / (kurtosis - 1)) : 1;
}
