import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { reasonText } from '../../model/reason.ts';
import { signFlipTest } from './paired-permutation-test.ts';
import { permutationTestOfMeans, permutationTestOfRates } from './permutation-test.ts';

const random = createRandom('permutation tests');
const counts = (numerators: number[], denominators: number[]) => ({
  numerators: Float64Array.from(numerators),
  denominators: Float64Array.from(denominators),
});
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

test('Pooled rates of speakers with unequal words are compared over every way to deal them to groups.', () => {
  const source = createRandom('rates');
  for (let example = 0; example < 20; example++) {
    const size = 3 + source.integer(6);
    const taken = 1 + source.integer(size - 1);
    const words = Array.from({ length: size }, () => 10 + source.integer(100));
    const errors = words.map((count) => source.integer(count));
    const difference = (subset: number) => {
      const side = (bit: number) => words.map((_, unit) => unit).filter((unit) => ((subset >> unit) & 1) === bit);
      const rate = (units: number[]) =>
        sum(units.map((unit) => errors[unit]!)) / sum(units.map((unit) => words[unit]!));
      return rate(side(1)) - rate(side(0));
    };
    const subsets = Array.from({ length: 2 ** size }, (_, subset) => subset).filter(
      (subset) => subset.toString(2).replaceAll('0', '').length === taken,
    );
    const observed = difference(2 ** taken - 1);
    const atLeast = subsets.filter((subset) => difference(subset) >= observed - 1e-12).length;
    const atMost = subsets.filter((subset) => difference(subset) <= observed + 1e-12).length;
    const first = counts(errors.slice(0, taken), words.slice(0, taken));
    const second = counts(errors.slice(taken), words.slice(taken));
    const test = (alternative: 'two-sided' | 'greater' | 'less') =>
      permutationTestOfRates(first, second, { alternative, statistic: 'difference', random });
    assert.ok(Math.abs(test('greater').pValue! - atLeast / subsets.length) < 1e-12);
    assert.ok(Math.abs(test('less').pValue! - atMost / subsets.length) < 1e-12);
    const both = Math.min(1, (2 * Math.min(atLeast, atMost)) / subsets.length);
    assert.ok(Math.abs(test('two-sided').pValue! - both) < 1e-12);
    assert.ok(Math.abs(test('two-sided').difference! - observed) < 1e-12);
  }
});

test('Studentized, each arrangement’s difference is in its own standard errors, on a normal scale.', () => {
  const source = createRandom('studentized');
  const spreadOf = (units: readonly { error: number; words: number }[]) => {
    const words = sum(units.map((unit) => unit.words));
    const rate = sum(units.map((unit) => unit.error)) / words;
    const squares = sum(units.map((unit) => (unit.error - rate * unit.words) ** 2));
    const variance = (squares * units.length) / (units.length - 1) / words ** 2;
    return { rate, variance, share: variance ** 2 / (units.length - 1) };
  };
  for (let example = 0; example < 20; example++) {
    const size = 5 + source.integer(4);
    const taken = 2 + source.integer(size - 3);
    const units = Array.from({ length: size }, () => {
      const words = example % 2 ? 1 : 10 + source.integer(100);
      return { words, error: example % 2 ? source.next() : source.integer(words) };
    });
    // Welch’s t and its degrees of freedom from the definition; Wallace’s transformation of it.
    const statistic = (subset: number) => {
      const side = (bit: number) => spreadOf(units.filter((_, unit) => ((subset >> unit) & 1) === bit));
      const [one, other] = [side(1), side(0)];
      const variance = one.variance + other.variance;
      const degrees = variance ** 2 / (one.share + other.share);
      const t = (one.rate - other.rate) / Math.sqrt(variance);
      const z = Math.sqrt(degrees * Math.log(1 + t ** 2 / degrees));
      return (Math.sign(t) * z * (8 * degrees + 1)) / (8 * degrees + 3);
    };
    const subsets = Array.from({ length: 2 ** size }, (_, subset) => subset).filter(
      (subset) => subset.toString(2).replaceAll('0', '').length === taken,
    );
    const observed = statistic(2 ** taken - 1);
    const atLeast = subsets.filter((subset) => statistic(subset) >= observed - 1e-9).length;
    const first = units.slice(0, taken);
    const second = units.slice(taken);
    const p = (alternative: 'greater' | 'less', one: typeof units, other: typeof units) => {
      const [a, b] = [one, other].map((group) =>
        counts(
          group.map(({ error }) => error),
          group.map(({ words }) => words),
        ),
      );
      return permutationTestOfRates(a!, b!, { alternative, random }).pValue!;
    };
    assert.ok(Math.abs(p('greater', first, second) - atLeast / subsets.length) < 1e-12);
    assert.equal(p('less', second, first), p('greater', first, second));
    if (example % 2) {
      const means = [first, second].map((group) => group.map(({ error }) => error));
      const asMeans = permutationTestOfMeans(means[0]!, means[1]!, { alternative: 'greater', random });
      assert.equal(asMeans.pValue, p('greater', first, second));
      assert.match(asMeans.test, /two means, studentized, exact/);
    }
  }
});

