import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { permutationTestOfRates } from '../../statistics/significance/permutation-test.ts';
import { testSeveralGroups } from './several-groups-test.ts';

const group = (...rates: readonly number[]) => ({
  numerators: Float64Array.from(rates),
  denominators: new Float64Array(rates.length).fill(10),
});
const run = (groups: readonly ReturnType<typeof group>[], permutations = 2000) =>
  testSeveralGroups(groups, { permutations, random: createRandom('several groups') });

test('Of two groups it is the exact permutation test.', () => {
  const [one, other] = [group(1, 2, 3, 4), group(5, 6, 7, 9)];
  const { pairs, test: name } = run([one, other]);
  const alone = permutationTestOfRates(other, one, {
    permutations: 2000,
    statistic: 'unskewed',
    random: createRandom('x'),
  });
  assert.equal(pairs[0]!.pValue, alone.pValue);
  // Of 70 arrangements only the observed one and its mirror are as extreme.
  assert.ok(Math.abs(pairs[0]!.pValue! - 2 / 70) < 1e-12);
  assert.match(name, /exact over 70/);
});

test('One group apart from two alike is found in both of its pairs, at a price for looking at three.', () => {
  const random = createRandom('three groups');
  const drawn = (middle: number) => group(...Array.from({ length: 12 }, () => middle + random.normal()));
  const groups = [drawn(5), drawn(5), drawn(8)];
  const { pairs } = run(groups);
  assert.deepEqual(
    pairs.map(({ first, second }) => [first, second]),
    [
      [0, 1],
      [0, 2],
      [1, 2],
    ],
  );
  assert.ok(pairs[0]!.pValue! > 0.2);
  assert.ok(pairs[1]!.pValue! < 0.01 && pairs[2]!.pValue! < 0.01);
  const alone = permutationTestOfRates(groups[0]!, groups[1]!, {
    permutations: 2000,
    statistic: 'unskewed',
    random: createRandom('y'),
  });
  assert.ok(pairs[0]!.pValue! >= alone.pValue! - 0.02);
});

test('Groups of one speaker are not tested, and speakers without words are passed over.', () => {
  const empty = { numerators: Float64Array.of(0, 3), denominators: Float64Array.of(0, 10) };
  const { pairs } = run([group(1, 2, 3), empty, group(4, 5, 6)]);
  assert.deepEqual(
    pairs.map(({ pValue, reason }) => [pValue === null, reason ?? null]),
    [
      [true, 'a group of fewer than 2 speakers has no spread'],
      [false, null],
      [true, 'a group of fewer than 2 speakers has no spread'],
    ],
  );
  assert.deepEqual(run([empty, empty]).pairs[0]!.pValue, null);
});

test('Groups that are all the same differ nowhere.', () => {
  const { pairs } = run([group(2, 2, 2), group(2, 2, 2), group(2, 2, 2)], 200);
  for (const { pValue } of pairs) assert.equal(pValue, 1);
});
