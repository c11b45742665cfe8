// Values of scipy, statsmodels and R in goldens/statistics, whose README tells how they were made.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { golden } from '../../base/testing/golden.ts';
import { type Alternative, binomialTest, mcnemar, signTest } from './binomial-test.ts';
import { benjaminiHochberg, holm } from './multiplicity.ts';
import { signFlipTest } from './paired-permutation-test.ts';
import { permutationTestOfMeans } from './permutation-test.ts';
import { pairedTTest, studentTTest, welchTTest } from './t-test.ts';
import { wilcoxonSignedRank } from './wilcoxon-signed-rank.ts';

const folder = golden('statistics/');
// biome-ignore lint/suspicious/noExplicitAny: the golden files are read as they are
const load = (name: string): any => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
const data = load('data.json');
const python = load('python.json');
const r = load('r.json');

const alternatives = ['two-sided', 'greater', 'less'] as const;
const inR = { 'two-sided': 'two.sided', greater: 'greater', less: 'less' } as const;
const pairs: [string, readonly [number[], number[]]][] = Object.entries(data.paired);
const samples: [string, readonly [number[], number[]]][] = Object.entries(data.two_sample);
const differencesOf = ([a, b]: readonly [number[], number[]]) =>
  a.map((value, index) => Math.round((value - b[index]!) * 1e9) / 1e9);

function close(actual: number | null, expected: number, where: string, tolerance = 1e-9): void {
  const distance = Math.abs(actual! - expected);
  assert.ok(
    actual !== null && (distance <= tolerance * Math.abs(expected) || distance <= 1e-300),
    `${where}: ${actual} is not ${expected}`,
  );
}

test('Holm’s and Benjamini and Hochberg’s adjusted p values are statsmodels’.', () => {
  for (const row of python.multiple) {
    holm(row.p).forEach((value, index) => {
      assert.ok(Math.abs(value! - row.holm[index]) < 1e-12);
    });
    benjaminiHochberg(row.p).forEach((value, index) => {
      assert.ok(Math.abs(value! - row.fdr_bh[index]) < 1e-12);
    });
  }
});

test('McNemar’s test is statsmodels’ and R’s; as in R its correction stops at 0.', () => {
  let checked = 0;
  for (const [index, row] of python.mcnemar.entries()) {
    const [[, first], [second]] = row.table;
    if (first + second === 0) {
      assert.equal(mcnemar(first, second).pValue, null);
      continue;
    }
    close(mcnemar(first, second).pValue, row.exact, 'exact');
    close(mcnemar(first, second, 'mid-p').pValue, row.midp_by_hand, 'mid-p');
    close(mcnemar(first, second, 'chi-square').pValue, row.chi2[1], 'chi-square');
    if (first !== second) close(mcnemar(first, second, 'corrected').pValue, row.chi2_corrected[1], 'corrected');
    close(mcnemar(first, second, 'corrected').pValue, r.mcnemar[index].corrected, 'corrected, R');
    close(mcnemar(first, second, 'chi-square').pValue, r.mcnemar[index].uncorrected, 'uncorrected, R');
    checked++;
  }
  assert.equal(checked, 13);
});

test('The binomial and sign tests are scipy’s.', () => {
  for (const row of python.binomial) {
    close(binomialTest(row.k, row.n), row['p_two_sided_.5'], `${row.k} of ${row.n}`);
    close(binomialTest(row.k, row.n, 0.3), row['p_two_sided_.3'], `${row.k} of ${row.n}`);
    close(binomialTest(row.k, row.n, 0.1, 'greater'), row['p_greater_.1'], `${row.k} of ${row.n}`);
  }
  for (const [name, pair] of pairs) {
    const golden = python.paired[name].sign;
    for (const alternative of alternatives) {
      const result = signTest(differencesOf(pair), alternative);
      assert.deepEqual([result.positive, result.negative], [golden.pos, golden.neg]);
      close(result.pValue, golden[alternative], `${name} ${alternative}`);
    }
  }
});

test('Wilcoxon’s signed-rank test is scipy’s in all its forms: zeros, ties, correction, side, exact.', () => {
  const zerosOf = { wilcox: 'drop', pratt: 'pratt', zsplit: 'split' } as const;
  let checked = 0;
  for (const [name, pair] of pairs) {
    const golden: Record<string, [number, number, number]> = python.paired[name]['wilcoxon [statistic, p, z]'];
    for (const [form, expected] of Object.entries(golden)) {
      if (typeof expected === 'string') continue;
      const parts = form.split('/');
      const zeros = zerosOf[parts[1] as keyof typeof zerosOf];
      const alternative = parts.at(-1) as Alternative;
      const method = parts[0] === 'asymptotic' ? 'normal' : (parts[0] as 'exact' | 'all-sign-flips');
      const result = wilcoxonSignedRank(differencesOf(pair), {
        zeros,
        alternative,
        method,
        continuityCorrection: parts[2] === 'cc',
      });
      const { positiveRanks, negativeRanks } = result;
      const statistic = alternative === 'two-sided' ? Math.min(positiveRanks, negativeRanks) : positiveRanks;
      assert.equal(statistic, expected[0], `${name} ${form}`);
      close(result.pValue, expected[1], `${name} ${form}`);
      if (method === 'exact') assert.equal(result.method, 'exact');
      if (method !== 'normal') assert.equal(result.z, null);
      else assert.ok(Math.abs(Math.abs(result.z!) - Math.abs(expected[2])) < 1e-9, `z of ${name} ${form}`);
      checked++;
    }
  }
  assert.equal(checked, 294);
});

