import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { differenceInterval } from '../bootstrap/difference-interval.ts';
import { rateInterval } from '../bootstrap/rate-interval.ts';
import { stepDownMaximum } from '../significance/multiplicity.ts';
import { permutationTestOfRates } from '../significance/permutation-test.ts';
import { dealProfiles } from './arranged-groups.ts';
import { dealGroups } from './deal-groups.ts';
import { rateContrast } from './rate-contrast.ts';
import { resampleDisparities } from './resample-disparities.ts';

const random = (what: string) => createRandom(['fairness', what]);

/** Speakers with 100 words each, the first half of profile 0; `rate` says how many errors. */
function twoGroups(speakers: number, rate: (speaker: number) => number) {
  const rows = Array.from({ length: speakers }, (_, row) => row);
  return {
    speakers: rows,
    profiles: rows.map((row) => (row < speakers / 2 ? 0 : 1)),
    groups: [[0], [1]],
    outcomes: [
      {
        numerators: Float64Array.from(rows, (row) => Math.round(100 * rate(row))),
        denominators: new Float64Array(speakers).fill(100),
      },
    ],
  };
}

const draw = random('rates');
const uneven = Array.from({ length: 24 }, () => 0.1 + 0.1 * draw.next());

test('of two groups that are everybody, each is as far from the other: one p value, near that of the two-sample test', () => {
  const units = twoGroups(24, (row) => uneven[row]! + (row < 12 ? 0.05 : 0));
  const { cells } = dealGroups(units, { permutations: 20_000, random: random('deal') });
  const [counts] = units.outcomes;
  const half = (from: number) => ({
    numerators: counts!.numerators.slice(from, from + 12),
    denominators: counts!.denominators.slice(from, from + 12),
  });
  const other = permutationTestOfRates(half(0), half(12), { permutations: 20_000, random: random('other') });
  assert.equal(cells[0]![0]!.pValue, cells[0]![1]!.pValue);
  // Both are shares of 20,000 random arrangements of the same statistic.
  assert.ok(Math.abs(cells[0]![0]!.pValue! - other.pValue!) < 0.01, `${cells[0]![0]!.pValue} and ${other.pValue}`);
  assert.equal(cells[0]![0]!.adjustedPValue, cells[0]![0]!.pValue);
});

test('a group that is served twice as badly is found, and the mean disparity is more than chance makes', () => {
  const units = twoGroups(24, (row) => uneven[row]! * (row < 12 ? 2 : 1));
  const { cells, outcomes } = dealGroups(units, { permutations: 2000, random: random('deal') });
  assert.ok(cells[0]![0]!.adjustedPValue! < 0.01);
  assert.ok(outcomes[0]!.pValue! < 0.01);
  assert.ok(outcomes[0]!.meanDisparity! > 2 * outcomes[0]!.byChance!);
});

test('an outcome with twice the errors everywhere has twice the disparity by chance', () => {
  const units = twoGroups(24, (row) => uneven[row]!);
  const [counts] = units.outcomes;
  const doubled = { ...counts!, numerators: counts!.numerators.map((errors) => 2 * errors) };
  const { outcomes } = dealGroups(
    { ...units, outcomes: [counts!, doubled] },
    { permutations: 2000, random: random('deal') },
  );
  assert.ok(Math.abs(outcomes[1]!.byChance! - 2 * outcomes[0]!.byChance!) < 1e-9);
});

test('where a small group says little, what chance makes of the mean disparity is what its own spread makes of it', () => {
  const draws = random('unequal words');
  const rows = Array.from({ length: 60 }, (_, row) => row);
  const words = Float64Array.from(rows, (row) => (row < 20 ? 10 : 200));
  // Those who say little vary more: the whole numbers of errors in ten words are few.
  const errors = words.map((own, row) => Math.round(own * (row < 20 ? 0.4 * draws.next() : 0.15 + 0.1 * draws.next())));
  const units = {
    speakers: rows,
    profiles: rows.map((row) => (row < 20 ? 0 : 1)),
    groups: [[0], [1]],
    outcomes: [{ numerators: errors, denominators: words }],
  };
  const { outcomes } = dealGroups(units, { permutations: 4000, random: random('deal') });
  const squaredError = (from: number, to: number) => {
    const [own, said] = [errors.slice(from, to), words.slice(from, to)];
    const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
    const rate = sum(own) / sum(said);
    const residuals = own.reduce((total, value, row) => total + (value - rate * said[row]!) ** 2, 0);
    return (residuals * own.length) / (own.length - 1) / sum(said) ** 2;
  };
  // Of a normal gap the mean distance from 0 is .798 standard errors; gaps from all are a group's distance from the other times
  // the other's share of the words.
  const distance = Math.sqrt(2 / Math.PI) * Math.sqrt(squaredError(0, 20) + squaredError(20, 60));
  const expected = (distance * (8000 / 8200) + distance * (200 / 8200)) / 2;
  assert.ok(Math.abs(outcomes[0]!.byChance! / expected - 1) < 0.1, `${outcomes[0]!.byChance} and ${expected}`);
});

