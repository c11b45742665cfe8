import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Sums } from './sums.ts';

test('Sums are those of a plain table, whether units are few or many.', () => {
  const additions = fc.oneof(
    fc.array(fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 9 })), { maxLength: 300 }),
    fc.array(fc.tuple(fc.nat({ max: 2000 }), fc.nat({ max: 9 })), { maxLength: 300 }),
  );
  fc.assert(
    fc.property(additions, (added) => {
      const sums = new Sums(2);
      const expected = new Map<number, { readonly errors: number; readonly facts: number }>();
      added.forEach(([unit, errors], place) => {
        sums.add(unit, Float64Array.of(errors, 2 * errors), place + 1);
        const before = expected.get(unit) ?? { errors: 0, facts: 0 };
        expected.set(unit, { errors: before.errors + errors, facts: before.facts + 1 });
      });
      for (let unit = 0; unit <= 2001; unit++) {
        const { errors, facts } = expected.get(unit) ?? { errors: 0, facts: 0 };
        const told = [sums.at(unit, 0), sums.at(unit, 1), sums.factsOf(unit), sums.utterancesOf(unit)];
        assert.deepEqual(told, [errors, 2 * errors, facts, facts]);
        if (unit >= sums.length) assert.equal(facts, 0);
      }
      assert.equal(sums.facts, added.length);
    }),
    { seed: 4, numRuns: 60 },
  );
});
