import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RowCounts } from './sliced-counts.ts';

test('Sums are those of a plain table, whether rows are few or many.', () => {
  const additions = fc.oneof(
    fc.array(fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 9 })), { maxLength: 300 }),
    fc.array(fc.tuple(fc.nat({ max: 5000 }), fc.nat({ max: 9 })), { maxLength: 300 }),
  );
  fc.assert(
    fc.property(additions, (added) => {
      const counts = new RowCounts();
      const expected = new Map<number, number>();
      for (const [row, errors] of added) {
        counts.add(row, errors, 2 * errors, 1, 0);
        expected.set(row, (expected.get(row) ?? 0) + errors);
      }
      for (let row = 0; row <= 5000; row++) {
        assert.equal(counts.errors(row), expected.get(row) ?? 0);
        assert.equal(counts.words(row), 2 * counts.errors(row));
      }
      const rows = Array.from({ length: 5001 }, (_, row) => row);
      assert.equal(counts.totals(rows).trials, added.length);
    }),
    { seed: 4, numRuns: 60 },
  );
});
