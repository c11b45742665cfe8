import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasonText } from '../model/reason.ts';
import { varianceInterval } from './exact-intervals.ts';

test('The interval is that of the tables of chi-square.', () => {
  // 10 over the .975 and .025 quantiles of 4 degrees of freedom, 11.14329 and .4844186 in any table.
  const { value, low, high } = varianceInterval([1, 2, 3, 4, 5]);
  assert.equal(value, 2.5);
  assert.ok(Math.abs(low! - 10 / 11.14329) < 1e-6);
  assert.ok(Math.abs(high! - 10 / 0.4844186) < 1e-5);
});

test('What has no variance or no interval says why.', () => {
  assert.deepEqual([varianceInterval([]).value, varianceInterval([3]).value], [null, null]);
  assert.match(reasonText(varianceInterval([3]).reason!), /at least 2 values/);
  const { value, low, reason } = varianceInterval([0.1, 0.1, 0.1]);
  assert.deepEqual([value, low], [0, null]);
  assert.match(reasonText(reason!), /the same/);
  assert.throws(() => varianceInterval([1, Number.NaN]), RangeError);
});
