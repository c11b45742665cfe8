import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalCdf, normalQuantile, studentQuantile } from '../distributions.ts';
import { quantileSorted } from '../quantile.ts';
import { mcnemar, signTest } from './binomial-test.ts';
import { benjaminiHochberg, holm } from './multiplicity.ts';
import { wilcoxonSignedRank } from './wilcoxon-signed-rank.ts';

test('Comparisons without a test stay null and do not count in the adjustment.', () => {
  assert.deepEqual(holm([0.01, null, 0.04]), [0.02, null, 0.04]);
  assert.deepEqual(benjaminiHochberg([null, 0.02, 0.04, null]), [null, 0.04, 0.04, null]);
  assert.deepEqual(holm([]), []);
  assert.deepEqual(holm([null]), [null]);
});

test('The published example of FairLENS has p = .25 by the exact test and .144 by the normal formula.', () => {
  const differences = [2.075 - 2.9, 6.875 - 4, 5.975 - 3.4, 14.925 - 10.3];
  assert.equal(wilcoxonSignedRank(differences).pValue, 0.25);
  assert.equal(wilcoxonSignedRank(differences).method, 'exact');
  assert.equal(wilcoxonSignedRank(differences, { method: 'normal' }).pValue!.toFixed(3), '0.144');
});

test('Where nothing differs there is a reason and no p.', () => {
  assert.equal(wilcoxonSignedRank([0, 0]).pValue, null);
  assert.deepEqual(wilcoxonSignedRank([]).reason, { code: 'no-difference' });
  assert.deepEqual(wilcoxonSignedRank([0, 0]).reason, { code: 'no-difference' });
  assert.equal(signTest([0]).pValue, null);
  assert.equal(mcnemar(0, 0).pValue, null);
});

test('Quantiles undo distribution functions, and answer NaN or infinity at and beyond their edges.', () => {
  for (const p of [1e-12, 0.01, 0.3, 0.5, 0.77, 0.999])
    assert.ok(Math.abs(normalCdf(normalQuantile(p)) / p - 1) < 1e-13);
  assert.deepEqual([normalQuantile(0), normalQuantile(1), normalQuantile(2)], [-Infinity, Infinity, NaN]);
  assert.deepEqual([studentQuantile(0, 3), studentQuantile(1, 3), studentQuantile(0.5, 3)], [-Infinity, Infinity, 0]);
  assert.deepEqual([quantileSorted([7], 0.3), quantileSorted([], 0.5)], [7, NaN]);
});
