import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { keepBest } from './examples.ts';

test('What is kept is what sorting everything would put first, the earlier of equals before the later.', () => {
  const ranks = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 5 })), { maxLength: 60 });
  fc.assert(
    fc.property(ranks, fc.integer({ min: 0, max: 12 }), (offered, most) => {
      const kept = keepBest<number>(most);
      offered.forEach((rank, index) => {
        kept.offer(rank, index);
      });
      const expected = offered
        .map((rank, index) => ({ rank, index }))
        .sort((a, b) => b.rank[0] - a.rank[0] || b.rank[1] - a.rank[1] || a.index - b.index)
        .slice(0, most)
        .map(({ index }) => index);
      assert.deepEqual(kept.items(), expected);
    }),
    { seed: 3 },
  );
});

test('What is not wanted is not kept.', () => {
  const kept = keepBest<string>(1);
  assert.ok(kept.wants([0]));
  kept.offer([1], 'a');
  assert.ok(!kept.wants([1]) && kept.wants([2]));
  kept.offer([1], 'b');
  assert.deepEqual(kept.items(), ['a']);
});
