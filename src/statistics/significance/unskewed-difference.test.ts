import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { columnSums } from '../bootstrap/clustered-counts.ts';
import { permutationTestOfMeans, permutationTestOfRates } from './permutation-test.ts';
import {
  regroupingTable,
  studentizedDifference,
  unskewedColumns,
  unskewedDifference,
  unskewedTable,
} from './studentized-difference.ts';

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The statistic of the first so many of all clusters against the others. */
function statisticOf(numerators: readonly number[], denominators: readonly number[], size: number): number | null {
  const pooled = mean(numerators) / mean(denominators);
  const table = unskewedTable(Float64Array.from(numerators), Float64Array.from(denominators), pooled);
  const totals = {
    sizes: [size, numerators.length - size] as const,
    sums: columnSums(table, unskewedColumns),
  };
  return unskewedDifference(columnSums(table.subarray(0, size * unskewedColumns), unskewedColumns), totals);
}

const few = [0.02, 0.05, 0.04, 0.11, 0.31, 0.03];
const others = [0.12, 0.25, 0.4, 0.18, 0.2, 0.33, 0.09];
const ones = (count: number) => new Array<number>(count).fill(1);

test('Of means it is what scipy makes of Welch’s t, of its degrees of freedom and of the third k-statistics.', () => {
  // scipy 1.17.1: ttest_ind(equal_var=False), kstat(x, 3) / n ** 2; then Hall's and Wallace's formulas.
  const found = statisticOf([...few, ...others], ones(13), 6)!;
  assert.ok(Math.abs(found - -1.5620693525239333) < 1e-12, `${found}`);
});

test('Where both groups are symmetric it is the studentized difference; groups that change places change its sign.', () => {
  const symmetric = [1, 2, 3, 4, 5, 6.5, 8, 9.5];
  const table = regroupingTable(Float64Array.from(symmetric), Float64Array.from(ones(8)), mean(symmetric));
  const plain = studentizedDifference(columnSums(table.subarray(0, 20), 5), {
    sizes: [4, 4],
    sums: columnSums(table, 5),
  });
  assert.ok(Math.abs(statisticOf(symmetric, ones(8), 4)! - plain!) < 1e-12);
  const turned = statisticOf([...others, ...few], ones(13), 7)!;
  assert.ok(Math.abs(turned + statisticOf([...few, ...others], ones(13), 6)!) < 1e-12);
});

test('Clusters of unequal words count by their residuals, and a factor or a shift of all changes nothing.', () => {
  const random = createRandom('unskewed rates');
  for (let example = 0; example < 20; example++) {
    const words = Array.from({ length: 9 }, () => 10 + random.integer(90));
    const errors = words.map((count) => Math.exp(random.normal()) * 0.1 * count);
    const size = 3 + random.integer(4);
    const moments = (from: number, end: number) => {
      const [own, all] = [errors.slice(from, end), words.slice(from, end)];
      const n = own.length;
      const rate = mean(own) / mean(all);
      const residuals = own.map((error, place) => (error - rate * all[place]!) / mean(all));
      return {
        rate,
        n,
        variance: (mean(residuals.map((one) => one ** 2)) * n) / (n - 1) / n,
        third: (mean(residuals.map((one) => one ** 3)) * n * n) / ((n - 1) * (n - 2)) / n ** 2,
      };
    };
    const [one, other] = [moments(0, size), moments(size, 9)];
    const variance = one.variance + other.variance;
    const degrees = variance ** 2 / (one.variance ** 2 / (one.n - 1) + other.variance ** 2 / (other.n - 1));
    const t = (one.rate - other.rate) / Math.sqrt(variance);
    const skewness = (one.third - other.third) / variance ** 1.5;
    const hall = t + (skewness * t ** 2) / 3 + (skewness ** 2 * t ** 3) / 27 + skewness / 6;
    const z = Math.sqrt(degrees * Math.log(1 + hall ** 2 / degrees));
    const expected = (Math.sign(hall) * z * (8 * degrees + 1)) / (8 * degrees + 3);
    const found = statisticOf(errors, words, size)!;
    assert.ok(Math.abs(found - expected) < 1e-9 * (1 + Math.abs(expected)), `${found} ${expected}`);
    const moved = statisticOf(
      errors.map((error, place) => 7 * (error + 3 * words[place]!)),
      words,
      size,
    )!;
    assert.ok(Math.abs(moved - expected) < 1e-7 * (1 + Math.abs(expected)), `${moved} ${expected}`);
  }
});

test('As a permutation test it is exact: of two groups apart only the observed way and its mirror are as extreme.', () => {
  const random = createRandom('unskewed test');
  const { pValue, test: name } = permutationTestOfMeans([1, 2, 4], [11, 12, 14], { statistic: 'unskewed', random });
  assert.equal(pValue, 2 / 20);
  assert.match(name, /two means, studentized and freed of skewness, exact over 20/);
  const flat = permutationTestOfMeans([0, 0, 0], [1, 1, 1], { statistic: 'unskewed', random });
  assert.equal(flat.pValue, 2 / 20);
  const pairs = permutationTestOfMeans([0, 1], [5, 7], { statistic: 'unskewed', random });
  assert.equal(pairs.pValue, permutationTestOfMeans([0, 1], [5, 7], { random }).pValue);
});

test('A small group with a long tail that no sample of it may show is found less often than without the skewness removed.', () => {
  const random = createRandom('a long tail');
  // Lognormal with one mean; the 20 have twice the logarithmic spread of the 60.
  const drawn = (count: number, spread: number) => ({
    numerators: Float64Array.from({ length: count }, () => Math.exp(spread * random.normal() - spread ** 2 / 2)),
    denominators: new Float64Array(count).fill(1),
  });
  const worlds = 300;
  const found = { studentized: 0, unskewed: 0 };
  for (let world = 0; world < worlds; world++) {
    const groups = [drawn(20, 1), drawn(60, 0.5)] as const;
    for (const statistic of ['studentized', 'unskewed'] as const) {
      if (permutationTestOfRates(...groups, { statistic, permutations: 199, random }).pValue! <= 0.05)
        found[statistic]++;
    }
  }
  assert.ok(found.unskewed < found.studentized, JSON.stringify(found));
  assert.ok(found.unskewed / worlds < 0.11, JSON.stringify(found));
});
