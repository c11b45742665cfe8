import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reasonText } from '../../model/reason.ts';
import { rankCorrelation } from './rank-correlation.ts';

const near = (found: number | null, expected: number, within = 1e-9) =>
  assert.ok(found !== null && Math.abs(found - expected) < within, `${found}`);

test('Spearman’s correlation of AequeVox’ word drops and violations, as gone through by hand over all 5,040 orders.', () => {
  // Means of the recognizers' rows of Table 9, and the totals of Table 4: English, Ganda, French, Gujarati, Indonesian, Korean, Russian.
  const drops = [2.71, 4.11, 2.99, 3, 2.91, 4.34, 3.97];
  const { value, pValue } = rankCorrelation(drops, [312, 844, 413, 406, 311, 1086, 853]);
  near(value, 25 / 28);
  near(pValue, 62 / 5040);
});

test('Ties share ranks, and orders are counted with them.', () => {
  // Pearson's correlation of the mean ranks; a Python loop over all orders counts 20 of 120 as far or farther.
  const { value, pValue } = rankCorrelation([1, 2, 2, 4, 5], [2, 1, 3, 5, 4]);
  near(value, 0.7181848464596079);
  near(pValue, 20 / 120);
});

test('Beyond eight values p is Student’s.', () => {
  const { value, pValue } = rankCorrelation(
    [3, 1, 4, 1.5, 9, 2.6, 5, 3.5, 8, 9.7],
    [2, 7, 1, 8, 2.8, 1.8, 2.85, 4.5, 9, 0],
  );
  near(value, -1 / 3);
  // t = -1 with 8 degrees of freedom, from tables.
  near(pValue, 0.3465935, 1e-6);
  const same = Array.from({ length: 12 }, (_, place) => place);
  const all = rankCorrelation(same, same);
  near(all.value, 1);
  assert.ok(all.pValue! < 1e-9);
});

test('Two groups always agree or disagree, which is no correlation, and where nothing differs there is no order.', () => {
  const two = rankCorrelation([1, 2], [5, 9]);
  assert.deepEqual([two.value, two.pValue], [null, null]);
  assert.match(reasonText(two.reason!), /at least 3 values, and there are 2$/);
  assert.equal(rankCorrelation([1, 2, 3], [5, 9, 12]).value, 1);
  assert.equal(rankCorrelation([1, 1, 1], [1, 2, 3]).value, null);
  assert.equal(rankCorrelation([1], [1]).value, null);
  assert.throws(() => rankCorrelation([1, 2], [1]), RangeError);
  assert.throws(() => rankCorrelation([1, Number.NaN], [1, 2]), RangeError);
});
