import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dictation } from './dictation.ts';

// Each pair is one dictation: as it was said, and as a recognizer with written signs gives it.
const pairs: readonly (readonly [said: string, written: string])[] = [
  ['this is deputy marcus period I responded', 'This is Deputy Marcus. I responded'],
  ['on the corner period new line they appeared', 'on the corner.\nThey appeared'],
  ['the end period new paragraph next', 'The end.\n\nNext'],
  ['in Phoenix comma I observed', 'in Phoenix, I observed'],
  ['like open quotes screeching cats close quotes and', 'like "screeching cats" and'],
  ['he said colon open quote yes unquote', 'He said: “yes”'],
  ['really question mark', 'Really?'],
  ['wow exclamation point', 'Wow!'],
  ['wow exclamation mark', 'Wow!'],
  ['full stop', '.'],
  ['wait semi colon then', 'Wait; then'],
  ['wait dot dot dot what', 'Wait... what'],
  ['wait ellipsis what', 'Wait… what'],
  ['a dash b em dash c', 'a - b — c'],
  ['open parenthesis x close parenthesis', '(x)'],
  ['left paren x right paren', '(x)'],
  ['and slash or', 'and/or'],
  ['well hyphen known', 'well-known'],
  ['marcus apostrophe s car', 'Marcus’s car'],
  ['five ampersand dime', 'five & dime'],
  ['practice period new line', 'practice.\n'],
];

test('A spoken command and the sign written for it become the same words.', () => {
  for (const [said, written] of pairs) {
    assert.deepEqual(dictation.words(said), dictation.words(written), said);
  }
});

test('Each command is one word.', () => {
  assert.deepEqual(dictation.words('Go, please!\nOpen quote yes'), [
    'go',
    'comma',
    'please',
    'exclamation-point',
    'new-line',
    'open-quote',
    'yes',
  ]);
});

test('A word that is also a command is the same word on both sides.', () => {
  assert.deepEqual(dictation.words('the Victorian period'), ['the', 'victorian', 'period']);
  assert.deepEqual(dictation.words('colon cancer'), ['colon', 'cancer']);
});

test('Dots of abbreviations and signs within numbers are no commands.', () => {
  assert.deepEqual(dictation.words('Mr. Smith paid 1,000.50 at 13:30 on 10/9/21.'), [
    'mr',
    'smith',
    'paid',
    '1000.50',
    'at',
    '13',
    '30',
    'on',
    '10',
    '9',
    '21',
    'period',
  ]);
  assert.deepEqual(dictation.words('U.S. law, J. Smith'), ['us', 'law', 'comma', 'j', 'smith']);
  assert.deepEqual(dictation.words('I said no. Then'), ['i', 'said', 'no', 'period', 'then']);
});

test('A sign right after its spoken command counts once.', () => {
  assert.deepEqual(dictation.words('Marcus period. Then'), ['marcus', 'period', 'then']);
});

test('Normalizing the words again changes nothing.', () => {
  const pieces = fc.constantFrom(...pairs.flatMap(([said]) => said.split(' ')).map((word) => word.toLowerCase()));
  fc.assert(
    fc.property(fc.array(pieces), (all) => {
      const words = dictation.words(all.filter((word) => !/[.-]/.test(word)).join(' '));
      assert.deepEqual(dictation.words(words.join(' ').replaceAll('-', ' ')), words);
    }),
    { seed: 5 },
  );
});
