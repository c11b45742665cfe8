import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatFixed, formatPValue, pValuePhrase } from '../../base/number-format.ts';
import type { Comparison, Estimate } from '../../model/finding.ts';
import { formatCell, formatComparison, formatEstimate, formatValue } from './cell.ts';
import { formatSampleSize } from './wording.ts';

// Expected texts are the published conventions (APA 7, section 6.36 for p; SI for units) worked out by hand.

const n = { utterances: 160, speakers: 16, words: 1412 };
const estimate: Estimate = { value: 0.1234, low: 0.118, high: 0.129, level: 0.95, n, method: 'BCa bootstrap' };

test('numbers have commas, a true minus sign and no sign on what rounds to zero', () => {
  assert.equal(formatFixed(-1234567.891, 2), '−1,234,567.89');
  assert.equal(formatFixed(-0.04, 1), '0.0');
  assert.equal(formatFixed(0, 1, true), '0.0');
  assert.equal(formatFixed(3, 1, true), '+3.0');
  assert.equal(formatFixed(1e21, 0), '1,000,000,000,000,000,000,000');
  assert.throws(() => formatFixed(Number.NaN, 1), RangeError);
});

test('each kind of number has its unit and sensible digits', () => {
  assert.equal(formatValue(0.1234, 'rate'), '12.3 %');
  assert.equal(formatValue(0.00251, 'rate'), '0.25 %');
  assert.equal(formatValue(0, 'rate'), '0.0 %');
  assert.equal(formatValue(1.342, 'rate'), '134.2 %');
  assert.equal(formatValue(-0.021, 'difference'), '−2.1 points');
  assert.equal(formatValue(0.036, 'difference'), '+3.6 points');
  // What is never below 0 has no sign.
  assert.equal(formatValue(0.036, 'points'), '3.6 points');
  assert.equal(formatValue(0.042, 'seconds'), '42 ms');
  assert.equal(formatValue(1.234, 'seconds'), '1.23 s');
  assert.equal(formatValue(132.5, 'seconds'), '2.2 min');
  assert.equal(formatValue(9000, 'seconds'), '2.5 h');
  assert.equal(formatValue(12345, 'count'), '12,345');
  assert.equal(formatValue(0.0216, 'money'), '0.0216');
  assert.equal(formatValue(2, 'money'), '2.00');
  assert.equal(formatValue(0.034, 'pvalue'), '.034');
});

test('p-values lose their leading zero and never become zero or one', () => {
  assert.equal(formatPValue(0.0004), '< .001');
  assert.equal(formatPValue(0.99996), '> .999');
  assert.equal(pValuePhrase(0.0341), 'p = .034');
  assert.equal(pValuePhrase(0), 'p < .001');
  // What cannot be less is at most so great.
  assert.equal(formatPValue(1 / 64, 1 / 64), '≤ .016');
  assert.equal(formatPValue(2 / 64, 1 / 64), '.031');
  assert.equal(pValuePhrase(0.0001, 'p', 0.0001), 'p < .001');
  assert.throws(() => formatPValue(1.5), RangeError);
});

test('an interval is printed in the unit of its value', () => {
  const shown = formatEstimate(estimate, 'rate');
  assert.equal(shown.main, '12.3 %');
  assert.equal(shown.interval, '[11.8, 12.9]');
  assert.equal(shown.n, '160 utterances, 16 speakers, 1,412 words');
  assert.equal(shown.method, '95 % interval: BCa bootstrap');
  const fast = formatEstimate({ ...estimate, value: 0.095, low: 0.05, high: 0.13 }, 'seconds');
  assert.deepEqual([fast.main, fast.interval], ['95 ms', '[50, 130]']);
});

test('what is missing is a dash that keeps its reason', () => {
  const none = formatEstimate(
    { ...estimate, value: null, low: null, high: null, reason: { code: 'text', text: 'only 1 speaker' } },
    'rate',
  );
  assert.deepEqual([none.main, none.interval, none.reason, none.order], ['–', null, 'only 1 speaker', null]);
  const bare = formatEstimate(
    { ...estimate, low: null, high: null, reason: { code: 'text', text: 'too few' } },
    'rate',
  );
  assert.deepEqual([bare.main, bare.interval, bare.reason], ['12.3 %', null, 'too few']);
  assert.equal(formatCell(null, 'rate').main, '–');
  assert.equal(formatCell(undefined, 'rate').numeric, true);
});

test('a comparison shows points, the corrected p-value and its verdict', () => {
  const comparison: Comparison = {
    difference: { ...estimate, value: -0.021, low: -0.03, high: -0.01 },
    pValue: 0.004,
    adjustedPValue: 0.016,
    test: 'paired permutation test',
    verdict: 'better',
  };
  const shown = formatComparison(comparison);
  assert.equal(shown.main, '−2.1 points');
  assert.equal(shown.interval, '[−3.0, −1.0]');
  assert.equal(shown.pValue, 'p = .004, adjusted p = .016');
  assert.equal(
    formatComparison({ ...comparison, pValue: 0.016, minPValue: 0.016 }).pValue,
    'p ≤ .016, adjusted p ≤ .016',
  );
  assert.deepEqual([shown.verdict?.verdict, shown.verdict?.mark, shown.verdict?.word], ['better', '✓', 'better']);
  assert.equal(formatComparison({ ...comparison, adjustedPValue: null }).pValue, 'p = .004');
  const untested = formatComparison({
    ...comparison,
    pValue: null,
    adjustedPValue: null,
    reason: { code: 'text', text: 'one pair' },
  });
  assert.deepEqual([untested.pValue, untested.reason], [null, 'one pair']);
  assert.equal(formatComparison(comparison, 'seconds').main, '−21 ms');
});

test('one of something is not in the plural, and unknown speakers are said to be unknown', () => {
  assert.equal(formatSampleSize({ utterances: 1, speakers: 1 }), '1 utterance, 1 speaker');
  assert.equal(formatSampleSize({ utterances: 2, speakers: 0, pairs: 2 }), '2 utterances, speakers unknown, 2 pairs');
});
