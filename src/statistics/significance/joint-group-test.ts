import type { Random } from '../../base/random.ts';
import type { ClusteredCounts } from '../bootstrap/clustered-counts.ts';
import { stepDownMaximum } from './multiplicity.ts';
import { arrangementsName, defaultPermutations, farthestKept, requirePermutations } from './permutation-result.ts';
import {
  differenceAtUnskewed,
  groupVariance,
  type RegroupedTotals,
  thirdCumulant,
  unskewedColumns,
  unskewedTable,
  withoutSkewness,
} from './studentized-difference.ts';

export interface JointGroupOptions {
  /** 10,000 by default; of very many pairs fewer, but no less than 1,000: `test` says how many. */
  readonly permutations?: number;
  /** Confidence level of the intervals, .95 by default. */
  readonly level?: number;
  /** Whether a group has enough speakers in a measure for a verdict; of those that have not p stands by itself. All have if absent. */
  readonly isEnough?: (measure: number, group: number) => boolean;
  readonly random: Random;
  /** Told again and again how much is done. */
  readonly onProgress?: (done: number, of: number) => void;
}

/** Two of the groups in one of the measures. */
export interface JointGroupPair {
  readonly measure: number;
  readonly first: number;
  readonly second: number;
  /** Second rate less first. */
  readonly difference: number | null;
  /** By itself; two-sided, never 0. Null with `reason` where there is no test. */
  readonly pValue: number | null;
  /** Corrected for all pairs in all measures; null also where a group has not enough speakers. */
  readonly adjustedPValue: number | null;
  /** The differences that the test by itself does not reject; null ends where there are none. */
  readonly low: number | null;
  readonly high: number | null;
  readonly reason?: string;
}

export interface JointGroupResult {
  /** Measure by measure, in each every pair in order. */
  readonly pairs: readonly JointGroupPair[];
  /** What p cannot be less than. */
  readonly minPValue: number;
  readonly test: string;
}

/** Statistics that all arrangements may cost together, and those that are kept for intervals: some seconds, 80 megabytes. */
const maxStatistics = 4e7;
const maxKept = 2e7;

/** Sums in another order may differ in the last digits. */
const slack = 1e-9;

/**
 * Which of several groups of different speakers differ in pooled rates, in several measures at once (recognizers, kinds of noise): speakers
 * are dealt anew to groups of the same sizes, the same arrangement for all measures, and each pair's difference is held against the
 * greatest of those not told apart yet (step-down maximum: P. Westfall and S. Young, "Resampling-based multiple testing", 1993). So the
 * chance of any false finding among all pairs in all measures is that of one test, and measures that depend on each other cost little.
 *
 * Differences are studentized, each group having its own spread, freed of skewness, and brought to a normal scale: the statistic of
 * `permutationTestOfRates` with `unskewed`, and so are the intervals, which hold what the test by itself does not reject; speakers are dealt
 * among all groups, though, not among the two. Groups of fewer than two speakers with words have no spread, and are not tested.
 * Groups with too few for a verdict take no part in the greatest: two or four speakers are far apart so often that nothing else would be told.
 * bench/calibration/degradation.ts has the share of false findings.
 *
 * @param groupOf the group of each speaker, from 0
 * @param measures errors and words of the speakers; a speaker without words has no part in a measure
 * @throws RangeError for lengths that differ, impossible options
 * @example
 * // six speakers in groups 0, 0, 0, 1, 1, 1, one measure
 * jointGroupTest([0, 0, 0, 1, 1, 1], 2, [counts], { random: createRandom('an example') }).pairs[0].adjustedPValue
 */
