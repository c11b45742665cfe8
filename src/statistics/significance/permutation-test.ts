import type { Random } from '../../base/random.ts';
import type { Reason } from '../../model/reason.ts';
import { type ClusteredCounts, clusterTable, columnSums } from '../bootstrap/clustered-counts.ts';
import { requireSquares } from '../interval.ts';
import {
  type ArrangementCounts,
  arrangementsName,
  defaultPermutations,
  farthestKept,
  type PermutationOptions,
  type PermutationResult,
  permutationPValue,
  requirePermutations,
  symmetricPValue,
} from './permutation-result.ts';
import {
  differenceAtUnskewed,
  differenceOfRates,
  type RegroupedTotals,
  regroupingColumns,
  regroupingTable,
  studentizedDifference,
  unskewedColumns,
  unskewedDifference,
  unskewedTable,
} from './studentized-difference.ts';
import { tieSlack } from './tie-slack.ts';

export interface RegroupingOptions extends PermutationOptions {
  /**
   * What is compared between arrangements: the difference in its own standard errors (`studentized`, by default), the same with
   * its skewness removed (`unskewed`: `unskewedDifference`), or the `difference` itself, as scipy's and R's tests do, which
   * holds its level only where groups are alike in all.
   */
  readonly statistic?: 'studentized' | 'unskewed' | 'difference';
  /** Confidence level of an interval as well, .95 for 95 %: with the two-sided test of `unskewed` alone. */
  readonly level?: number;
}

const statistics = {
  studentized: { name: 'studentized', columns: regroupingColumns, tableOf: regroupingTable, of: studentizedDifference },
  unskewed: {
    name: 'studentized and freed of skewness',
    columns: unskewedColumns,
    tableOf: unskewedTable,
    of: unskewedDifference,
  },
  difference: { name: 'not studentized', columns: regroupingColumns, tableOf: regroupingTable, of: differenceOfRates },
};

/**
 * Whether two groups of different clusters (speakers) have the same pooled rate: under the hypothesis that counts do not
 * depend on the group, speakers are dealt anew to groups of the same sizes, and the p value is the share of arrangements
 * whose rates differ as much (R. A. Fisher, 1935; E. J. G. Pitman, J. Royal Statistical Society Supplement 4, 1937).
 *
 * Whole speakers move, so that utterances of one speaker need not be independent. Exact where there are at most
 * `permutations` arrangements (groups of 4 and 60: 635,376). Two-sided p is twice the smaller side.
 *
 * Compared is the difference in its own standard errors, each group having its own spread, as Welch's t test has it: so it
 * holds its level in large groups that have one rate and are not alike otherwise too (A. Janssen, Statistics and Probability
 * Letters 36, 1997; E. Chung and J. Romano, Annals of Statistics 41, 2013); on the scale of a normal variable, so that
 * arrangements of other degrees of freedom compare (E. Chung and J. Romano, J. Statistical Planning and Inference 168,
 * 2016). In groups that are alike it is exact however few they are. A group of one has no spread: the plain difference is
 * compared then, and `test` says so.
 *
 * Of groups of one rate p was at most .05 in (bench/calibration/tests.ts, 10,000 simulations, standard error .2 %), in brackets with
 * the plain difference, then `unskewed`:
 *
 * ```
 * speakers                                 10 against 12       20 against 60       4 against 60
 * alike                                    5.0 % (4.8)  5.0    5.3 % (5.4)  5.2    4.9 % (4.9)  5.2
 * the first have a fifth of the words      3.7   (7.7)  4.6    4.3   (7.0)  4.4    4.7   (9.3)  4.5
 * the first have five times the words      4.0   (7.2)  4.6    4.7   (3.7)  3.5    4.2   (3.7)  5.3
 * the first have twice the log spread      10.2  (10.9) 9.3    11.2  (17.4) 8.6    11.4  (26.7) 11.4
 * ```
 *
 * With `level`, the differences that `unskewed` does not reject are a confidence interval. How often those of 95 % held the truth, 999
 * arrangements of groups of which the second makes 10 % more errors, in brackets that of `differenceInterval`
 * (bench/calibration/intervals.ts says what the populations are; 10,000 simulations, standard error .002):
 *
 * ```
 * speakers       20 and 20      20 and 60      4 and 60
 * equal          .949 (.955)    .948 (.941)    .952 (.896)
 * 4-or-60        .948 (.953)    .954 (.942)    .958 (.867)
 * clustered      .945 (.947)    .952 (.947)    .955 (.917)
 * ```
 *
 * Where theory says it cannot hold: four speakers, or ten of very skewed rates, do not tell their spread, and one that is
 * not alike in both groups then makes too many findings, as the last line has it; and where groups differ much in how much they say
 * it may be careful (down to 3.5 %), because dealing takes speakers to be alike in that too.
 *
 * @throws RangeError as `rateInterval`
 * @example permutationTestOfRates(women, men, { random: createRandom('an example') }).pValue
 */