test('Wilcoxon’s signed-rank test is R’s, which chooses exact or normal by ties, zeros and size.', () => {
  for (const [name, pair] of pairs) {
    const differences = differencesOf(pair);
    for (const alternative of alternatives) {
      const where = `${name} ${alternative}`;
      const standard = r.paired[name][`wilcox_default/${inR[alternative]}`];
      const exact = /exact/.test(standard.method);
      const ours = wilcoxonSignedRank(differences, {
        zeros: 'drop',
        alternative,
        method: exact ? 'exact' : 'normal',
        continuityCorrection: true,
      });
      assert.equal(ours.positiveRanks, standard.V, where);
      close(ours.pValue, standard.p, where);
      // R is exact below 50 differences, scipy and ours up to 50.
      const chosen = wilcoxonSignedRank(differences, { zeros: 'drop', alternative });
      // R looks for zeros before it drops them.
      if (differences.length !== 50 && !differences.includes(0)) {
        assert.equal(chosen.method, exact ? 'exact' : 'normal', where);
      }
      for (const continuityCorrection of [false, true]) {
        const normal = wilcoxonSignedRank(differences, {
          zeros: 'drop',
          alternative,
          method: 'normal',
          continuityCorrection,
        });
        const key = `wilcox_normal_${continuityCorrection ? 'cc' : 'no_cc'}/${inR[alternative]}`;
        close(normal.pValue, r.paired[name][key].p, `${where} normal`);
      }
    }
  }
});

test('The null distribution of signed ranks is that of numpy and R.', () => {
  const rows: [number, number, number][] = [
    ...python['functions [argument, value]']['wilcoxon_null_cdf [n, W+, P(W<=)]'],
    ...r.tails.signrank_cdf,
  ];
  for (const [count, positive, probability] of rows) {
    // Ranks whose sum is asked for get a positive sign, greatest first.
    let left = positive;
    const differences = Array.from({ length: count }, (_, index) => {
      const rank = count - index;
      if (rank > left) return -rank;
      left -= rank;
      return rank;
    });
    const result = wilcoxonSignedRank(differences, { alternative: 'less', method: 'exact' });
    assert.equal(result.positiveRanks, positive);
    close(result.pValue, probability, `${count} ${positive}`);
  }
});

test('Permutation tests over all arrangements are scipy’s.', () => {
  const random = createRandom('never drawn from');
  let checked = 0;
  for (const [name, pair] of pairs) {
    const golden = python.paired[name].permutation_exact_mean_difference;
    if (golden === undefined) continue;
    for (const alternative of alternatives) {
      const result = signFlipTest(differencesOf(pair), { alternative, permutations: 2 ** 15, random });
      close(result.pValue, golden[alternative], `${name} ${alternative}`);
      assert.match(result.test, /exact/);
      checked++;
    }
  }
  for (const [name, [a, b]] of samples) {
    for (const alternative of alternatives) {
      const expected = python.two_sample[name][`permutation_exact_mean_difference/${alternative}`];
      if (expected === undefined) continue;
      const result = permutationTestOfMeans(a, b, {
        alternative,
        statistic: 'difference',
        permutations: 15_000,
        random,
      });
      close(result.pValue, expected, `${name} ${alternative}`);
      assert.match(result.test, /exact/);
      checked++;
    }
  }
  assert.ok(checked >= 33, `${checked} checked`);
});

test('The t tests are scipy’s, intervals included.', () => {
  for (const [name, pair] of pairs) {
    const golden = python.paired[name].t_paired;
    const differences = pair[0].map((value, index) => value - pair[1][index]!);
    const result = pairedTTest(differences);
    close(result.t, golden.t, name);
    assert.equal(result.degreesOfFreedom, golden.df);
    close(result.pValue, golden.p, name);
    close(pairedTTest(differences, { alternative: 'greater' }).pValue, golden.p_greater, name);
    close(result.low, golden.ci95[0], name);
    close(result.high, golden.ci95[1], name);
  }
  for (const [name, [a, b]] of samples) {
    const golden = python.two_sample[name];
    for (const [test, expected] of [
      [studentTTest(a, b), golden.student],
      [welchTTest(a, b), golden.welch],
    ]) {
      close(test.t, expected[0], name);
      close(test.degreesOfFreedom, expected[1], name);
      close(test.pValue, expected[2], name);
    }
    const { low, high } = welchTTest(a, b);
    close(low, golden.welch_ci95[0], name);
    close(high, golden.welch_ci95[1], name);
  }
});
