import assert from 'node:assert/strict';
import { test } from 'node:test';
import { levelGrid } from './axes.ts';

test('Linear levels are multiples of a round step, whatever the ends.', () => {
  const one = levelGrid({ from: 30, to: -20, scale: 'linear', step: null });
  assert.deepEqual([one.length, one[0], one.at(-1)], [51, -20, 30]);
  const other = levelGrid({ from: -12.5, to: 7.3, scale: 'linear', step: 1 });
  assert.deepEqual([other[0], other.at(-1)], [-12, 7]);
  assert.deepEqual(levelGrid({ from: 0.03, to: 0.4, scale: 'linear', step: 0.1 }), [0.1, 0.2, 0.3, 0.4]);
});

test('Logarithmic levels are the preferred numbers of ISO 3, R40.', () => {
  const levels = levelGrid({ from: 500, to: 4000, scale: 'logarithmic', step: null });
  // 10 to the power of fortieths, to three digits; a tenth of a decade apart they are 1.26 times each other.
  for (const number of [501, 631, 794, 1000, 1260, 1580, 2000, 2510, 3160, 3980])
    assert.ok(levels.includes(number), String(number));
  assert.throws(() => levelGrid({ from: 0, to: 10, scale: 'logarithmic', step: null }), RangeError);
});