test('a group of everybody, one without words and one of a single speaker have no test but a reason', () => {
  const units = twoGroups(8, (row) => uneven[row]!);
  const outcome = {
    numerators: Float64Array.of(1, 2, 3, 4, 0, 0, 0, 0),
    denominators: Float64Array.of(9, 9, 9, 9, 0, 0, 0, 0),
  };
  const { cells } = dealGroups(
    { ...units, profiles: [0, 0, 0, 3, 1, 1, 1, 1], groups: [[0, 1, 3], [1], [3], [7]], outcomes: [outcome] },
    { permutations: 100, random: random('deal') },
  );
  assert.deepEqual(
    cells[0]!.map(({ pValue, reason }) => [pValue, reason]),
    [
      [null, { code: 'nobody-outside' }],
      [null, { code: 'no-words-answered' }],
      [null, { code: 'few-on-sides' }],
      [null, { code: 'no-words-answered' }],
    ],
  );
});

test('dealt profiles are the same profiles, and a speaker of two keeps two of one speaker', () => {
  const deal = dealProfiles([[0], [1], [2], [3, 4], [5, 6]], [0, 1, 2, 10, 11, 20, 21], random('profiles'));
  for (let time = 0; time < 50; time++) {
    const dealt = [...deal()];
    assert.deepEqual(dealt.slice(0, 3).sort(), [0, 1, 2]);
    const pairs = [dealt.slice(3, 5).sort(), dealt.slice(5).sort()].sort();
    assert.deepEqual(pairs, [
      [10, 11],
      [20, 21],
    ]);
  }
});

test('profiles stay within a stratum', () => {
  const speakers = [[0], [1], [2], [3], [4], [5]];
  const deal = dealProfiles(speakers, [0, 1, 2, 10, 11, 12], random('strata'), [7, 7, 7, 9, 9, 9]);
  const seen = new Set<string>();
  for (let time = 0; time < 200; time++) {
    const dealt = [...deal()];
    assert.deepEqual(dealt.slice(0, 3).sort(), [0, 1, 2]);
    assert.deepEqual(dealt.slice(3).sort(), [10, 11, 12]);
    seen.add(dealt.join(' '));
  }
  // Each of 6 times 6 arrangements is missed with a chance of (35/36) ** 200.
  assert.ok(seen.size > 30, `${seen.size}`);
});

test('step-down p values are those of the definition, worked on paper', () => {
  const tests = stepDownMaximum([2, null, 3, 1]);
  for (const row of [
    [2.5, 9, 1, 0],
    [0, 9, 4, 0],
    [1, 9, 1, 1.5],
  ])
    tests.add(Float64Array.from(row));
  // In the order 3, 2, 1: maxima over all three are 2.5, 4, 1.5; over the last two 2.5, 0, 1.5; over the last 0, 0, 1.5.
  assert.deepEqual(tests.pValues(), [
    { pValue: 2 / 4, adjustedPValue: 2 / 4 },
    { pValue: null, adjustedPValue: null },
    { pValue: 2 / 4, adjustedPValue: 2 / 4 },
    { pValue: 2 / 4, adjustedPValue: 2 / 4 },
  ]);
});

test('the interval of a mean disparity of one group is that of its rate, where the baseline is as good as fixed', () => {
  // Two groups of equal size: both are half of their difference away from the pooled rate.
  const units = twoGroups(40, (row) => (row < 20 ? 0.1 : 0.3) + uneven[row % 24]!);
  const [mean] = resampleDisparities(units, { random: random('resample') });
  const [counts] = units.outcomes;
  const side = (first: boolean) => ({
    numerators: counts!.numerators.filter((_, row) => row < 20 === first),
    denominators: counts!.denominators.filter((_, row) => row < 20 === first),
  });
  const plain = differenceInterval(side(true), side(false), { clusters: 'separate', random: random('difference') });
  assert.ok(Math.abs(mean!.value! - plain.value! / 2) < 1e-12);
  // Numbers of speakers vary in the one and not in the other, so the baseline does: a little wider.
  const [mine, half] = [mean!.high! - mean!.low!, (plain.high! - plain.low!) / 2];
  assert.ok(mine > 0.9 * half, `${mine} ${half}`);
  const few = resampleDisparities(
    twoGroups(8, () => 0.1),
    { random: random('few') },
  )[0]!;
  assert.deepEqual([few.low, few.reason], [null, { code: 'few-units', need: 10, have: [8] }]);
});

test('a contrast of one rate is nearly the bootstrap interval, and rates less themselves vary in nothing', () => {
  const [counts] = twoGroups(24, (row) => uneven[row]!).outcomes;
  const contrast = rateContrast([{ counts: counts!, weight: 1 }]);
  const bootstrap = rateInterval(counts!, { random: random('rate') });
  assert.equal(contrast.value, bootstrap.value);
  assert.ok(Math.abs(contrast.low! - bootstrap.low!) < 0.005 && Math.abs(contrast.high! - bootstrap.high!) < 0.005);
  const nothing = rateContrast([
    { counts: counts!, weight: 1 },
    { counts: counts!, weight: -1 },
  ]);
  assert.deepEqual([nothing.value, nothing.pValue], [0, null]);
});
