import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { reasonText } from '../../model/reason.ts';
import { clusterTable } from '../../statistics/bootstrap/clustered-counts.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { permutationTestOfRates } from '../../statistics/significance/permutation-test.ts';
import { compareSides, sizeOfBoth } from './group-pairs.ts';

const settings = { level: 0.9, minimumSpeakers: 5, seed: 1, resamples: 200, permutations: 300 };
const n = { utterances: 12, speakers: 12 };

function side(first: number, hits: readonly number[], proportion: boolean) {
  const counts = {
    numerators: Float64Array.from(hits),
    denominators: new Float64Array(hits.length).fill(10),
    ...(proportion ? { proportion } : {}),
  };
  return { counts, clusters: hits.map((_, place) => first + place), n };
}

const low = [1, 2, 0, 3, 1, 2, 1, 0, 2, 1, 1, 4];
const high = [3, 4, 5, 2, 6, 3, 7, 4, 3, 5, 2, 9];

test('Shares of different speakers are tested studentized and have an interval of shares, rates are freed of skewness and have what the test keeps.', () => {
  for (const proportion of [true, false]) {
    const [a, b] = [side(0, low, proportion), side(100, high, proportion)];
    const found = compareSides(a, b, settings);
    const statistic = proportion ? 'studentized' : 'unskewed';
    const { level, permutations } = settings;
    const random = randomOfData(settings.seed)([clusterTable(a.counts), clusterTable(b.counts)]);
    const expected = permutationTestOfRates(b.counts, a.counts, { permutations, statistic, level, random });
    assert.equal(found.pValue, expected.pValue);
    assert.equal(found.test, expected.test);
    assert.equal(found.interval.level, level);
    assert.equal(found.interval.method.startsWith('differences that the test does not reject'), !proportion);
    if (!proportion)
      assert.deepEqual([found.interval.low, found.interval.high], [expected.interval!.low, expected.interval!.high]);
  }
});

test('The two statistics are told apart by these speakers.', () => {
  const [a, b] = [side(0, low, false), side(100, high, false)];
  const p = (['studentized', 'unskewed'] as const).map(
    (statistic) =>
      permutationTestOfRates(b.counts, a.counts, { permutations: 300, statistic, random: createRandom('sides') }).test,
  );
  assert.notEqual(p[0], p[1]);
});

test('Too few speakers of a group have no interval, and speakers in both groups are compared within themselves.', () => {
  const few = compareSides(side(0, low.slice(0, 4), false), side(100, high, false), settings);
  assert.deepEqual([few.interval.low, few.interval.high], [null, null]);
  assert.match(reasonText(few.interval.reason!), /5/);
  const both = compareSides(side(0, low, false), side(6, high, false), settings);
  assert.match(both.test, /some speakers are in both groups/);
});

test('Who is in both groups is one speaker, and who has no words in one of them is not in it.', () => {
  // Places 6 to 11 of the one are 0 to 5 of the other.
  const [one, other] = [side(0, low, false), side(6, high, false)];
  assert.deepEqual(sizeOfBoth(one, other), { utterances: 24, speakers: 18, words: 0 });
  other.counts.denominators[0] = 0;
  assert.equal(sizeOfBoth(one, { ...other, n: { ...n, speakers: 11 } }).speakers, 18);
  assert.equal(sizeOfBoth(one, side(100, high, false)).speakers, 24);
});
