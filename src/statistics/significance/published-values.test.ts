// Values of scipy 1.17 and statsmodels on small data, so that a clone without the golden files checks them too.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { mcnemar } from './binomial-test.ts';
import { signFlipTest } from './paired-permutation-test.ts';
import { permutationTestOfMeans } from './permutation-test.ts';
import { pairedTTest, studentTTest, welchTTest } from './t-test.ts';
import { wilcoxonSignedRank } from './wilcoxon-signed-rank.ts';

const random = createRandom('never drawn from');
const differences = [0, 0, 0, 0, -4, -8, -8, -4, 1, -3, -5, 2, -1, -3];
const five = [7.166, 13.009, 11.646, 6.772, 12.603];
const seven = [7.331, 10.447, 6.911, 6.481, 3.897, 6.997, 7.632];
const tied = [
  [9, 13, 11, 14, 8, 10, 10, 16],
  [19, 12, 19, 15, 15, 9, 9, 10],
] as const;

function close(actual: number | null, expected: number): void {
  assert.ok(actual !== null && Math.abs(actual / expected - 1) < 1e-9, `${actual} is not ${expected}`);
}

test('The signed-rank test treats zeros in three ways, with and without continuity.', () => {
  const p = (zeros: 'drop' | 'pratt' | 'split', continuityCorrection: boolean) =>
    wilcoxonSignedRank(differences, { zeros, continuityCorrection }).pValue;
  close(p('drop', false), 0.0187487013924894);
  close(p('drop', true), 0.0214826565472554);
  close(p('pratt', false), 0.0255718187980652);
  close(p('pratt', true), 0.027753145082063);
  close(p('split', false), 0.0274686403856813);
  close(p('split', true), 0.0297580674351991);
  const flips = (zeros: 'drop' | 'pratt' | 'split') =>
    wilcoxonSignedRank(differences, { zeros, method: 'all-sign-flips' }).pValue;
  assert.deepEqual([flips('drop'), flips('pratt'), flips('split')], [0.017578125, 0.0234375, 0.0234375]);
});

test('Permutation and t tests of means, and McNemar’s test in its four forms.', () => {
  close(permutationTestOfMeans(five, seven, { random, statistic: 'difference' }).pValue, 0.053030303030303);
  close(
    permutationTestOfMeans(...tied, { random, statistic: 'difference', permutations: 15_000 }).pValue,
    0.271484071484071,
  );
  close(signFlipTest(differences, { random }).pValue, 0.017578125);
  close(signFlipTest(differences, { random, alternative: 'less' }).pValue, 0.0087890625);
  close(pairedTTest(differences).pValue, 0.0157337477083089);
  close(pairedTTest(differences).low, -4.19149509571414);
  close(studentTTest(five, seven).pValue, 0.0516612874482367);
  close(welchTTest(five, seven).pValue, 0.0850372220625457);
  close(welchTTest(five, seven).degreesOfFreedom, 6.29084753392645);
  close(mcnemar(10, 3).pValue, 0.09228515625);
  close(mcnemar(10, 3, 'mid-p').pValue, 0.057373046875);
  close(mcnemar(10, 3, 'chi-square').pValue, 0.0522036353413146);
  close(mcnemar(10, 3, 'corrected').pValue, 0.0960923294556734);
});
