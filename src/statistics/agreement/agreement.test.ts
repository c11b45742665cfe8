import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { golden } from '../../base/testing/golden.ts';
import { krippendorffAlpha, krippendorffAlphaInterval } from './krippendorff-alpha.ts';

const folder = golden('statistics/');
// biome-ignore lint/suspicious/noExplicitAny: the golden files are read as they are
const load = (name: string): any => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
const levels = ['nominal', 'ordinal', 'interval', 'ratio'] as const;

function close(actual: number | null, expected: number, where: string): void {
  assert.ok(actual !== null && Math.abs(actual - expected) < 1e-9, `${where}: ${actual} is not ${expected}`);
}

test('Alpha is that of Python’s krippendorff.', () => {
  const python = load('python.json').agreement;
  let checked = 0;
  for (const [name, { ratings }] of Object.entries<{ ratings: (number | null)[][] }>(load('data.json').agreement)) {
    for (const level of levels) {
      close(krippendorffAlpha(ratings, level).value, python[name].krippendorff_alpha[level], `${name} ${level}`);
      checked++;
    }
  }
  assert.equal(checked, 20);
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

test('Units of one cluster are drawn together: each said twice, the interval is that of each once.', () => {
  const source = createRandom('clustered units');
  const once = Array.from({ length: 3 }, () =>
    Array.from({ length: 40 }, (_, unit) => (source.integer(4) < 3 ? unit % 2 : 2)),
  );
  const twice = once.map((rater) => rater.flatMap((rating) => [rating, rating]));
  const clusters = Array.from({ length: 80 }, (_, unit) => `clip ${unit >> 1}`);
  const width = (ratings: typeof once, of?: readonly string[]) => {
    const { low, high } = krippendorffAlphaInterval(ratings, 'nominal', {
      random: createRandom('resamples'),
      ...(of && { clusters: of }),
    });
    return high! - low!;
  };
  const alone = width(once);
  // The same numbers are drawn, so that only the correction for small samples (units less one) differs.
  assert.ok(Math.abs(width(twice, clusters) / alone - 1) < 0.02, `${width(twice, clusters)} beside ${alone}`);
  assert.ok(Math.abs(width(twice) / alone - Math.SQRT1_2) < 0.1, `${width(twice)} beside ${alone}`);
  const few = clusters.map((_, unit) => `clip ${unit % 9}`);
  const none = krippendorffAlphaInterval(twice, 'nominal', { random: createRandom('few'), clusters: few });
  assert.deepEqual([none.low, none.reason], [null, { code: 'few-units', need: 10, have: [9], unit: 'cluster' }]);
  assert.throws(() => width(twice, clusters.slice(1)), /expected a cluster for each of 80 units, but got 79/);
});

test('Words are categories like numbers, and __proto__ is a word.', () => {
  const first = ['__proto__', 'constructor', 'constructor', '__proto__', 'a'];
  const second = ['__proto__', 'constructor', '__proto__', '__proto__', 'a'];
  const numbers = (words: string[]) => words.map((word) => ['__proto__', 'a', 'constructor'].indexOf(word));
  assert.equal(
    krippendorffAlpha([first, second], 'nominal').value,
    krippendorffAlpha([numbers(first), numbers(second)], 'nominal').value,
  );
  assert.throws(() => krippendorffAlpha([first, second], 'ordinal'), RangeError);
});

test('Where all agree by necessity, nobody rates or only one does, there is a reason instead of agreement.', () => {
  assert.deepEqual(krippendorffAlpha([], 'nominal').reason, { code: 'no-two-ratings' });
  assert.deepEqual(krippendorffAlpha([[1, 2, 3]], 'nominal').reason, { code: 'no-two-ratings' });
  assert.deepEqual(
    krippendorffAlpha(
      [
        [0, 0],
        [0, 0],
      ],
      'ratio',
    ).reason,
    { code: 'all-ratings-same' },
  );
  const random = createRandom('few');
  assert.deepEqual(
    krippendorffAlphaInterval(
      [
        [1, 2],
        [1, 1],
      ],
      'nominal',
      { random },
    ).reason,
    { code: 'few-units', need: 10, have: [2], unit: 'unit' },
  );
});

test('Unequal numbers of units, and ratings that are no numbers, are faults of the caller.', () => {
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
});