export function permutationTestOfRates(
  first: ClusteredCounts,
  second: ClusteredCounts,
  options: RegroupingOptions,
): PermutationResult {
  const tables = [clusterTable(first), clusterTable(second)] as const;
  const columnOf = (table: Float64Array, column: number) => table.filter((_, place) => place % 2 === column);
  return regroup(
    [columnOf(tables[0], 0), columnOf(tables[1], 0)],
    [columnOf(tables[0], 1), columnOf(tables[1], 1)],
    { of: 'pooled rates', dealt: ', clusters dealt anew' },
    options,
  );
}

/**
 * Whether two independent samples have the same mean: `permutationTestOfRates` of values that all weigh the same.
 *
 * Of alike groups (lognormal) p was at most .05, in 10,000 simulations each (standard error .2 %;
 * bench/calibration/tests.ts), in 4.9 % with 20 speakers against 20 and 5.2 with 4 against 60. Of normal groups of one mean,
 * the smaller with three times the spread, in 5.1 % with 20 against 20, 7.8 with 20 against 60, 7.5 with 4 against 60 (with the
 * plain difference 5.4, 20 and 37), the 60 with the greater spread in 4.6 and 4.6 (0.4 and 0). Where theory says it cannot
 * hold: it does so for large groups, nears it slowly, and four speakers do not tell their spread; for values near normal
 * `welchTTest` is nearer (4.9, 5.3, 5.2). With `statistic: 'difference'` it is the test of scipy and R. Values
 * must be independent, one per speaker: 50 utterances of 10 speakers against 50 of 10 gave 20 % in 10,000 simulations of the
 * plain difference, the means by speaker 4.9 %.
 *
 * @throws RangeError for values that are not finite or beyond 1e150
 * @example permutationTestOfMeans([.1, .2, .15], [.3, .25, .4], { random: createRandom('an example') }).pValue // .1
 */
export function permutationTestOfMeans(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  options: RegroupingOptions,
): PermutationResult {
  const samples = [Float64Array.from(first), Float64Array.from(second)] as const;
  for (const sample of samples) requireSquares(sample, 'values');
  const onesOf = (sample: Float64Array) => new Float64Array(sample.length).fill(1);
  return regroup(samples, [onesOf(samples[0]), onesOf(samples[1])], { of: 'means', dealt: '' }, options);
}

