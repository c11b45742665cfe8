import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { cohenKappa, fleissKappa } from './kappa.ts';
import { krippendorffAlpha, krippendorffAlphaInterval } from './krippendorff-alpha.ts';

const folder = new URL('../../../../shared/golden/statistics/', import.meta.url);
const skip = existsSync(folder) ? false : 'shared/golden/statistics is not beside the repository';
// biome-ignore lint/suspicious/noExplicitAny: the golden files are read as they are
const load = (name: string): any => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
const levels = ['nominal', 'ordinal', 'interval', 'ratio'] as const;

function close(actual: number | null, expected: number, where: string): void {
  assert.ok(actual !== null && Math.abs(actual - expected) < 1e-9, `${where}: ${actual} is not ${expected}`);
}

test('Alpha, kappa and their errors are those of krippendorff, scikit-learn and statsmodels.', { skip }, () => {
  const python = load('python.json').agreement;
  let checked = 0;
  for (const [name, { categories: count, ratings }] of Object.entries<{
    categories: number;
    ratings: (number | null)[][];
  }>(load('data.json').agreement)) {
    const golden = python[name];
    const categories = Array.from({ length: count }, (_, category) => category);
    for (const level of levels) {
      close(krippendorffAlpha(ratings, level).value, golden.krippendorff_alpha[level], `${name} ${level}`);
      checked++;
    }
    if (golden.fleiss !== undefined) {
      close(fleissKappa(ratings, 'fixed', categories).value, golden.fleiss, name);
      close(fleissKappa(ratings, 'free', categories).value, golden.randolph, name);
      checked += 2;
    }
    if (!golden.cohen_statsmodels) continue;
    const kappa = (weights: 'none' | 'linear' | 'quadratic') =>
      cohenKappa(ratings[0]!, ratings[1]!, { weights, categories, interval: 'large-sample' });
    close(kappa('none').value, golden.cohen_unweighted_sklearn, name);
    close(kappa('linear').value, golden.cohen_linear_sklearn, name);
    close(kappa('quadratic').value, golden.cohen_quadratic_sklearn, name);
    const plain = golden.cohen_statsmodels;
    close(kappa('none').standardError, plain.std_kappa, name);
    close(kappa('none').chanceStandardError, plain.std_kappa0, name);
    close(kappa('none').low, plain.lower, name);
    close(kappa('none').high, plain.upper, name);
    close(kappa('linear').standardError, golden.cohen_linear_statsmodels.std_kappa, name);
    checked += 8;
  }
  assert.equal(checked, 52);
});

test('Ratings of four raters of whom some are silent have the alpha of Krippendorff’s own example.', () => {
  // K. Krippendorff, "Computing Krippendorff's alpha-reliability" (2011), example C and its printed results.
  const ratings = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, null, null, null],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, null, 3],
    [null, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, null],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, null],
  ];
  const printed = { nominal: '0.743', ordinal: '0.815', interval: '0.849', ratio: '0.797' };
  for (const level of levels) assert.equal(krippendorffAlpha(ratings, level).value!.toFixed(3), printed[level]);
  const { units, ratings: count } = krippendorffAlpha(ratings, 'nominal');
  assert.deepEqual([units, count], [11, 40]);
  const interval = krippendorffAlphaInterval(ratings, 'nominal', { random: createRandom('units') });
  assert.ok(interval.low! < 0.743 && interval.high! > 0.743 && interval.high! <= 1 && interval.units === 11);
});

test('The transformed interval stays inside -1 to 1, holds kappa, and nears the other one with many units.', () => {
  const first = Array.from({ length: 4000 }, (_, unit) => unit % 3);
  const second = first.map((rating, unit) => (unit % 5 === 0 ? (rating + 1) % 3 : rating));
  const [few, many] = [30, 4000].map((units) => {
    const own = cohenKappa(first.slice(0, units), second.slice(0, units));
    const plain = cohenKappa(first.slice(0, units), second.slice(0, units), { interval: 'large-sample' });
    assert.ok(own.low! < own.value! && own.value! < own.high! && own.high! < 1);
    return Math.abs(own.low! - plain.low!) + Math.abs(own.high! - plain.high!);
  });
  assert.ok(few! > 0.01 && many! < 0.001);
});

test('Words are categories like numbers, and __proto__ is a word.', () => {
  const first = ['__proto__', 'constructor', 'constructor', '__proto__', 'a'];
  const second = ['__proto__', 'constructor', '__proto__', '__proto__', 'a'];
  const numbers = (words: string[]) => words.map((word) => ['__proto__', 'a', 'constructor'].indexOf(word));
  const kappa = cohenKappa(first, second).value!;
  assert.ok(kappa > 0 && kappa < 1);
  assert.equal(kappa, cohenKappa(numbers(first), numbers(second)).value);
  assert.equal(
    krippendorffAlpha([first, second], 'nominal').value,
    krippendorffAlpha([numbers(first), numbers(second)], 'nominal').value,
  );
  assert.throws(() => krippendorffAlpha([first, second], 'ordinal'), RangeError);
});

test('Where all agree by necessity, nobody rates or only one does, there is a reason instead of agreement.', () => {
  assert.equal(cohenKappa([1, 1, 1], [1, 1, 1]).reason, 'both gave every unit the same rating');
  assert.equal(cohenKappa([], []).reason, 'no unit was rated by both');
  assert.equal(cohenKappa([1, null], [null, 2]).reason, 'no unit was rated by both');
  assert.equal(krippendorffAlpha([], 'nominal').reason, 'no unit has two ratings');
  assert.equal(krippendorffAlpha([[1, 2, 3]], 'nominal').reason, 'no unit has two ratings');
  assert.equal(
    krippendorffAlpha(
      [
        [0, 0],
        [0, 0],
      ],
      'ratio',
    ).reason,
    'all ratings are the same',
  );
  assert.equal(
    fleissKappa([
      [1, 1],
      [1, 1],
    ]).reason,
    'all ratings are the same',
  );
  const random = createRandom('few');
  assert.match(
    krippendorffAlphaInterval(
      [
        [1, 2],
        [1, 1],
      ],
      'nominal',
      { random },
    ).reason!,
    /needs 10 units/,
  );
  const perfect = cohenKappa([2, 0, 0, 2, 3], [2, 0, 0, 2, 3]);
  assert.deepEqual([perfect.value!.toFixed(12), perfect.low], ['1.000000000000', null]);
  assert.ok(perfect.pValue! < 0.05);
});

test('Unequal numbers of units, ratings that are no numbers and unknown categories are faults of the caller.', () => {
  assert.throws(() => cohenKappa([1], [1, 2]), RangeError);
  assert.throws(() => cohenKappa([1], [Number.NaN]), RangeError);
  assert.throws(() => cohenKappa([1, 2], [1, 3], { categories: [1, 2] }), RangeError);
  assert.throws(() => krippendorffAlpha([[1, 2], [1]], 'nominal'), RangeError);
  assert.throws(
    () =>
      krippendorffAlpha(
        [
          [-1, 2],
          [1, 2],
        ],
        'ratio',
      ),
    RangeError,
  );
  assert.throws(
    () =>
      fleissKappa([
        [1, null],
        [1, 2],
      ]),
    RangeError,
  );
});
