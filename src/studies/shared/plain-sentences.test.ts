import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Comparison, Verdict } from '../../model/finding.ts';
import { ofHundred, plainClaim, rangeOfHundred } from './plain-sentences.ts';

const words = {
  more: 'A is misheard more than B',
  fewer: 'A is misheard less than B',
  whether: 'A is misheard more or less than B',
  unit: 'mistakes in 100 words',
};

function comparison(low: number | null, high: number | null, verdict: Verdict, reason?: string): Comparison {
  const n = { utterances: 10, speakers: 10 };
  const difference = { value: 0.02, low, high, level: 0.95, n, method: 'invented' };
  return { difference, pValue: 0.01, adjustedPValue: 0.01, test: 'invented', verdict, ...(reason && { reason }) };
}

test('a difference that was shown is said with both ends of its range', () => {
  assert.deepEqual(plainClaim(comparison(0.011, 0.052, 'worse'), words), {
    text: 'A is misheard more than B: very likely between 1.1 and 5.2 more mistakes in 100 words.',
    verdict: 'worse',
  });
  assert.deepEqual(plainClaim(comparison(-0.052, -0.011, 'better'), { ...words, numbers: '3.0 in 100 words, B 6.0' }), {
    text: 'A is misheard less than B: 3.0 in 100 words, B 6.0; very likely between 1.1 and 5.2 fewer mistakes in 100 words.',
    verdict: 'better',
  });
});

test('what the interval does not carry is not said, whatever the verdict', () => {
  for (const [low, high, verdict] of [
    [-0.01, 0.05, 'worse'],
    [-0.05, 0.01, 'better'],
    [0, 0.05, 'worse'],
    [0.01, 0.05, 'better'],
    [0.01, 0.05, 'cannot tell'],
  ] as const) {
    const claim = plainClaim(comparison(low, high, verdict), words);
    assert.equal(claim.verdict, 'cannot tell');
    assert.match(claim.text, /^We cannot tell whether A is misheard more or less than B: these recordings fit /);
  }
});

test('without an interval the reason stands in its place, and no number', () => {
  const { text, verdict } = plainClaim(comparison(null, null, 'worse', 'fewer than 10 speakers'), words);
  assert.equal(text, 'We cannot tell whether A is misheard more or less than B (fewer than 10 speakers).');
  assert.equal(verdict, 'cannot tell');
});

test('shares become counts of a hundred, and ranges say on which sides they lie', () => {
  assert.equal(ofHundred(0.0714), '7.1');
  assert.equal(ofHundred(-0.0071), '0.71');
  assert.equal(ofHundred(0), '0.0');
  assert.equal(rangeOfHundred(0.01, 0.05), 'between 1.0 and 5.0 more');
  assert.equal(rangeOfHundred(-0.05, -0.01), 'between 1.0 and 5.0 fewer');
  assert.equal(rangeOfHundred(-0.01, 0.05), 'anything from 1.0 fewer to 5.0 more');
  assert.equal(rangeOfHundred(0, 0.05), 'anything from 0.0 fewer to 5.0 more');
});
