import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { align } from '../alignment/align.ts';
import { countEdits } from '../alignment/count-edits.ts';
import { errorRate, noEdits } from '../edit-counts.ts';
import type { AlignedPlace } from './aligned-place.ts';
import { confusionPairs } from './confusion-pairs.ts';
import { extraWordPositions, hallucinationSigns, insertionRuns } from './hallucination-signs.ts';
import {
  addPhraseCounts,
  countKeywordErrors,
  countPhraseErrors,
  findPhrases,
  noPhrases,
  phraseRates,
} from './phrase-errors.ts';
import { repeatedLoops } from './repeated-loops.ts';

const split = (text: string) => text.split(' ').filter(Boolean);
const aligned = (reference: string, hypothesis: string) => align(split(reference), split(hypothesis));
const someWords = fc.array(fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor'), { maxLength: 12 });

test('Confusion pairs are counted and sorted, ties in the order of the words.', () => {
  const { substitutions, deletions, insertions } = confusionPairs([
    aligned('a cat sat', 'the cat sat'),
    aligned('a b', 'the x'),
    aligned('__proto__ b', 'b'),
    aligned('z', 'z toString uh'),
    aligned('z', 'z uh'),
  ]);
  assert.deepEqual(substitutions, [
    { reference: 'a', hypothesis: 'the', count: 2 },
    { reference: 'b', hypothesis: 'x', count: 1 },
  ]);
  assert.deepEqual(deletions, [{ reference: '__proto__', hypothesis: null, count: 1 }]);
  assert.deepEqual(insertions, [
    { reference: null, hypothesis: 'uh', count: 2 },
    { reference: null, hypothesis: 'toString', count: 1 },
  ]);
});

test('Confusions add up to the edits of the alignment.', () => {
  fc.assert(
    fc.property(someWords, someWords, (reference, hypothesis) => {
      const confusions = confusionPairs([align(reference, hypothesis)]);
      const counts = countEdits(reference, hypothesis);
      for (const kind of ['substitutions', 'deletions', 'insertions'] as const) {
        assert.equal(
          confusions[kind].reduce((sum, { count }) => sum + count, 0),
          counts[kind],
        );
      }
      const runs = insertionRuns(align(reference, hypothesis));
      assert.equal(runs.flatMap(({ words }) => words).length, counts.insertions);
    }),
    { seed: 1 },
  );
});

test('Optional words that were left out are no errors.', () => {
  const words: AlignedPlace[] = [
    { reference: 'uh', hypothesis: null, leftOut: true },
    { reference: 'new', hypothesis: 'new' },
    { reference: null, hypothesis: 'um', leftOut: true },
    { reference: 'york', hypothesis: 'york' },
  ];
  assert.deepEqual(confusionPairs([words]), { substitutions: [], deletions: [], insertions: [] });
  assert.deepEqual(insertionRuns(words), []);
  assert.equal(countPhraseErrors(words, [{ start: 1, end: 3 }]).hits, 1);
});

test('Runs of extra words say where they stand.', () => {
  const words = align(split('yes indeed'), split('oh well yes so indeed thank you all'));
  assert.deepEqual(extraWordPositions(words), { before: 2, inside: 1, after: 3, alone: 0 });
  assert.deepEqual(insertionRuns(words, 3), [
    { start: 5, afterReferenceWords: 2, words: ['thank', 'you', 'all'], position: 'after' },
  ]);
  assert.deepEqual(extraWordPositions(aligned('', 'thank you')), { before: 0, inside: 0, after: 0, alone: 2 });
  assert.deepEqual(insertionRuns([]), []);
  assert.throws(() => insertionRuns([], 0), RangeError);
});

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
  assert.deepEqual(repeatedLoops(split('a b a b'), { leastRepeats: 2 }), [{ start: 0, words: ['a', 'b'], repeats: 2 }]);
  assert.deepEqual(repeatedLoops(split('a b c a b c a b c'), { mostWords: 2 }), []);
  assert.deepEqual(repeatedLoops([]), []);
  assert.throws(() => repeatedLoops([], { leastRepeats: 1 }), RangeError);
  assert.throws(() => repeatedLoops([], { mostWords: 0 }), RangeError);
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

test('Hallucination signs leave out what was said over and over, and know the pace only with a duration.', () => {
  const said = aligned('no no no', 'no no no');
  assert.deepEqual(hallucinationSigns(said).loops, []);
  assert.deepEqual(
    [hallucinationSigns(said).wordsPerSecond, hallucinationSigns(said).reason],
    [null, 'the duration is not known'],
  );
  const invented = hallucinationSigns(aligned('no', 'no no no no thanks'), { durationSeconds: 0.5 });
  assert.deepEqual(invented.loops, [{ start: 0, words: ['no'], repeats: 4 }]);
  assert.equal(invented.wordsPerSecond, 10);
  assert.equal(invented.runs.flatMap(({ words }) => words).length, 4);
  assert.equal(hallucinationSigns([], { durationSeconds: 0 }).reason, 'the sound is empty');
  assert.throws(() => hallucinationSigns([], { durationSeconds: Number.NaN }), RangeError);
});

test('Phrases are found from left to right, the longest first.', () => {
  const phrases = [['new', 'york'], ['york'], ['new', 'york', 'city'], [], ['constructor']];
  assert.deepEqual(findPhrases(split('in new york city york new york constructor new'), phrases), [
    { start: 1, end: 4, label: 'new york city' },
    { start: 4, end: 5, label: 'york' },
    { start: 5, end: 7, label: 'new york' },
    { start: 7, end: 8, label: 'constructor' },
  ]);
  assert.deepEqual(findPhrases([], phrases), []);
});

test('Keywords have recall, precision and a word error rate of their own.', () => {
  const counts = countKeywordErrors(aligned('call new york now and york', 'call newark york now and york york'), [
    ['new', 'york'],
    ['york'],
    ['call'],
  ]);
  // Said: call, new york, york. Written: call, york (of newark york), york, york.
  assert.deepEqual(counts, {
    occurrences: 3,
    hits: 2,
    detections: 4,
    falseAlarms: 2,
    words: { correct: 3, substitutions: 1, deletions: 0, insertions: 0 },
  });
  const { recall, precision, f1, wordErrorRate, reason } = phraseRates(counts);
  assert.deepEqual([recall, precision, wordErrorRate, reason], [2 / 3, 1 / 2, 1 / 4, undefined]);
  assert.ok(Math.abs(f1! - 4 / 7) < 1e-12);
});

test('An extra word within a phrase spoils it, one beside it does not.', () => {
  const spoiled = countKeywordErrors(aligned('a new york b', 'a new old york b'), [['new', 'york']]);
  assert.deepEqual([spoiled.hits, spoiled.words.insertions], [0, 1]);
  const beside = countKeywordErrors(aligned('a new york b', 'a old new york old b'), [['new', 'york']]);
  assert.deepEqual([beside.hits, beside.words.insertions, beside.falseAlarms], [1, 0, 0]);
});

test('Marked entities need the same label on both sides; without marks there is no precision.', () => {
  const words = aligned('see paris hilton', 'see paris hilton');
  const person = { start: 1, end: 3, label: 'person' };
  assert.equal(countPhraseErrors(words, [person], [person]).falseAlarms, 0);
  assert.equal(countPhraseErrors(words, [person], [{ ...person, label: 'place' }]).falseAlarms, 1);
  const unmarked = phraseRates(addPhraseCounts(noPhrases, countPhraseErrors(words, [person])));
  assert.deepEqual(
    [unmarked.recall, unmarked.precision, unmarked.f1, unmarked.reason],
    [1, null, null, 'phrases of the hypothesis are not marked'],
  );
  const nothing = phraseRates(noPhrases);
  assert.deepEqual(
    [nothing.recall, nothing.wordErrorRate, nothing.reason],
    [null, null, 'no phrase was said; no phrase was written'],
  );
  for (const spans of [
    [{ start: 0, end: 0 }],
    [{ start: 2, end: 4 }],
    [person, { start: 2, end: 3 }],
    [{ start: -1, end: 1 }],
  ]) {
    assert.throws(() => countPhraseErrors(words, spans), RangeError);
  }
});

test('With every word a keyword, the word error rate of keywords lacks only the insertions beside them.', () => {
  fc.assert(
    fc.property(someWords, someWords, (reference, hypothesis) => {
      const all = [...new Set(reference)].map((word) => [word]);
      const { words } = countKeywordErrors(align(reference, hypothesis), all);
      const edits = countEdits(reference, hypothesis);
      assert.deepEqual(words, reference.length === 0 ? noEdits : { ...edits, insertions: 0 });
      assert.ok((errorRate(words) ?? 0) <= 1);
    }),
    { seed: 2 },
  );
});
