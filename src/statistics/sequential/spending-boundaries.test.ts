import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { normalQuantile, normalUpperTail } from '../distributions.ts';
import { type Spending, spendByPower, spendingBoundaries } from './spending-boundaries.ts';

/** As near the bounds of P. O'Brien and T. Fleming (Biometrics 35, 1979). */
const spendLate: Spending = (share, alpha) => 2 * normalUpperTail(-normalQuantile(alpha / 2) / Math.sqrt(share));
/** As near those of S. Pocock (Biometrika 64, 1977). */
const spendEvenly: Spending = (share, alpha) => alpha * Math.log1p((Math.E - 1) * share);

const fifths = [0.2, 0.4, 0.6, 0.8, 1];
const bounds = (errors: readonly number[]) => errors.map((error) => Number((-normalQuantile(error)).toFixed(3)));

test('Bounds for five equal looks are those that D. Reboussin, D. DeMets, K. Kim and K. Lan published (Controlled Clinical Trials 21, 2000).', () => {
  // Two-sided .05 there: .025 for each side.
  assert.deepEqual(bounds(spendingBoundaries(fifths, 0.025, spendLate)), [4.877, 3.357, 2.68, 2.29, 2.031]);
  assert.deepEqual(bounds(spendingBoundaries(fifths, 0.025, spendEvenly)), [2.438, 2.427, 2.41, 2.397, 2.386]);
});

test('One look at the end is a usual test, and each further look takes from it.', () => {
  const [only] = spendingBoundaries([1], 0.05, spendByPower(2));
  assert.ok(Math.abs(only! - 0.05) < 1e-9);
  const errors = spendingBoundaries(fifths, 0.05, spendByPower(2));
  // Nothing was spent before: the first look has what may be spent until then.
  assert.ok(Math.abs(errors[0]! - 0.05 * 0.04) < 1e-9);
  // Looks depend on each other: together they err less than their errors added.
  assert.ok(errors[4]! < 0.05 && errors.reduce((sum, error) => sum + error) > 0.05);
});

test('A walk without drift crosses the bounds as often as it may.', () => {
  const looks = Array.from({ length: 20 }, (_, look) => (look + 1) / 20);
  const errors = spendingBoundaries(looks, 0.05, spendByPower(2));
  const random = createRandom('walks');
  const walks = 20_000;
  let crossed = 0;
  for (let walk = 0; walk < walks; walk++) {
    let sum = 0;
    crossed += looks.some((share, look) => {
      sum += random.normal() * Math.sqrt(1 / 20);
      return normalUpperTail(sum / Math.sqrt(share)) < errors[look]!;
    })
      ? 1
      : 0;
  }
  // Three standard errors.
  assert.ok(Math.abs(crossed / walks - 0.05) < 0.005, `${crossed / walks}`);
});

test('Shares that do not rise and errors that are none are refused.', () => {
  assert.throws(() => spendingBoundaries([0.5, 0.5], 0.05, spendLate), RangeError);
  assert.throws(() => spendingBoundaries([0.5, 1.1], 0.05, spendLate), RangeError);
  assert.throws(() => spendingBoundaries([1], 0.5, spendLate), RangeError);
});
