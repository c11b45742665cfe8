// Expected by definition: at each end of the interval the binomial tail beyond the hits has half of what the level leaves, as
// sums of binomial probabilities say, which the code does not use.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasonText } from '../model/reason.ts';
import { exactProportionInterval } from './exact-intervals.ts';

/** The chance of `from` to `to` hits among `items`. */
function chance(from: number, to: number, items: number, share: number): number {
  let ways = 1;
  let sum = 0;
  for (let hits = 0; hits <= to; hits++) {
    if (hits >= from) sum += ways * share ** hits * (1 - share) ** (items - hits);
    ways = (ways * (items - hits)) / (hits + 1);
  }
  return sum;
}

for (const [hits, items, level] of [
  [2, 51, 0.95],
  [0, 10, 0.95],
  [10, 10, 0.9],
  [5, 10, 0.95],
  [10, 100, 0.99],
  [1, 395, 0.95],
] as const) {
  test(`The interval of ${hits} of ${items} at ${level} leaves half of the rest beyond each end.`, () => {
    const { low, high, value } = exactProportionInterval(hits, items, level);
    assert.equal(value, hits / items);
    const tail = (1 - level) / 2;
    if (hits === 0) assert.equal(low, 0);
    else assert.ok(Math.abs(chance(hits, items, items, low!) - tail) < 1e-9);
    if (hits === items) assert.equal(high, 1);
    else assert.ok(Math.abs(chance(0, hits, items, high!) - tail) < 1e-9);
  });
}

test('One of a thousand million keeps its digits.', () => {
  // beta.ppf(.025, 1, 1e9) and beta.ppf(.975, 2, 1e9 - 1) of scipy 1.17.1.
  const { low, high } = exactProportionInterval(1, 1e9);
  assert.ok(Math.abs(low! / 2.531780798396938e-11 - 1) < 1e-12, `${low}`);
  assert.ok(Math.abs(high! / 5.571643429123389e-9 - 1) < 1e-8, `${high}`);
});

test('Nothing looked at has no interval, and impossible counts are refused.', () => {
  assert.match(reasonText(exactProportionInterval(0, 0).reason!), /nothing/);
  assert.throws(() => exactProportionInterval(3, 2), RangeError);
  assert.throws(() => exactProportionInterval(1, 2, 1), RangeError);
});
