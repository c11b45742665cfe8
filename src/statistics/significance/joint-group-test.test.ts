import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import type { ClusteredCounts } from '../bootstrap/clustered-counts.ts';
import { randomOfData } from '../bootstrap/random-of-data.ts';
import { jointGroupTest } from './joint-group-test.ts';
import { permutationTestOfRates } from './permutation-test.ts';

const tens = (errors: readonly number[]): ClusteredCounts => ({
  numerators: Float64Array.from(errors),
  denominators: new Float64Array(errors.length).fill(10),
});
const run = (groupOf: readonly number[], groups: number, measures: readonly ClusteredCounts[], permutations = 2000) =>
  jointGroupTest(groupOf, groups, measures, {
    ...{ permutations, random: createRandom('joint groups'), randomOfPair: randomOfData('pairs') },
  });

test('Of two groups and one measure it is the permutation test of rates, but for the draws.', () => {
  const random = createRandom('two groups');
  const counts = tens(Array.from({ length: 30 }, (_, speaker) => 3 + 2 * random.next() + (speaker < 15 ? 0 : 0.7)));
  const groupOf = Array.from({ length: 30 }, (_, speaker) => (speaker < 15 ? 0 : 1));
  const [pair] = run(groupOf, 2, [counts], 10_000).pairs;
  const half = (from: number): ClusteredCounts => ({
    numerators: counts.numerators.slice(from, from + 15),
    denominators: counts.denominators.slice(from, from + 15),
  });
  const options = { statistic: 'unskewed', level: 0.95, random: createRandom('alone') } as const;
  const alone = permutationTestOfRates(half(15), half(0), options);
  assert.ok(Math.abs(pair!.difference! - alone.difference!) < 1e-12);
  // Both shares of 10,000 random arrangements: standard error .002 each at .05.
  assert.ok(Math.abs(pair!.pValue! - alone.pValue!) < 0.01);
  assert.equal(pair!.adjustedPValue, pair!.pValue);
  assert.ok(
    Math.abs(pair!.low! - alone.interval!.low!) < 0.003 && Math.abs(pair!.high! - alone.interval!.high!) < 0.003,
  );
  assert.equal(pair!.low! > 0, pair!.pValue! <= 0.05);
});

// Eight speakers, 1 to 4 against 5, 6, 7 and 9 errors of ten words: of the 70 ways to deal them only the observed and its mirror are so far out.
test('Two groups of four without overlap have p near 2 / 70, by hand.', () => {
  const [pair] = run([0, 0, 0, 0, 1, 1, 1, 1], 2, [tens([1, 2, 3, 4, 5, 6, 7, 9])], 20_000).pairs;
  assert.ok(Math.abs(pair!.pValue! - 2 / 70) < 0.005, `${pair!.pValue}`);
});

test('Speakers of a group who are all alike are told from others, however much they said.', () => {
  const denominators = new Float64Array(8).fill(1e4);
  const numerators = Float64Array.from({ length: 8 }, (_, speaker) => (speaker < 4 ? 2000 : 8000));
  const [pair] = run([0, 0, 0, 0, 1, 1, 1, 1], 2, [{ numerators, denominators }], 20_000).pairs;
  assert.ok(Math.abs(pair!.pValue! - 2 / 70) < 0.005, `${pair!.pValue}`);
});

test('One group apart from many is told in all of its pairs and measures, and nothing else is.', () => {
  const random = createRandom('twenty groups');
  const groupOf = Array.from({ length: 200 }, (_, speaker) => speaker % 20);
  const measures = Array.from({ length: 5 }, () =>
    tens(groupOf.map((group) => (group === 7 ? 7 : 1.2) + random.next())),
  );
  const { pairs, minPValue, test: name } = run(groupOf, 20, measures);
  assert.match(name, /step-down maximum over 950 comparisons$/);
  for (const { first, second, pValue, adjustedPValue } of pairs) {
    if (first === 7 || second === 7)
      assert.ok(adjustedPValue! <= Math.max(2 * minPValue, pValue!) && pValue! < 0.005, `${first} ${second} ${pValue}`);
    else assert.ok(adjustedPValue! > 0.05, `${first} ${second} ${adjustedPValue}`);
  }
});

