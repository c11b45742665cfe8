import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { rankSum } from './rank-sum.ts';

/** Both tails over every way to divide the values, one by one. */
function byEnumeration(first: readonly number[], second: readonly number[]): number {
  const values = [...first, ...second];
  const u = (chosen: boolean[]) => {
    let sum = 0;
    for (const [i, a] of values.entries()) {
      for (const [j, b] of values.entries()) if (chosen[i] && !chosen[j]) sum += a > b ? 1 : a === b ? 0.5 : 0;
    }
    return sum;
  };
  const observed = u(values.map((_, index) => index < first.length));
  let [below, above, all] = [0, 0, 0];
  for (let subset = 0; subset < 2 ** values.length; subset++) {
    const chosen = values.map((_, index) => ((subset >> index) & 1) === 1);
    if (chosen.filter(Boolean).length !== first.length) continue;
    const value = u(chosen);
    all++;
    if (value <= observed) below++;
    if (value >= observed) above++;
  }
  return Math.min(1, (2 * Math.min(below, above)) / all);
}

test('The exact form counts every division, ties included, whichever sample is the smaller.', () => {
  const random = createRandom('divisions');
  for (let example = 0; example < 25; example++) {
    const sample = () => Array.from({ length: 1 + random.integer(4) }, () => random.integer(5));
    const [first, second] = [
      [...sample(), 1],
      [...sample(), 2],
    ];
    const result = rankSum(first, second, { method: 'all-permutations' });
    assert.ok(Math.abs(result.pValue! - byEnumeration(first, second)) < 1e-12, `${first} against ${second}`);
    const swapped = rankSum(second, first, { method: 'all-permutations' });
    assert.ok(Math.abs(result.pValue! - swapped.pValue!) < 1e-12);
    assert.equal(result.superiority! + swapped.superiority!, 1);
  }
});

test('Published example: 4 against 60 is exact too, and the normal form is near it.', () => {
  // scipy.stats.mannwhitneyu(range(1, 5), range(5, 65), method='exact'): 2 / C(64, 4).
  const low = [1, 2, 3, 4];
  const high = Array.from({ length: 60 }, (_, index) => 5 + index);
  const result = rankSum(low, high, { method: 'exact' });
  assert.ok(Math.abs(result.pValue! - 2 / 635_376) < 1e-15);
  assert.equal(result.superiority, 0);
  assert.equal(rankSum(low, high).method, 'normal');
});

test('The automatic form is exact only for few values without ties, and the result says which.', () => {
  assert.equal(rankSum([1, 2], [3, 4]).method, 'exact');
  assert.equal(rankSum([1, 2], [2, 4]).method, 'normal');
  assert.equal(rankSum([1, 2], [2, 4], { method: 'exact' }).method, 'all-permutations');
});

test('Empty samples and values that are all equal have a reason and no p.', () => {
  for (const method of ['auto', 'exact', 'normal'] as const) {
    assert.equal(rankSum([], [1], { method }).reason, 'a sample is empty');
    assert.equal(rankSum([0, 0], [0], { method }).reason, 'all values are equal');
    assert.equal(rankSum([0, 0], [0], { method }).superiority, 0.5);
  }
  assert.equal(rankSum([1], [2], { method: 'exact' }).pValue, 1);
  assert.throws(() => rankSum([Number.NaN], [1]), RangeError);
  const many = Float64Array.from({ length: 2000 }, (_, index) => index);
  assert.throws(
    () =>
      rankSum(
        many,
        many.map((value) => value + 0.5),
        { method: 'exact' },
      ),
    RangeError,
  );
});
