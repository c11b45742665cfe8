import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { golden } from '../../../base/testing/golden.ts';
import { crossasr } from './crossasr.ts';
import { cardinal, ordinal, year } from './numbers.ts';
import { romanValue } from './roman-numerals.ts';

// Written by hand: what a careful American reader says, one class after another.
const table = readFileSync(new URL('written-forms.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t') as [string, string, string]);

const say = (text: string) => crossasr.words(text).join(' ');

test('Each written form of the table is said as a careful reader would.', () => {
  assert.ok(table.length > 450);
  const wrong = table.filter(([, written, spoken]) => say(written) !== spoken);
  assert.deepEqual(
    wrong.map(([kind, written]) => [kind, written, say(written)]),
    [],
  );
});

test('Words that were said once stay as they are.', () => {
  for (const [, , spoken] of table) assert.equal(say(spoken), spoken);
});

test('A form within a sentence is said as it is alone.', () => {
  const independent = new Set(['decimal', 'ordinal', 'percent', 'unit', 'currency', 'initialism', 'alphanumeric']);
  const letter = /^[a-z]/;
  for (const [kind, written, spoken] of table) {
    if (!independent.has(kind) || letter.test(written) || /^[A-Z][a-z]|["']$| [A-Z]/.test(written)) continue;
    assert.equal(say(`It was ${written}, he said.`), `it was ${spoken} he said`, written);
  }
});

test('A number is said so that its words give it back.', () => {
  const small = new Map(Array.from({ length: 1000 }, (_, value) => [cardinal(String(value)), value] as const));
  assert.equal(small.size, 1000);
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 10n ** 36n - 1n }), (value) => {
      const scales = [
        'thousand',
        'million',
        'billion',
        'trillion',
        'quadrillion',
        'quintillion',
        'sextillion',
        'septillion',
        'octillion',
        'nonillion',
        'decillion',
      ];
      let total = 0n;
      let group: string[] = [];
      for (const word of cardinal(String(value)).split(' ')) {
        const power = scales.indexOf(word);
        if (power < 0) group.push(word);
        else {
          total += BigInt(small.get(group.join(' '))!) * 1000n ** BigInt(power + 1);
          group = [];
        }
      }
      if (group.length > 0) total += BigInt(small.get(group.join(' '))!);
      assert.equal(total, value);
    }),
    { seed: 5, numRuns: 300 },
  );
});

test('From ten to the thirty-sixth on a number is said digit by digit.', () => {
  assert.equal(cardinal(`1${'0'.repeat(35)}`), 'one hundred decillion');
  assert.equal(cardinal(`1${'0'.repeat(36)}`), `one${' zero'.repeat(36)}`);
});

test('Groups with American signs change nothing about a number.', () => {
  fc.assert(
    fc.property(fc.integer({ min: 10_000, max: 999_999_999 }), (value) => {
      assert.equal(say(value.toLocaleString('en-US')), cardinal(String(value)));
    }),
    { seed: 5, numRuns: 200 },
  );
});

test('Every ordinal ends as one, and every year of two pairs holds both.', () => {
  for (let value = 1; value < 200; value++) {
    assert.match(ordinal(String(value)), /(?:th|first|second|third)$/);
  }
  for (let value = 1110; value < 2000; value++) {
    if (value % 100 > 9)
      assert.equal(year(String(value)), `${cardinal(String(value).slice(0, 2))} ${cardinal(String(value).slice(2))}`);
  }
});

test('Roman numerals have one proper form each.', () => {
  assert.deepEqual(
    ['I', 'IV', 'IX', 'XIV', 'XL', 'XC', 'CD', 'MCMXCIX', 'MMMCMXCIX'].map(romanValue),
    [1, 4, 9, 14, 40, 90, 400, 1999, 3999],
  );
  assert.deepEqual(['', 'IIII', 'VV', 'IC', 'CIVIC', 'DID', 'i'].map(romanValue), Array(7).fill(undefined));
});

test('Any text gives words of letters alone, without figures.', () => {
  const shape = /^[\p{L}\p{M}]+$/u;
  const pieces = fc.constantFrom(
    ...'0 1 2 9 12 1905 $ € % . , : ; - – / \' " ( ) # @ & + x × ^ ² ½ st nd th km m s am p.m. Mr. Dr. St. No. I II IV X VIII May Jan. BC A b ok U.S. eu \n \u200b é ١ ５ ① \ud800'.split(
      ' ',
    ),
    ' ',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(pieces, { maxLength: 20 }).map((all) => all.join('')),
      ),
      (text) => {
        for (const word of crossasr.words(text)) assert.match(word, shape);
      },
    ),
    { seed: 5, numRuns: 150 },
  );
});

test('A long hostile text takes time by its length.', () => {
  for (const piece of ['1,', '1-', 'a@', '1 May-', 'I ', 'A.', '½', 'Mr. ', '$1-', "1'"]) {
    const before = process.cpuUsage();
    crossasr.words(piece.repeat(4000));
    assert.ok(process.cpuUsage(before).user < 1_000_000, piece);
  }
});

test('Each step shows by name what it changed.', () => {
  const steps = crossasr.explain('Dr. No paid $5 on May 3.');
  const changed = steps
    .filter(({ text }, index) => index > 0 && text !== steps[index - 1]!.text)
    .map(({ step }) => step);
  assert.deepEqual(changed, ['dates', 'money', 'titles', 'lower case, punctuation out']);
  assert.equal(new Set(steps.map(({ step }) => step)).size, steps.length);
});

/** Texts of the paper where they stand beside the repository, else references of the Artie Bias Corpus as recognizers' scores were taken. */
function normalizedTexts(): string[] {
  const europarl = new URL('../../../../../shared/data/texts/europarl-20k.txt', import.meta.url);
  if (existsSync(europarl)) {
    const lines = readFileSync(europarl, 'utf8').trimEnd().split('\n');
    return lines.filter((_, index) => index % 40 === 0);
  }
  const rows = readFileSync(golden('scoring/pairs.tsv'), 'utf8').trimEnd().split('\n');
  const references = rows.filter((row) => row.startsWith('real-')).map((row) => row.split('\t')[1]!);
  return [...new Set(references)].filter((text) => /^[a-z ]+$/.test(text));
}

test('Texts that are normalized already keep their words but for the rules added here.', () => {
  const expected =
    /^(?:mr|mrs|messrs|and|eus?|un|vat|us|uk|usa|ussr|meps?|tv|id|atm|gdp|st|vs|vi|ii|iii|iv|xi|dna|imf|nato|wto|ecb|dr|prof|ngos?|gnp|\P{L}+)$/u;
  const texts = normalizedTexts();
  assert.ok(texts.length >= 100);
  for (const line of texts) {
    const words = new Set(crossasr.words(line));
    for (const word of line
      .replaceAll(/[^\p{L}\p{M}]+/gu, ' ')
      .trim()
      .split(' ')) {
      assert.ok(words.has(word) || expected.test(word), `${word}: ${line}`);
    }
  }
});
