import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOf, presenceOf } from './domain-shift.ts';

const counts = (numerators: readonly number[], denominators: readonly number[]) => ({
  numerators: Float64Array.from(numerators),
  denominators: Float64Array.from(denominators),
});
// Two speakers in both recordings, one in each alone.
const before = counts([1, 3, 6, 0], [10, 10, 20, 0]);
const after = counts([4, 6, 0, 5], [10, 20, 0, 10]);

test('speakers of the same recordings have the same number, whoever comes first', () => {
  assert.deepEqual(presenceOf([before, after]), [2, 2, 1, 0]);
  assert.deepEqual(presenceOf([before]), [1, 1, 1, 0]);
});

test('changes are what each adds to the change of a group beyond that of all', () => {
  // .25 of 40 words before, .375 of 40 after; by hand.
  const { numerators, denominators } = changesOf(before, after);
  const expected = [
    (4 - 0.375 * 10) / 40 - (1 - 0.25 * 10) / 40,
    (6 - 0.375 * 20) / 40 - (3 - 0.25 * 10) / 40,
    -(6 - 0.25 * 20) / 40,
    (5 - 0.375 * 10) / 40,
  ];
  expected.forEach((value, row) => {
    assert.ok(Math.abs(numerators[row]! - value) < 1e-15);
  });
  assert.deepEqual([...denominators], [0.25, 0.375, 0.25, 0.125]);
  assert.ok(Math.abs(numerators.reduce((sum, value) => sum + value, 0)) < 1e-15);
});
