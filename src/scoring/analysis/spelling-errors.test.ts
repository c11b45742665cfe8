import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizerNamed } from '../normalizers/normalizers.ts';
import { watchSpelling } from './spelling-errors.ts';

/** What is told of pairs, each with its language. */
function told(normalizer: string, ...pairs: readonly (readonly [string | undefined, string, string])[]) {
  const watch = watchSpelling(normalizerNamed(normalizer));
  for (const [language, reference, hypothesis] of pairs) watch.see(reference, hypothesis, language);
  return watch.told().map(({ sentence }) => sentence);
}

test('Errors that a looser normalizer would not count are told by kind and by language; others are not.', () => {
  // By hand, under Whisper's basic: пʼять is one word, п'ять two (1 substituted, 1 inserted); ٢ and 2 differ; кіт and кит are an error.
  assert.deepEqual(told('basic', ['uk', "п'ять", 'пʼять'], ['uk', 'кіт', 'кит'], ['ar', 'عام ٢', 'عام 2']), [
    '3 of 4 errors are spelling only (apostrophes 2, digits 1); by language: uk 2 of 3, ar 1 of 1',
  ]);
  assert.deepEqual(told('none', ['fr', 'Bonjour toi,', 'bonjour toi']), [
    '2 of 2 errors are spelling only (capitals 1, punctuation 1)',
  ]);
  assert.deepEqual(told('basic', ['de', 'so\u00adfa 1.250', 'sofa 1250']), [
    // "so­fa" and "1 250" against "sofa" and "1250".
    '3 of 3 errors are spelling only (grouped numbers 2, invisible characters 1)',
  ]);
  assert.deepEqual(told('basic', ['ro', 'ştiu', 'știu']), ['1 of 1 error is spelling only (letters with two codes 1)']);
  assert.deepEqual(told('basic', ['de', 'ein Hund', 'ein Mund']), []);
  assert.deepEqual(told('basic', ['de', 'ein Hund', 'ein Hund']), []);
});

test('Matters of taste are told under our own normalizers too, and English forms under Whisper’s.', () => {
  assert.deepEqual(told('by-language', ['de', 'die Straße', 'die Strasse'], ['ru', 'всё', 'все'], ['de', 'a', 'b']), [
    '2 of 3 errors may be spelling (ß and ss 1, ё and е 1); by language: de 1 of 2, ru 1 of 1',
  ]);
  assert.deepEqual(told('by-language+sharp-s', ['de', 'die Straße', 'die Strasse']), []);
  assert.deepEqual(told('english', ['en', 'at 10:05', 'at ten oh five'], ['en', 'it’s', "it's"]), [
    // "10 5" and "1005" (2 errors), "it s" and "it is" (1).
    '3 of 3 errors are spelling only (contractions, numbers and abbreviations 2, apostrophes 1)',
  ]);
  assert.deepEqual(told('plain-english', ['en', 'a cat', 'a hat']), []);
});

test('Figures that stand against words are told where no normalizer reads numbers.', () => {
  const [sentence, ...more] = told(
    'by-language',
    ['de', 'mit 25 Euro', 'mit fünfundzwanzig Euro'],
    ['de', 'ja', 'nein'],
  );
  assert.match(sentence!, /^1 of 2 errors may be numbers, in figures in one text and in words in the other$/);
  assert.deepEqual(more, []);
  assert.deepEqual(told('by-language', ['de', 'mit 25 Euro', 'mit 26 Euro']), []);
  assert.deepEqual(told('by-language', ['de', 'mit 25 Euro', 'mit Euro']), []);
});
