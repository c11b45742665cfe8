// Tests at their edges: one speaker, all ties, all zeros, very many items. Expected values follow from the definitions
// unless the test names a program.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { binomialTest, mcnemar, signTest } from './binomial-test.ts';
import { pairedTTest, studentTTest, welchTTest } from './t-test.ts';
import { wilcoxonSignedRank } from './wilcoxon-signed-rank.ts';

test('Ties and zeros make the signed-rank test normal unless all sign flips are asked for.', () => {
  assert.equal(wilcoxonSignedRank([1, 2, 3, -4]).method, 'exact');
  assert.equal(wilcoxonSignedRank([1, 2, 2, -4]).method, 'normal');
  assert.equal(wilcoxonSignedRank([1, 2, 0, -4]).method, 'normal');
  const flips = wilcoxonSignedRank([1, 1, 1, 1], { method: 'all-sign-flips' });
  assert.deepEqual([flips.method, flips.pValue], ['all-sign-flips', 0.125]);
  assert.equal(wilcoxonSignedRank([1, 1, 1, 1], { method: 'exact' }).method, 'all-sign-flips');
  assert.equal(wilcoxonSignedRank([5]).pValue, 1);
  assert.throws(() => wilcoxonSignedRank([Number.NaN]), RangeError);
  const many = Float64Array.from({ length: 1001 }, (_, index) => index + 1);
  assert.throws(() => wilcoxonSignedRank(many, { method: 'exact' }), RangeError);
  assert.ok(wilcoxonSignedRank(many).pValue! > 0);
});

test('All zeros split between the signs have a reason, and the sums still add up otherwise.', () => {
  assert.equal(wilcoxonSignedRank([0, 0], { zeros: 'split' }).pValue, null);
  const { positiveRanks, negativeRanks } = wilcoxonSignedRank([0, 0, 3, -1], { zeros: 'split', method: 'exact' });
  assert.deepEqual([positiveRanks, negativeRanks], [5.5, 4.5]);
});

test('The exact binomial test of millions of items is as exact, and at once.', () => {
  // binomtest(1000500, 2000500) and binomtest(100, 2000, .1, 'less') of scipy 1.17.1, and a symmetric case by definition.
  assert.ok(Math.abs(mcnemar(1_000_500, 1_000_000).pValue! / 0.724236754262343 - 1) < 1e-9);
  assert.ok(Math.abs(binomialTest(100, 2000, 0.1, 'less') / 2.3746472480728345e-16 - 1) < 1e-9);
  assert.equal(binomialTest(1e9, 2e9), 1);
  assert.deepEqual(
    [binomialTest(0, 0), binomialTest(3, 3, 1), binomialTest(2, 3, 1), binomialTest(1, 3, 0, 'greater')],
    [1, 1, 0, 0],
  );
});

test('t tests of values that do not vary, or of too few, have a reason.', () => {
  assert.deepEqual(pairedTTest([0.1, 0.1, 0.1]).reason, { code: 'all-values-same' });
  assert.equal(pairedTTest([0, 0]).pValue, null);
  assert.deepEqual(pairedTTest([3]).reason, { code: 'too-few-values' });
  assert.equal(pairedTTest([]).value, null);
  assert.deepEqual(welchTTest([1], [1, 2]).reason, { code: 'too-few-values' });
  assert.ok(studentTTest([1], [1, 2]).pValue! > 0);
  assert.equal(studentTTest([1], [1]).pValue, null);
  assert.equal(studentTTest([], [1, 2, 3]).value, null);
  assert.throws(() => pairedTTest([1, 2], { level: 1 }), RangeError);
});

test('A single speaker can never be significant.', () => {
  assert.equal(signTest([4]).pValue, 1);
  assert.equal(mcnemar(1, 0).pValue, 1);
  assert.equal(wilcoxonSignedRank([4], { alternative: 'greater' }).pValue, 0.5);
});
