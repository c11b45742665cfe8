import type { Random } from '../../base/random.ts';
import type { Reason } from '../../model/reason.ts';
import { type ClusteredCounts, clusterTable } from '../bootstrap/clustered-counts.ts';
import type { RandomOfData } from '../bootstrap/random-of-data.ts';
import { stepDownMaximum } from './multiplicity.ts';
import { arrangementsName, defaultPermutations, requirePermutations } from './permutation-result.ts';
import { permutationTestOfRates } from './permutation-test.ts';
import {
  groupVariance,
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
  /** Whether two groups are compared in a measure: not where they are in another, over what these two share. All are if absent. */
  readonly isAsked?: (measure: number, first: number, second: number) => boolean;
  /** For the arrangements of all. */
  readonly random: Random;
  /** For what a pair says by itself. */
  readonly randomOfPair: RandomOfData;
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
  /** Of these two groups by themselves, whatever others there are; two-sided, never 0. Null with `reason` where there is no test. */
  readonly pValue: number | null;
  /** Corrected for all pairs in all measures, never below `pValue`; null also where a group has not enough speakers. */
  readonly adjustedPValue: number | null;
  /** The differences that the test by itself does not reject; null ends where there are none. */
  readonly low: number | null;
  readonly high: number | null;
  /** The test by itself. */
  readonly test: string;
  readonly reason?: Reason;
}

export interface JointGroupResult {
  /** Measure by measure, in each every pair that is asked, in order. */
  readonly pairs: readonly JointGroupPair[];
  /** What p cannot be less than. */
  readonly minPValue: number;
  readonly test: string;
}

/** Statistics that all arrangements may cost together: some seconds. */
const maxStatistics = 4e7;

/**
 * Which of several groups of different speakers differ in pooled rates, in several measures at once (recognizers, kinds of noise). What a
 * pair says by itself, p and interval, is `permutationTestOfRates` of its own speakers with `unskewed`, drawn by their own counts: no
 * third group moves it. For the correction speakers are dealt anew to all groups of the same sizes, the same arrangement for all measures,
 * and each pair's difference is held against the greatest of those not told apart yet (step-down maximum: P. Westfall and S. Young,
 * "Resampling-based multiple testing", 1993). So the chance of any false finding among all pairs in all measures is that of one test, and
 * measures that depend on each other cost little.
 *
 * Differences are studentized, each group having its own spread, freed of skewness, and brought to a normal scale. Groups of fewer than
 * two speakers with words have no spread, and are not tested.
 * Groups with too few for a verdict take no part in the greatest: two or four speakers are far apart so often that nothing else would be told.
 * bench/calibration/degradation.ts has the share of false findings.
 *
 * @param groupOf the group of each speaker, from 0
 * @param measures errors and words of the speakers; a speaker without words has no part in a measure
 * @throws RangeError for lengths that differ, impossible options
 * @example
 * // six speakers in groups 0, 0, 0, 1, 1, 1, one measure
 * const randoms = { random: createRandom('an example'), randomOfPair: randomOfData('an example') };
 * jointGroupTest([0, 0, 0, 1, 1, 1], 2, [counts], randoms).pairs[0].adjustedPValue
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
    isAsked = () => true,
    random,
    randomOfPair,
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
  const asked = found.map((_, place) => {
    const { first, second } = of[place % of.length]!;
    return isAsked(Math.floor(place / of.length), first, second);
  });
  const observed = Array.from(statistics, (value, place) =>
    asked[place] && found[place]!.reason === undefined ? value : null,
  );
  const takesPart = (place: number) => {
    const { first, second } = of[place % of.length]!;
    return [first, second].every((group) => isEnough(Math.floor(place / of.length), group));
  };
  const tests = stepDownMaximum(observed, takesPart);
  const own = { permutations, level, random: randomOfPair };
  for (let permutation = 0; permutation < permutations; permutation++) {
    onProgress?.(permutation, permutations);
    shuffle(dealt, random);
    arrange();
    tests.add(statistics);
  }

  const taking = observed.map((statistic, place) => statistic !== null && takesPart(place));
  const tested = taking.filter(Boolean).length;
  const pairs = tests.pValues().flatMap(({ adjustedPValue }, place): JointGroupPair[] => {
    if (asked[place] === false) return [];
    const [measure, { first, second }] = [Math.floor(place / of.length), of[place % of.length]!];
    const { difference, reason } = found[place]!;
    const about = { measure, first, second, difference };
    const nothing = { pValue: null, adjustedPValue: null, low: null, high: null, test: '' };
    if (reason !== undefined) return [{ ...about, ...nothing, reason }];
    const alone = byThemselves(measures[measure]!, groupOf, [first, second], own);
    // What is told of one pair alone needs no correction.
    const corrected = tested === 1 && taking[place] === true ? alone.pValue : adjustedPValue;
    return [
      { ...{ ...about, ...alone }, adjustedPValue: corrected === null ? null : Math.max(corrected, alone.pValue) },
    ];
  });
  return {
    pairs,
    minPValue: 1 / (permutations + 1),
    test: `permutation test, speakers of the two groups dealt anew, studentized and freed of skewness; adjusted by dealing among ${groups} groups, ${arrangementsName(permutations, false)}, step-down maximum over ${tested} comparison${tested === 1 ? '' : 's'}`,
  };
}

/** What two groups say whatever others there are. */
function byThemselves(
  { numerators, denominators }: ClusteredCounts,
  groupOf: ArrayLike<number>,
  [first, second]: readonly [number, number],
  { random, ...options }: { readonly permutations: number; readonly level: number; readonly random: RandomOfData },
): { readonly pValue: number; readonly low: number | null; readonly high: number | null; readonly test: string } {
  const speakersOf = (group: number): ClusteredCounts => {
    const here = (_: number, speaker: number) => groupOf[speaker] === group && denominators[speaker]! > 0;
    return { numerators: numerators.filter(here), denominators: denominators.filter(here) };
  };
  const [one, other] = [speakersOf(first), speakersOf(second)];
  const drawn = random([clusterTable(one), clusterTable(other)]);
  const { pValue, interval, test } = permutationTestOfRates(other, one, {
    ...{ ...options, statistic: 'unskewed', random: drawn },
  });
  // Where all speakers have one rate, every arrangement is as far out as the observed.
  return { pValue: pValue ?? 1, low: interval?.low ?? null, high: interval?.high ?? null, test };
}

/** What a pair of groups has as observed. */
interface ObservedPair {
  readonly difference: number | null;
  readonly reason?: Reason;
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
      if (Math.min(sizes[first]!, sizes[second]!) >= 2) return { difference };
      const known = [first, second].every((group) => own(group)[1]! > 0);
      const rate = (group: number) => own(group)[0]! / own(group)[1]!;
      return {
        difference: known ? rate(second) - rate(first) : null,
        reason: known ? { code: 'no-spread' } : { code: 'no-denominator' },
      };
    },
  };
}

function shuffle(values: Int32Array, random: Random): void {
  for (let place = values.length - 1; place > 0; place--) {
    const drawn = random.integer(place + 1);
    const value = values[drawn]!;
    values[drawn] = values[place]!;
    values[place] = value;
  }
}
