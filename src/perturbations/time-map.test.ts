import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { composeTimeMaps, originalTime } from './apply-steps.ts';
import type { TimeMap } from './contract.ts';

const halfSpeed: TimeMap = [
  [0, 0],
  [4, 2],
];
/** One second was cut out at 1 s. */
const cut: TimeMap = [
  [0, 0],
  [1, 1],
  [1.000001, 2],
  [2, 3],
];

test('reads between the pairs, and stops at the ends', () => {
  assert.equal(originalTime(halfSpeed, 3), 1.5);
  assert.equal(originalTime(halfSpeed, -1), 0);
  assert.equal(originalTime(halfSpeed, 9), 2);
  assert.equal(originalTime([[0, 0]], 9), 0);
});

test('two maps become one that has the corners of both', () => {
  const both = composeTimeMaps(cut, halfSpeed);
  assert.deepEqual(
    both.map(([heard]) => heard),
    [0, 2, 2.000002, 4],
  );
  assert.ok(Math.abs(originalTime(both, 1) - 0.5) < 1e-9);
  assert.ok(Math.abs(originalTime(both, 3) - 2.5) < 1e-5);
});

test('the composed map says what the two say one after the other', () => {
  const rising = fc
    .array(fc.tuple(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 })), { minLength: 1, maxLength: 6 })
    .map((steps) => {
      const pairs: [number, number][] = [[0, 0]];
      for (const [heard, original] of steps) {
        const last = pairs.at(-1)!;
        pairs.push([last[0] + heard / 10, last[1] + original / 10]);
      }
      return pairs as TimeMap;
    });
  fc.assert(
    fc.property(rising, rising, fc.double({ min: 0, max: 60, noNaN: true }), (earlier, later, heard) => {
      const expected = originalTime(earlier, originalTime(later, heard));
      assert.ok(Math.abs(originalTime(composeTimeMaps(earlier, later), heard) - expected) < 1e-6);
    }),
  );
});