test('Groups of too few for a verdict cost the others nothing, also where dealt ones would have no rate.', () => {
  const random = createRandom('small groups');
  const large = Array.from({ length: 36 }, (_, speaker) => speaker % 3);
  const small = [3, 3, 4, 4, 5, 5];
  const groupOf = [...large, ...small];
  const everybody = tens(groupOf.map((group) => 2 + 2 * random.normal() ** 2 + (group === 0 ? 4 : 0)));
  const half = {
    numerators: everybody.numerators.map((errors, speaker) => (speaker % 2 === 0 ? 0 : errors)),
    denominators: everybody.denominators.map((words, speaker) => (speaker % 2 === 0 ? 0 : words)),
  };
  const options = { permutations: 2000, random: createRandom('too few'), randomOfPair: randomOfData('pairs') };
  const isEnough = (_: number, group: number) => group < 3;
  const { pairs, test: name } = jointGroupTest(groupOf, 6, [everybody, half], { ...options, isEnough });
  assert.match(name, /over 6 comparisons$/);
  for (const { measure, first, second, pValue, adjustedPValue } of pairs) {
    const isLarge = second < 3;
    assert.equal(adjustedPValue === null, !isLarge);
    if (measure === 0) assert.ok(pValue !== null);
    if (isLarge && measure === 0)
      assert.equal(adjustedPValue! < 0.05, first === 0, `${first} ${second} ${adjustedPValue}`);
  }
  const together = jointGroupTest(groupOf, 6, [everybody, half], options).pairs;
  assert.ok(together[0]!.adjustedPValue! > 2 * pairs[0]!.adjustedPValue!);
});

// Four of six speakers have words. Of the 20 ways to deal them 8 leave a group with one of these, and has no rate; of the other 12 the observed
// split (1, 2 against 8, 9) and its mirror make 4. By themselves, the four with words are dealt in 6 ways, of which these are 2. A second
// measure in which nobody differs is never further out.
test('An arrangement in which a group has no rate counts against a difference, by hand.', () => {
  const counts = { ...tens([1, 2, 0, 8, 9, 0]), denominators: Float64Array.of(10, 10, 0, 10, 10, 0) };
  const [pair] = run([0, 0, 0, 1, 1, 1], 2, [counts, tens([5, 5, 5, 5, 5, 5])], 20_000).pairs;
  assert.equal(pair!.pValue, 2 / 6);
  assert.ok(Math.abs(pair!.adjustedPValue! - 12 / 20) < 0.015, `${pair!.adjustedPValue}`);
});

test('A third group moves nothing that two others say by themselves.', () => {
  const random = createRandom('third');
  const groupOf = Array.from({ length: 40 }, (_, speaker) => speaker % 2);
  const counts = tens(groupOf.map((group) => 2 + group + 3 * random.next()));
  const [alone] = run(groupOf, 2, [counts]).pairs;
  const withThird = (errors: number, words: number) => {
    const more = Array.from({ length: 3 }, () => errors);
    const numerators = Float64Array.from([...more, ...counts.numerators]);
    const denominators = Float64Array.from([...more.map(() => words), ...counts.denominators]);
    return run([2, 2, 2, ...groupOf], 3, [{ numerators, denominators }]).pairs[0]!;
  };
  for (const [errors, words] of [
    [0, 10],
    [90, 100],
    [0, 0],
  ]) {
    const { adjustedPValue, ...own } = withThird(errors!, words!);
    assert.deepEqual([own.pValue, own.low, own.high], [alone!.pValue, alone!.low, alone!.high]);
    assert.ok(adjustedPValue! >= own.pValue!);
  }
});

test('Groups of one speaker are not tested, speakers without words are passed over, and equal groups differ nowhere.', () => {
  const counts = { ...tens([1, 2, 3, 4, 5, 6, 0]), denominators: Float64Array.of(10, 10, 10, 10, 10, 10, 0) };
  const { pairs } = run([0, 0, 0, 1, 2, 2, 1], 3, [counts]);
  assert.deepEqual(
    pairs.map(({ pValue, reason }) => [pValue === null, reason ?? null]),
    [
      [true, { code: 'no-spread' }],
      [false, null],
      [true, { code: 'no-spread' }],
    ],
  );
  for (const { pValue } of run([0, 0, 1, 1, 2, 2], 3, [tens([2, 2, 2, 2, 2, 2])], 200).pairs) assert.equal(pValue, 1);
  assert.throws(() => run([0, 1], 2, [tens([1, 2, 3])]), RangeError);
});
