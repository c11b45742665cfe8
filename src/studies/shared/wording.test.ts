import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted } from '../../base/wording.ts';
import type { Estimate } from '../../model/finding.ts';
import { formatEstimate } from '../../report/format/cell.ts';
import { differenceInWords, numberInWords, pointsWithin, rateInWords, withSentence } from './wording.ts';

const estimate = (value: number | null, low: number | null, high: number | null, text?: string): Estimate => ({
  ...{ value, low, high, level: 0.95, n: { utterances: 10, speakers: 10 }, method: 'invented' },
  ...(text === undefined ? {} : { reason: { code: 'text', text } }),
});

test('A rate opens with its number and closes with its interval, if it has one.', () => {
  assert.equal(
    rateInWords(estimate(0.733, 0.357, 0.914), 'WER', 'on clean audio'),
    '73.3 % WER on clean audio (95 % CI 35.7-91.4)',
  );
  assert.equal(rateInWords(estimate(0.0025, null, null, 'few'), 'WER', 'in hiss'), '0.25 % WER in hiss');
  assert.equal(rateInWords(estimate(null, null, null, 'no word'), 'WER', 'in hiss'), 'no WER in hiss (no word)');
});

test('A difference says which way, and on which sides its interval lies.', () => {
  assert.equal(
    differenceInWords(estimate(-0.193, -0.259, -0.127), 'than b'),
    '19.3 points less than b (95 % CI 12.7-25.9)',
  );
  assert.equal(
    differenceInWords(estimate(0.193, 0.127, 0.259), 'than b'),
    '19.3 points more than b (95 % CI 12.7-25.9)',
  );
  assert.equal(
    differenceInWords(estimate(-0.0039, -0.0529, 0.0452), 'than b'),
    '0.39 points less than b (95 % CI 5.29 less to 4.52 more)',
  );
  assert.equal(differenceInWords(estimate(0.1, null, null), 'than b'), '10.0 points more than b');
});

test('Thousands are grouped, a number has its unit before its interval, and the statement that is shown first takes a sentence.', () => {
  assert.deepEqual([counted(1712, 'recording'), counted(1, 'trial')], ['1,712 recordings', '1 trial']);
  assert.equal(numberInWords(estimate(-3.2, -4.1, -2.2), 1, ' dB'), '−3.2 dB (95 % CI −4.1 to −2.2)');
  assert.equal(numberInWords(estimate(840, 700, 1900), 0, ' words'), '840 words (95 % CI 700-1,900)');
  assert.equal(numberInWords(estimate(null, null, null, 'no clip'), 0), 'no number (no clip)');
  const said = (sentence: string) => withSentence([{ text: 'a.' }, { text: 'b.', headline: true }], sentence);
  assert.deepEqual(
    [said('c.').map(({ text }) => text), said('').map(({ text }) => text)],
    [
      ['a.', 'b. c.'],
      ['a.', 'b.'],
    ],
  );
});

test('A distance of rates has the decimals that tables print, two below 1 point.', () => {
  const printed = (one: Estimate) => formatEstimate(one, 'points');
  for (const one of [estimate(0.0082, 0, 0.0238), estimate(0.041, 0.01, 0.072), estimate(-0.0964, -0.2, 0.1)]) {
    const { main, interval } = printed(one);
    assert.equal(pointsWithin(one), `${main} ${interval}`);
  }
  assert.equal(pointsWithin(estimate(0.0082, 0, 0.0238)), '0.82 points [0.00, 2.38]');
  assert.equal(pointsWithin(estimate(0.2, null, null)), '20.0 points');
});
