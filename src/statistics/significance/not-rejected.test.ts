import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import type { ClusteredCounts } from '../bootstrap/clustered-counts.ts';
import { columnSums } from '../bootstrap/clustered-counts.ts';
import { studentQuantile } from '../distributions.ts';
import { permutationTestOfRates } from './permutation-test.ts';
import {
  differenceAtUnskewed,
  unskewedColumns,
  unskewedDifference,
  unskewedParts,
  unskewedTable,
} from './studentized-difference.ts';

const counts = (numerators: ArrayLike<number>, words = 100): ClusteredCounts => ({
  numerators: Float64Array.from(numerators),
  denominators: new Float64Array(numerators.length).fill(words),
});
const drawn = (size: number, of: () => number) => counts(Array.from({ length: size }, of));

function tested(first: ClusteredCounts, second: ClusteredCounts, permutations = 1999) {
  const options = { permutations, statistic: 'unskewed', level: 0.95, random: createRandom('not rejected') } as const;
  return permutationTestOfRates(first, second, options);
}

test('Of many normal rates the differences that are not rejected are those of Welch’s t test.', () => {
  const normal = createRandom('normal rates');
  const [first, second] = [drawn(150, () => 25 + 8 * normal.normal()), drawn(250, () => 20 + 4 * normal.normal())];
  const { difference, interval } = tested(first, second, 9999);
  const moments = ({ numerators }: ClusteredCounts) => {
    const mean = numerators.reduce((sum, one) => sum + one / 100, 0) / numerators.length;
    const squares = numerators.reduce((sum, one) => sum + (one / 100 - mean) ** 2, 0);
    return { mean, variance: squares / (numerators.length - 1) / numerators.length };
  };
  const [one, other] = [moments(first), moments(second)];
  const variance = one.variance + other.variance;
  const freedom = variance ** 2 / (one.variance ** 2 / 149 + other.variance ** 2 / 249);
  const half = studentQuantile(0.975, freedom) * Math.sqrt(variance);
  assert.ok(Math.abs(difference! - (one.mean - other.mean)) < 1e-12);
  assert.ok(Math.abs((interval!.high! - interval!.low!) / 2 / half - 1) < 0.03);
  assert.ok(Math.abs((interval!.high! + interval!.low!) / 2 - difference!) < 0.1 * half);
});

test('0 is not rejected exactly where p is above .05: among all arrangements and random ones, whichever group is larger.', () => {
  const source = createRandom('agreement');
  let rejected = 0;
  for (let time = 0; time < 300; time++) {
    const few = drawn(4 + source.integer(3), () => Math.round(10 * Math.exp(0.5 * source.normal())));
    const many = drawn(5 + source.integer(20), () => Math.round(18 * Math.exp(0.5 * source.normal())));
    const { pValue, interval, difference } = time % 2 === 0 ? tested(few, many, 999) : tested(many, few, 999);
    const { low, high } = interval!;
    assert.ok(low! <= difference! && difference! <= high!);
    assert.equal(low! > 0 || high! < 0, pValue! <= 0.05, `${low} ${high} ${pValue}`);
    if (pValue! <= 0.05) rejected++;
  }
  assert.ok(rejected > 50 && rejected < 250, `${rejected}`);
});

test('Groups that change places turn it.', () => {
  const source = createRandom('turned');
  const [first, second] = [drawn(5, () => source.integer(40)), drawn(6, () => source.integer(20))];
  const [here, turned] = [tested(first, second).interval!, tested(second, first).interval!];
  assert.ok(Math.abs(here.low! + turned.high!) < 1e-12);
  assert.ok(Math.abs(here.high! + turned.low!) < 1e-12);
});

test('It reaches farther to where a few speakers of very high rates would take the difference.', () => {
  const source = createRandom('few');
  const few = counts([...Array(18).fill(5), 40, 60]);
  const { difference, interval } = tested(
    few,
    drawn(40, () => 5 + source.integer(4)),
  );
  assert.ok(interval!.high! - difference! > 1.5 * (difference! - interval!.low!));
});

test('The difference at a statistic is the one that has it.', () => {
  const skewed = createRandom('statistics');
  for (let time = 0; time < 20; time++) {
    const values = Array.from({ length: 25 }, () => 10 * Math.exp(skewed.normal()));
    const words = Array.from({ length: 25 }, () => 50 + 50 * skewed.next());
    const sumsWith = (moved: number) => {
      const table = unskewedTable(
        Float64Array.from(values, (value, place) => value + (place < 10 ? moved * words[place]! : 0)),
        Float64Array.from(words),
        0.1,
      );
      const sums = columnSums(table, unskewedColumns);
      return [
        columnSums(table.subarray(0, 10 * unskewedColumns), unskewedColumns),
        { sizes: [10, 15] as const, sums },
      ] as const;
    };
    const { difference } = unskewedParts(...sumsWith(0))!;
    for (const statistic of [-2.5, -1, 0, 0.3, 1.96]) {
      const wanted = differenceAtUnskewed(statistic, ...sumsWith(0));
      const found = unskewedDifference(...sumsWith(wanted - difference))!;
      assert.ok(Math.abs(found - statistic) < 1e-6, `${statistic}: ${found}`);
    }
  }
});

test('Where no arrangement could be rejected, or nobody varies, it has no ends.', () => {
  // 2 against 3: 10 arrangements, one of them a tenth.
  assert.deepEqual(tested(counts([1, 2]), counts([50, 51, 53])).interval, { low: null, high: null });
  assert.deepEqual(tested(counts([5, 5, 5, 5, 5]), counts([9, 9, 9, 9, 9])).interval, { low: null, high: null });
});
