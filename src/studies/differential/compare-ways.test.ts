import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasonText } from '../../model/reason.ts';
import { meanOverSeeds, ratioOverSeeds } from './compare-ways.ts';

test('A mean over seeds has the interval of Student.', () => {
  const { value, low, high } = meanOverSeeds([30, 34, 38], 0.95, { utterances: 100, speakers: 1 });
  assert.equal(value, 34);
  // On paper: 34 +- t x 4 / sqrt(3), t = 4.302653 with 2 degrees of freedom.
  assert.ok(Math.abs(low! - 24.06345) < 1e-4 && Math.abs(high! - 43.93655) < 1e-4);
});

test('One seed, or seeds that agree, give a number without an interval and the reason.', () => {
  assert.match(reasonText(meanOverSeeds([30], 0.95, { utterances: 100, speakers: 1 }).reason!), /two replicates/);
  assert.match(reasonText(meanOverSeeds([30, 30], 0.95, { utterances: 100, speakers: 1 }).reason!), /the same/);
  const nothing = ratioOverSeeds([3, 4], [0, 0], 0.95, { utterances: 100, speakers: 1 });
  assert.equal(nothing.value, null);
  assert.match(reasonText(nothing.reason!), /nothing to divide by/);
});

test('A ratio pools counts, and its interval holds what both have in common.', () => {
  const { value, low, high } = ratioOverSeeds([30, 34, 41], [10, 12, 14], 0.95, { utterances: 100, speakers: 1 });
  assert.ok(Math.abs(value! - 105 / 36) < 1e-12);
  // By hand: residuals (30 - 29.16667, 34 - 35, 41 - 40.83333) / 12; their standard deviation .07709, times t = 4.302653 / sqrt(3).
  const half = (4.302653 * Math.sqrt((0.83333 ** 2 + 1 + 0.16667 ** 2) / 144 / 2)) / Math.sqrt(3);
  assert.ok(Math.abs(high! - value! - half) < 1e-4 && Math.abs(value! - low! - half) < 1e-4);
});