export function jointGroupTest(
  groupOf: ArrayLike<number>,
  groups: number,
  measures: readonly ClusteredCounts[],
  options: JointGroupOptions,
): JointGroupResult {
  const {
    permutations: wanted = defaultPermutations,
    level = 0.95,
    isEnough = () => true,
    random,
    onProgress,
  } = options;
  requirePermutations(wanted);
  const speakers = groupOf.length;
  for (const { numerators, denominators } of measures) {
    if (numerators.length !== speakers || denominators.length !== speakers) {
      throw new RangeError(
        `expected ${speakers} speakers everywhere, but got ${numerators.length} and ${denominators.length}`,
      );
    }
  }
  const of = Array.from({ length: groups }, (_, first) =>
    Array.from({ length: groups - first - 1 }, (_other, offset) => ({ first, second: first + 1 + offset })),
  ).flat();
  const count = of.length * measures.length;
  const permutations = Math.min(wanted, Math.max(1000, Math.floor(maxStatistics / Math.max(1, count))));
  const arranged = measures.map((counts) => arrangedGroups(counts, groups));
  const dealt = Int32Array.from(groupOf);
  const statistics = new Float64Array(count);
  const arrange = () => {
    arranged.forEach((measure, place) => {
      measure.deal(dealt);
      measure.distances(statistics, place * of.length);
    });
  };

  arrange();
  const found = arranged.flatMap((measure) => of.map(({ first, second }) => measure.pair(first, second)));
  const observed = Array.from(statistics, (value, place) => (found[place]!.reason === undefined ? value : null));
  const takesPart = (place: number) => {
    const { first, second } = of[place % of.length]!;
    return [first, second].every((group) => isEnough(Math.floor(place / of.length), group));
  };
  const tests = stepDownMaximum(observed, takesPart);
  const keptEach = Math.min(permutations, Math.max(200, Math.floor(maxKept / Math.max(1, count))));
  const kept = new Float32Array(keptEach * count);
  for (let permutation = 0; permutation < permutations; permutation++) {
    onProgress?.(permutation, permutations);
    shuffle(dealt, random);
    arrange();
    tests.add(statistics);
    if (permutation < keptEach) kept.set(statistics, permutation * count);
  }

  const columns = Array.from({ length: 16 }, () => new Float32Array(keptEach));
  const pairs = tests.pValues().map((tested, place): JointGroupPair => {
    const { difference, reason, notRejected } = found[place]!;
    if (place % columns.length === 0) readColumns(kept, count, place, columns);
    const about = { measure: Math.floor(place / of.length), ...of[place % of.length]!, difference, ...tested };
    if (reason !== undefined) return { ...about, low: null, high: null, reason };
    return { ...about, ...notRejected(farthestKept(columns[place % columns.length]!, level, false) + slack) };
  });
  const tested = pairs.filter(({ reason }, place) => reason === undefined && takesPart(place)).length;
  return {
    pairs,
    minPValue: 1 / (permutations + 1),
    test: `permutation test, speakers dealt anew among ${groups} groups, studentized and freed of skewness, ${arrangementsName(permutations, false)}, step-down maximum over ${tested} comparison${tested === 1 ? '' : 's'}`,
  };
}

/** What a pair of groups has as observed. */
interface ObservedPair {
  readonly difference: number | null;
  readonly reason?: string;
  notRejected(statistic: number): Pick<JointGroupPair, 'low' | 'high'>;
}

/** Sums of one measure by group, for one arrangement after the other. */
interface ArrangedGroups {
  deal(groupOf: ArrayLike<number>): void;
  /** How far every two groups are apart, pair by pair from a place on; infinite where one has no rate. */
  distances(into: Float64Array, from: number): void;
  pair(first: number, second: number): ObservedPair;
}

