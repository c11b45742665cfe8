import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EarwitnessError } from '../../base/errors.ts';
import { makeNormalizer } from '../normalizers/normalizer.ts';
import { cer, mer, type Texts, wer, wil, wip } from './rates-of-texts.ts';

test('Rates of texts are pooled over all pairs, and one text is a list of one.', () => {
  // By hand: one word deleted of three, none of two wrong.
  assert.equal(wer(['the cat sat', 'hello world'], ['the cat', 'hello world']), 1 / 5);
  assert.equal(wer('the cat sat', ['the cat']), 1 / 3);
  // "the cat" to "a cat": two deleted, one substituted of seven characters.
  assert.equal(cer('the cat', 'a cat'), 3 / 7);
  const inserted = ['the cat sat', 'the cat sat down'] as const;
  assert.deepEqual([mer(...inserted), wil(...inserted), wip(...inserted)], [0.25, 0.25, 0.75]);
});

test('Rates of texts go by the normalizer that is named or given, and by basic without one.', () => {
  assert.equal(wer('The cat!', 'the cat'), 0);
  assert.equal(wer('The cat!', 'the cat', { normalizer: 'none' }), 1);
  const first = makeNormalizer({
    name: 'first',
    version: 1,
    about: 'The first letter.',
    steps: [{ step: 'cut', apply: (text) => text.slice(0, 1) }],
  });
  assert.equal(wer('The cat!', 'Tea', { normalizer: first }), 0);
  assert.throws(() => wer('a', 'a', { normalizer: 'englsh' }), /did you mean "english"\?/);
  const misspelt: object = { normaliser: 'none' };
  for (const rate of [wer, cer, mer, wil, wip]) {
    assert.throws(
      () => rate('A', 'a', misspelt),
      /expected no options but normalizer and language, but got "normaliser"/,
    );
  }
});

test('What has no rate is null, and what is inserted beside an empty reference counts in the pooled rate.', () => {
  assert.deepEqual([wer('', 'uh'), cer('', 'uh'), mer('', 'uh'), wil('', 'uh'), wip('', 'uh')], [null, null, 1, 1, 0]);
  assert.deepEqual([wer([], []), mer('', ''), wip('', '')], [null, null, null]);
  assert.equal(wer(['', 'a b'], ['uh', 'a b']), 1 / 2);
});

test('Rates of texts refuse lists of two lengths, and what is no text.', () => {
  const wrong: readonly [unknown, unknown, RegExp][] = [
    [['a', 'b', 'c'], ['a', 'b'], /references: 3, hypotheses: 2$/],
    ['a', ['a', 'b'], /references: 1, hypotheses: 2$/],
    [['a', null], ['a', 'b'], /references\[1\]: expected a text, but got null/],
    ['a', 7, /hypotheses: expected a text or an array of texts, but got number/],
    [['a'], undefined, /hypotheses: .* got undefined/],
  ];
  for (const [references, hypotheses, message] of wrong) {
    for (const rate of [wer, cer, mer, wil, wip]) {
      assert.throws(
        () => rate(references as Texts, hypotheses as Texts),
        (error: unknown) =>
          error instanceof EarwitnessError && error.code === 'bad-input' && message.test(error.message),
      );
    }
  }
});

test('By language needs the language, and counts characters where they are words.', () => {
  const zh = { normalizer: 'by-language', language: 'zh' };
  assert.deepEqual([wer('今天很好', '今天真好', zh), cer('今 天', '今天', zh)], [1 / 4, 0]);
  assert.equal(wer('İstanbul', 'istanbul', { normalizer: 'by-language', language: 'tr' }), 0);
  assert.throws(() => wer('今天', '今天', { normalizer: 'by-language' }), /expected the option language/);
});