test('Groups of equal size and one value each: the observed arrangement and its mirror image are the most extreme.', () => {
  // Of 6 ways to deal 0 0 1 1 in pairs, one has both ones first and one both last; the others’ differences are 0.
  assert.equal(permutationTestOfMeans([1, 1], [0, 0], { random }).pValue, 2 / 6);
  // 0.1 + 0.2 leaves rounding where nothing varies: 20 ways, of which 1 and its mirror image are as extreme.
  const [low, high] = [new Array(3).fill(0.1), new Array(3).fill(0.3)];
  assert.equal(permutationTestOfMeans(low, high, { random }).pValue, 2 / 20);
});

test('A group of one speaker has no spread, so that the plain difference is compared, which the name tells.', () => {
  const result = permutationTestOfMeans([9], [1, 2, 3, 4], { random, alternative: 'greater' });
  assert.equal(result.pValue, 1 / 5);
  assert.match(result.test, /not studentized, since a group of one has no spread, exact over 5/);
  const plain = permutationTestOfMeans([9], [1, 2, 3, 4], { random, statistic: 'difference' });
  assert.match(plain.test, /not studentized, exact over 5/);
});

test('Groups of 4 and 60 are exact where asked, random otherwise, near each other and never 0.', () => {
  const low = [0.01, 0.02, 0.4, 0.05];
  const high = Array.from({ length: 60 }, (_, index) => 0.1 + index / 300);
  const exact = permutationTestOfMeans(low, high, { permutations: 700_000, random });
  assert.match(exact.test, /exact over 635,376/);
  const drawn = permutationTestOfMeans(low, high, { permutations: 4999, random });
  assert.match(drawn.test, /4,999 random/);
  const standardError = Math.sqrt((exact.pValue! * (1 - exact.pValue!)) / 2500);
  assert.ok(Math.abs(drawn.pValue! - exact.pValue!) < 4 * standardError);
  const apart = permutationTestOfMeans(new Array(30).fill(0), new Array(30).fill(1), { permutations: 999, random });
  assert.equal(apart.pValue, 2 / 1000);
});

test('Adding a constant to all values changes nothing, however large it is.', () => {
  const p = (shift: number) => {
    const move = (values: number[]) => values.map((value) => value + shift);
    return permutationTestOfMeans(move([1, 2, 4]), move([3, 5, 8, 4]), { random }).pValue;
  };
  assert.equal(p(1e6), p(0));
});

test('One speaker, empty groups, equal values and groups without words have a p of 1 or a reason.', () => {
  assert.equal(permutationTestOfMeans([1], [2], { random }).pValue, 1);
  assert.deepEqual(permutationTestOfMeans([], [2], { random }).reason, { code: 'nothing-counted' });
  assert.deepEqual(permutationTestOfMeans([0, 0], [0], { random }).reason, { code: 'same-rate' });
  assert.equal(permutationTestOfMeans([0.1, 0.1], [0.1, 0.1, 0.1], { random }).pValue, null);
  assert.deepEqual(permutationTestOfRates(counts([0], [0]), counts([1], [2]), { random }).reason, {
    code: 'nothing-counted',
  });
  assert.match(
    reasonText(permutationTestOfRates(counts([1], [0]), counts([1], [2]), { random }).reason!),
    /nothing to divide/,
  );
  assert.throws(() => permutationTestOfMeans([Number.NaN], [1], { random }), RangeError);
  assert.throws(() => permutationTestOfMeans([2], [1], { random, permutations: 0 }), RangeError);
});

test('The mean of few values is tested over all signs, of many over random ones, zeros aside.', () => {
  const exact = signFlipTest([0.02, 0.05, -0.01, 0.03], { random });
  // Of 16 sign assignments, 1 has a greater sum and 1 the same or greater: 2 x 2 / 16.
  assert.equal(exact.pValue, 0.25);
  assert.match(exact.test, /exact over 16/);
  assert.equal(signFlipTest([0.02, 0, 0.05, -0.01, 0.03, 0], { random }).pValue, 0.25);
  const many = Array.from({ length: 40 }, () => 1);
  assert.equal(signFlipTest(many, { random, permutations: 999 }).pValue, 2 / 1000);
  assert.deepEqual(signFlipTest([], { random }).reason, { code: 'nothing-counted' });
  assert.deepEqual(signFlipTest([0, 0], { random }).reason, { code: 'no-difference' });
  assert.equal(signFlipTest([3], { random }).pValue, 1);
  assert.throws(() => signFlipTest([Infinity], { random }), RangeError);
});