function arrangedGroups({ numerators, denominators }: ClusteredCounts, groups: number): ArrangedGroups {
  const words = denominators.reduce((sum, value) => sum + value, 0);
  const pooled = words > 0 ? numerators.reduce((sum, value) => sum + value, 0) / words : 0;
  const table = unskewedTable(numerators, denominators, pooled);
  let squares = 0;
  for (let place = 2; place < table.length; place += unskewedColumns) squares += table[place]!;
  const negligible = 1e-12 * squares;
  const sums = new Float64Array(groups * unskewedColumns);
  const sizes = new Float64Array(groups);
  const [rates, variances, freedoms, thirds] = [0, 0, 0, 0].map(() => new Float64Array(groups)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const withoutSpread = (difference: number) =>
    Math.abs(difference) * words <= 1e-6 * Math.sqrt(squares) ? 0 : Math.abs(difference) / 0;
  const own = (group: number) => sums.subarray(group * unskewedColumns, (group + 1) * unskewedColumns);
  return {
    deal(groupOf) {
      sums.fill(0);
      sizes.fill(0);
      for (let speaker = 0; speaker < denominators.length; speaker++) {
        if (denominators[speaker] === 0) continue;
        const group = groupOf[speaker]!;
        sizes[group]!++;
        const [from, to] = [speaker * unskewedColumns, group * unskewedColumns];
        for (let column = 0; column < unskewedColumns; column++) sums[to + column]! += table[from + column]!;
      }
      for (let group = 0; group < groups; group++) {
        const [at, size] = [group * unskewedColumns, sizes[group]!];
        rates[group] = size >= 2 && sums[at + 1]! > 0 ? sums[at]! / sums[at + 1]! : Number.NaN;
        variances[group] = groupVariance(
          size,
          sums[at]!,
          sums[at + 1]!,
          sums[at + 2]!,
          sums[at + 3]!,
          sums[at + 4]!,
          negligible,
        );
        freedoms[group] = variances[group]! ** 2 / (size - 1);
        thirds[group] = size >= 3 ? thirdCumulant(size, own(group), null) : 0;
      }
    },
    distances(into, from) {
      let place = from;
      for (let first = 0; first < groups; first++) {
        for (let second = first + 1; second < groups; second++) {
          const difference = rates[second]! - rates[first]!;
          const variance = variances[first]! + variances[second]!;
          const error = Math.sqrt(variance);
          const skewness = (thirds[second]! - thirds[first]!) / (variance * error);
          const freedom = (variance * variance) / (freedoms[first]! + freedoms[second]!);
          const distance =
            variance === 0
              ? withoutSpread(difference)
              : Math.abs(withoutSkewness(difference / error, skewness, freedom));
          // An arrangement without a rate counts against a difference.
          into[place++] = Number.isNaN(distance) ? Number.POSITIVE_INFINITY : distance;
        }
      }
    },
    pair(first, second) {
      const difference = rates[second]! - rates[first]!;
      const nothing = { notRejected: () => ({ low: null, high: null }) };
      if (Math.min(sizes[first]!, sizes[second]!) < 2) {
        const known = [first, second].every((group) => own(group)[1]! > 0);
        const rate = (group: number) => own(group)[0]! / own(group)[1]!;
        return {
          ...nothing,
          difference: known ? rate(second) - rate(first) : null,
          reason: known
            ? 'a group of fewer than 2 speakers has no spread'
            : 'a rate is undefined: nothing to divide by',
        };
      }
      const mine = own(second).slice();
      const totals: RegroupedTotals = {
        sizes: [sizes[second]!, sizes[first]!],
        sums: mine.map((value, column) => value + own(first)[column]!),
      };
      return {
        difference,
        notRejected(statistic) {
          const ends = [statistic, -statistic].map((end) => difference - differenceAtUnskewed(end, mine, totals));
          return ends.every(Number.isFinite) ? { low: ends[0]!, high: ends[1]! } : { low: null, high: null };
        },
      };
    },
  };
}

/** Columns from one on, several at once: row by row, since what lies side by side is read together. */
function readColumns(table: Float32Array, width: number, first: number, columns: readonly Float32Array[]): void {
  const count = Math.min(columns.length, width - first);
  for (let row = 0; row < columns[0]!.length; row++) {
    for (let column = 0; column < count; column++) columns[column]![row] = table[row * width + first + column]!;
  }
}

function shuffle(values: Int32Array, random: Random): void {
  for (let place = values.length - 1; place > 0; place--) {
    const drawn = random.integer(place + 1);
    const value = values[drawn]!;
    values[drawn] = values[place]!;
    values[place] = value;
  }
}
