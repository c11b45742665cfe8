import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { repeatedLoops } from './repeated-loops.ts';

const split = (text: string) => text.split(' ').filter(Boolean);

test('A loop is told by its shortest round; overlapping ones by the longest stretch.', () => {
  assert.deepEqual(repeatedLoops(split('so no way no way no way no')), [
    { start: 1, words: ['no', 'way'], repeats: 3 },
  ]);
  assert.deepEqual(repeatedLoops(split('no no no no no no')), [{ start: 0, words: ['no'], repeats: 6 }]);
  assert.deepEqual(repeatedLoops(split('a a b a a b a a b c c c')), [
    { start: 0, words: ['a', 'a', 'b'], repeats: 3 },
    { start: 9, words: ['c'], repeats: 3 },
  ]);
  assert.deepEqual(repeatedLoops(split('no no no no way no way no way')), [
    { start: 0, words: ['no'], repeats: 3 },
    { start: 3, words: ['no', 'way'], repeats: 3 },
  ]);
  assert.deepEqual(repeatedLoops(split('a b a b')), []);
  assert.deepEqual(repeatedLoops(split('a b a b'), { minRepeats: 2 }), [{ start: 0, words: ['a', 'b'], repeats: 2 }]);
  assert.deepEqual(repeatedLoops(split('a b c a b c a b c'), { maxWords: 2 }), []);
  assert.deepEqual(repeatedLoops([]), []);
  assert.throws(() => repeatedLoops([], { minRepeats: 1 }), RangeError);
  assert.throws(() => repeatedLoops([], { maxWords: 0 }), RangeError);
});

test('What is told as a loop stands in the words again and again, and loops do not overlap.', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b'), { maxLength: 30 }), (words) => {
      let before = 0;
      for (const { start, words: round, repeats } of repeatedLoops(words)) {
        assert.ok(start >= before && repeats >= 3);
        before = start + round.length * repeats;
        const stretch = Array.from({ length: repeats }, () => round).flat();
        assert.deepEqual(words.slice(start, before), stretch);
      }
      const within = new Set(
        repeatedLoops(words).flatMap(({ start, words: round, repeats }) =>
          Array.from({ length: round.length * repeats }, (_, place) => start + place),
        ),
      );
      for (let period = 1; period <= 10; period++) {
        for (let start = 0; start + 3 * period <= words.length; start++) {
          const stretch = Array.from({ length: 3 * period }, (_, place) => start + place);
          if (stretch.slice(period).every((place) => words[place] === words[place - period])) {
            assert.ok(stretch.some((place) => within.has(place)));
          }
        }
      }
    }),
    { seed: 9 },
  );
});
