import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cutApart, displayWidth } from './display-width.ts';

test('Names that stand beside each other stay apart however they are cut, and those that fit stay whole.', () => {
  assert.deepEqual(cutApart(['nightly-2024-large', 'nightly-2025-large'], 10), ['…4-large', '…5-large']);
  assert.deepEqual(cutApart(['a', 'b', 'a'], 10), ['a', 'b', 'a']);
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '語'), maxLength: 30 });
  fc.assert(
    fc.property(
      fc.uniqueArray(letters, { minLength: 2, maxLength: 6 }),
      fc.integer({ min: 9, max: 20 }),
      (names, most) => {
        const cut = cutApart(names, most);
        assert.ok(cut.every((one) => displayWidth(one) <= most));
        assert.equal(new Set(cut).size, names.length, String(cut));
      },
    ),
    { seed: 1 },
  );
});
