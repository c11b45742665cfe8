import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRandom } from '../base/random.ts';
import { createLikenessSearch } from './wsola.ts';

test('finds a stretch of the signal where it was taken from, by either measure, for any lengths', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 4, max: 400 }),
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 0, max: 99 }),
      (length, places, share) => {
        const random = createRandom({ length, places });
        const samples = Float32Array.from({ length: 1500 }, () => 2 * random.next() - 1);
        const wanted = Math.floor((places * share) / 100);
        const search = createLikenessSearch(length, places);
        search.template.set(samples.subarray(70 + wanted, 70 + wanted + search.template.length));
        assert.equal(search.minDifference(samples, 70), wanted);
        // Louder on the rest, a product would be largest elsewhere: neither side is normalised.
        if (length >= 64) assert.equal(search.largestProduct(samples, 70), wanted);
      },
    ),
    { numRuns: 100 },
  );
});

test('of places that are alike the first is taken', () => {
  const search = createLikenessSearch(8, 50);
  assert.equal(search.minDifference(new Float32Array(100), 0), 0);
  assert.equal(search.largestProduct(new Float32Array(100), 0), 0);
});