function regroup(
  numerators: readonly [Float64Array, Float64Array],
  denominators: readonly [Float64Array, Float64Array],
  about: { readonly of: string; readonly dealt: string },
  options: RegroupingOptions,
): PermutationResult {
  const { alternative = 'two-sided', permutations = defaultPermutations, random, level } = options;
  const sizes = [numerators[0].length, numerators[1].length] as const;
  const lonely = Math.min(...sizes) === 1;
  const wanted = options.statistic ?? 'studentized';
  const statistic = statistics[lonely ? 'difference' : wanted];
  const why = lonely && wanted !== 'difference' ? ', since a group of one has no spread' : '';
  const name = `permutation test of two ${about.of}, ${statistic.name}${why}${about.dealt}`;
  const without = (difference: number | null, reason: Reason): PermutationResult => {
    return { difference, pValue: null, reason, test: name };
  };
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
  if (sizes.includes(0)) return without(null, { code: 'nothing-counted' });
  if (!denominators.every((group) => sum(group) > 0)) {
    return without(null, { code: 'no-denominator' });
  }

  // The smaller group is dealt: the statistic changes its sign with the groups.
  const turned = sizes[0] > sizes[1];
  const order = turned ? [1, 0] : [0, 1];
  const joined = (groups: readonly Float64Array[]) => Float64Array.from(order.flatMap((at) => Array.from(groups[at]!)));
  const allNumerators = joined(numerators);
  const allDenominators = joined(denominators);
  const totalDenominator = sum(allDenominators);
  const pooled = sum(allNumerators) / totalDenominator;
  const { columns } = statistic;
  const table = statistic.tableOf(allNumerators, allDenominators, pooled);
  const [fewer, more] = [sizes[order[0]!]!, sizes[order[1]!]!];
  const totals = { sizes: [fewer, more] as const, sums: columnSums(table, columns) };
  const observed = columnSums(table.subarray(0, columns * fewer), columns);
  const difference = differenceOfRates(observed, totals)! * (turned ? -1 : 1);
  let deviations = 0;
  for (let place = 0; place < table.length; place += columns) deviations += Math.abs(table[place]!);
  // Values that are all the pooled rate leave nothing but rounding.
  if (deviations <= 1e-13 * Math.abs(pooled) * totalDenominator) return without(0, { code: 'same-rate' });

  const found = statistic.of(observed, totals)!;
  const minSum = Math.min(observed[1]!, totals.sums[1]! - observed[1]!);
  const slack = tieSlack(found, statistic === statistics.difference ? deviations / minSum : 1);
  const [low, high] = [found + slack, found - slack];
  const counts: ArrangementCounts = { atMost: 0, atLeast: 0 };
  const byDistance = statistic === statistics.unskewed && alternative === 'two-sided';
  const distances: number[] = [];
  const { arrangements, exact } = eachRegrouping(table, columns, fewer, permutations, random, (sums) => {
    const arranged = statistic.of(sums, totals);
    // An arrangement without a rate (denominator 0) counts against a difference.
    if (arranged === null || arranged <= low) counts.atMost++;
    if (arranged === null || arranged >= high) counts.atLeast++;
    if (byDistance) distances.push(Math.abs(arranged ?? Number.POSITIVE_INFINITY));
  });
  const test = `${name}, ${arrangementsName(arrangements, exact)}`;
  if (!byDistance) {
    const turnedCounts = turned ? { atMost: counts.atLeast, atLeast: counts.atMost } : counts;
    return { difference, pValue: permutationPValue(turnedCounts, arrangements, exact, alternative), test };
  }
  const pValue = symmetricPValue(distances, Math.abs(found), exact);
  if (level === undefined) return { difference, pValue, test };
  const kept = farthestKept(distances, level, exact);
  return { difference, pValue, test, interval: notRejected(kept, observed, totals, turned) };
}

/** The differences whose statistic is at most so far from 0, first less second. */
function notRejected(
  kept: number,
  observed: Float64Array,
  totals: RegroupedTotals,
  turned: boolean,
): NonNullable<PermutationResult['interval']> {
  const value = differenceOfRates(observed, totals)!;
  const ends = [kept, -kept].map((end) => value - differenceAtUnskewed(end, observed, totals));
  if (!ends.every(Number.isFinite)) return { low: null, high: null };
  const [low, high] = turned ? ends.map((end) => 0 - end).reverse() : ends;
  return { low: low!, high: high! };
}

/**
 * Calls with the sums of the columns of a table over `taken` of its rows: with every choice of rows where there are at most
 * `permutations`, else with so many random ones.
 *
 * @param table row after row
 * @param width columns of it
 * @param taken at most half of the rows, so that little is drawn
 * @param call must not keep the sums
 */
function eachRegrouping(
  table: Float64Array,
  width: number,
  taken: number,
  permutations: number,
  random: Random,
  call: (sums: Float64Array) => void,
): { readonly arrangements: number; readonly exact: boolean } {
  requirePermutations(permutations);
  const units = table.length / width;
  let ways = 1;
  for (let place = 1; place <= taken && ways <= permutations; place++) ways = (ways * (units - taken + place)) / place;
  if (Math.round(ways) <= permutations) {
    const sumsAt = Array.from({ length: taken + 1 }, () => new Float64Array(width));
    let arrangements = 0;
    const take = (from: number, depth: number) => {
      const sums = sumsAt[depth]!;
      if (depth === taken) {
        call(sums);
        arrangements++;
        return;
      }
      const next = sumsAt[depth + 1]!;
      for (let unit = from; unit <= units - (taken - depth); unit++) {
        for (let column = 0; column < width; column++) next[column] = sums[column]! + table[unit * width + column]!;
        take(unit + 1, depth + 1);
      }
    };
    take(0, 0);
    return { arrangements, exact: true };
  }
  const order = Uint32Array.from({ length: units }, (_, unit) => unit);
  const sums = new Float64Array(width);
  for (let permutation = 0; permutation < permutations; permutation++) {
    sums.fill(0);
    // The front of a shuffle; any order is as good a start for the next one.
    for (let place = 0; place < taken; place++) {
      const drawn = place + random.integer(units - place);
      const unit = order[drawn]!;
      order[drawn] = order[place]!;
      order[place] = unit;
      for (let column = 0; column < width; column++) sums[column]! += table[unit * width + column]!;
    }
    call(sums);
  }
  return { arrangements: permutations, exact: false };
}
