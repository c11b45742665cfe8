import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import type { ClusteredCounts } from './clustered-counts.ts';
import { combineRates, rateInterval } from './rate-interval.ts';

const counts = (numerators: readonly number[], denominators: readonly number[]): ClusteredCounts => ({
  numerators: Float64Array.from(numerators),
  denominators: Float64Array.from(denominators),
});
const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
const rate = ({ numerators, denominators }: ClusteredCounts) => sum(numerators) / sum(denominators);

test('The pooled rate of the combination is the weighted sum of the rates, whoever is in them.', () => {
  const one = counts([1, 4, 0, 0], [10, 20, 0, 0]); // 1/6
  const other = counts([0, 0, 9, 3], [0, 0, 12, 12]); // 1/2
  const both = counts([2, 2, 2, 2], [5, 10, 5, 20]); // 1/5
  const combined = combineRates([
    { counts: one, weight: 0.5 },
    { counts: other, weight: 2 },
    { counts: both, weight: -1 },
  ])!;
  assert.ok(Math.abs(rate(combined) - (1 / 12 + 1 - 1 / 5)) < 1e-14);
});

test('What a cluster adds beyond its share is its influence: the change of the sum for a little more of its weight.', () => {
  const parts = [
    { counts: counts([1, 4, 2, 7], [10, 20, 0, 13]), weight: 0.7 },
    { counts: counts([3, 1, 5, 2], [8, 9, 10, 0]), weight: -0.4 },
  ];
  const weighted = (cluster: number, more: number) =>
    parts.reduce((total, { counts: part, weight }) => {
      const heavier = (values: Float64Array) => sum(values) + more * values[cluster]!;
      return total + (weight * heavier(part.numerators)) / heavier(part.denominators);
    }, 0);
  const combined = combineRates(parts)!;
  for (let cluster = 0; cluster < 4; cluster++) {
    const step = 1e-5;
    const slope = (weighted(cluster, step) - weighted(cluster, -step)) / (2 * step);
    const residual = combined.numerators[cluster]! - rate(combined) * combined.denominators[cluster]!;
    assert.ok(Math.abs(residual / sum(combined.denominators) - slope) < 1e-9);
  }
});

test('A mean of rates with the same words is the rate of all of them, interval and all.', () => {
  const words = [10, 20, 15, 8, 30, 12, 9, 25, 16, 11];
  const first = counts([1, 3, 0, 2, 5, 1, 0, 4, 2, 3], words);
  const second = counts([4, 5, 2, 2, 9, 3, 1, 8, 6, 3], words);
  const combined = combineRates([
    { counts: first, weight: 0.5 },
    { counts: second, weight: 0.5 },
  ])!;
  const pooled = counts(
    first.numerators.map((value, index) => (value + second.numerators[index]!) / 2) as unknown as number[],
    words,
  );
  const interval = (one: ClusteredCounts) => rateInterval(one, { random: createRandom(7) });
  const [mine, direct] = [interval(combined), interval(pooled)];
  for (const key of ['value', 'low', 'high'] as const) assert.ok(Math.abs(mine[key]! - direct[key]!) < 1e-12);
});

test('Without a rate to divide by, or without a weight, there is nothing.', () => {
  const empty = counts([0, 0], [0, 0]);
  const full = counts([1, 2], [3, 4]);
  assert.equal(combineRates([]), null);
  assert.equal(combineRates([{ counts: full, weight: 0 }]), null);
  assert.equal(
    combineRates([
      { counts: full, weight: 1 },
      { counts: empty, weight: 1 },
    ]),
    null,
  );
  assert.ok(
    combineRates([
      { counts: full, weight: 1 },
      { counts: empty, weight: 0 },
    ]),
  );
  assert.throws(
    () =>
      combineRates([
        { counts: full, weight: 1 },
        { counts: counts([1], [2]), weight: 1 },
      ]),
    RangeError,
  );
});
