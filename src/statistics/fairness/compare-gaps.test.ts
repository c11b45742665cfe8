import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { reasonText } from '../../model/reason.ts';
import { compareGaps } from './compare-gaps.ts';

const random = (...what: (string | number)[]) => createRandom(['compare gaps', ...what]);

/** Speakers of group 0, then of group 1, with 100 words each; rates of each recognizer by group, with a spread. */
function world(sizes: readonly number[], rates: readonly (readonly number[])[], spread: number, seed: number) {
  const draws = random('world', seed);
  const groupOf = sizes.flatMap((size, group) => new Array<number>(size).fill(group));
  const errors = rates.map((own) =>
    Float64Array.from(groupOf, (group) => Math.max(0, Math.round(100 * (own[group]! + spread * draws.normal())))),
  );
  const units = {
    speakers: groupOf.map((_, speaker) => speaker),
    profiles: groupOf,
    groups: sizes.map((_, group) => [group]),
  };
  const words = new Float64Array(groupOf.length).fill(100);
  const pair = (first: number, second: number) => ({ first: errors[first]!, second: errors[second]!, words });
  return { units, pair };
}

test('p is the share of all resamples of whole speakers that are as far out, counted one by one', () => {
  const groupOf = [0, 0, 0, 1, 1, 1];
  const [first, second, words] = [
    [3, 9, 4, 2, 5, 1],
    [9, 12, 14, 4, 4, 2],
    [20, 40, 25, 30, 35, 20],
  ].map((values) => Float64Array.from(values)) as [Float64Array, Float64Array, Float64Array];
  /** The difference in differences of drawn speakers with Welch's parts, written out from the textbook; null where a side has fewer than two. */
  const contrast = (drawn: readonly number[]) => {
    const sides = [0, 1].map((group) => {
      const own = drawn.filter((speaker) => groupOf[speaker] === group);
      const said = own.reduce((sum, speaker) => sum + words[speaker]!, 0);
      const rate = own.reduce((sum, speaker) => sum + second[speaker]! - first[speaker]!, 0) / said;
      const squares = own.reduce(
        (sum, speaker) => sum + (second[speaker]! - first[speaker]! - rate * words[speaker]!) ** 2,
        0,
      );
      return { count: own.length, rate, variance: ((squares / said ** 2) * own.length) / (own.length - 1) };
    });
    if (sides.some(({ count }) => count < 2)) return null;
    const [one, other] = sides as [(typeof sides)[0], (typeof sides)[0]];
    const variance = one.variance + other.variance;
    const freedom = variance ** 2 / sides.reduce((sum, side) => sum + side.variance ** 2 / (side.count - 1), 0);
    return { difference: other.rate - one.rate, variance, freedom };
  };
  // Wallace (1959).
  const normal = (t: number, freedom: number) =>
    (Math.sqrt(freedom * Math.log1p(t ** 2 / freedom)) * (8 * freedom + 1)) / (8 * freedom + 3);
  const found = contrast([0, 1, 2, 3, 4, 5])!;
  const statistic = normal(Math.abs(found.difference) / Math.sqrt(found.variance), found.freedom);
  let asFar = 0;
  const all = 6 ** 6;
  for (let number = 0; number < all; number++) {
    const drawn = contrast([0, 1, 2, 3, 4, 5].map((place) => Math.floor(number / 6 ** place) % 6));
    if (drawn === null) asFar++;
    else {
      const distance = Math.abs(drawn.difference - found.difference);
      if (
        distance > 1e-12 &&
        (drawn.variance < 1e-15 || normal(distance / Math.sqrt(drawn.variance), drawn.freedom) >= statistic - 1e-9)
      )
        asFar++;
    }
  }
  const { pairs } = compareGaps(
    { speakers: [0, 1, 2, 3, 4, 5], profiles: groupOf, groups: [[0], [1]] },
    [{ first, second, words }],
    { resamples: 40_000, minimumSpeakers: 2, random: random('exact') },
  );
  // Standard error of a share of 40,000: at most .0025.
  assert.ok(Math.abs(pairs[0]!.pValue! - asFar / all) < 0.0075, `${pairs[0]!.pValue} and ${asFar / all}`);
});

test('two recognizers with one large gap are rarely told apart, and interval and p never part', () => {
  const counts = { told: 0, told001: 0 };
  for (let seed = 0; seed < 200; seed++) {
    const { units, pair } = world(
      [40, 40],
      [
        [0.7, 0.2],
        [0.7, 0.2],
      ],
      0.12,
      seed,
    );
    const { difference, pValue, adjustedPValue } = compareGaps(units, [pair(0, 1)], {
      resamples: 399,
      random: random('draws', seed),
    }).pairs[0]!;
    assert.equal(pValue! <= 0.05 + 1e-12, difference.low! > 0 || difference.high! < 0);
    assert.equal(adjustedPValue, pValue);
    if (pValue! <= 0.05) counts.told++;
    if (pValue! <= 0.005) counts.told001++;
  }
  // Of 200 worlds 10 and 1 are expected; that of a binomial more than 20, or 6, are seen has a chance of less than .001.
  assert.ok(counts.told <= 20 && counts.told001 <= 6, JSON.stringify(counts));
});

test('gaps of opposite sign differ, but are as large: nobody is called more unequal', () => {
  let told = 0;
  for (let seed = 0; seed < 100; seed++) {
    const { units, pair } = world(
      [30, 30],
      [
        [0.6, 0.2],
        [0.2, 0.6],
      ],
      0.1,
      seed,
    );
    const [one] = compareGaps(units, [pair(0, 1)], { resamples: 399, random: random('opposite', seed) }).pairs;
    if (one!.pValue! <= 0.05) told++;
  }
  // 5 are expected; more than 13 have a chance of less than .001.
  assert.ok(told <= 13, `${told}`);
});

test('a gap of 30 points beside none is told, in the right direction, and all pairs share the error', () => {
  const { units, pair } = world(
    [40, 40],
    [
      [0.2, 0.2],
      [0.5, 0.2],
      [0.5, 0.2],
    ],
    0.08,
    7,
  );
  const options = { resamples: 999, random: random('found') };
  const { pairs, test: name } = compareGaps(units, [pair(0, 1), pair(0, 2), pair(1, 2)], options);
  assert.ok(pairs[0]!.adjustedPValue! <= 0.01 && pairs[1]!.adjustedPValue! <= 0.01);
  assert.ok(pairs[0]!.difference.low! > 0);
  assert.ok(pairs[2]!.adjustedPValue! > 0.05);
  assert.match(name, /step-down maximum over 3 pairs/);
  // Gaps from everybody are half of 30 points in groups of equal size.
  assert.ok(Math.abs(pairs[0]!.difference.value! - 0.15) < 0.05);
  // By itself a pair says the same without the others.
  const alone = compareGaps(units, [pair(1, 2)], { resamples: 999, random: random('found') }).pairs[0]!;
  assert.deepEqual([alone.pValue, alone.difference], [pairs[2]!.pValue, pairs[2]!.difference]);
});

test('too few speakers, no words and no difference between speakers have a reason and no test', () => {
  const { units, pair } = world(
    [4, 4],
    [
      [0.5, 0.2],
      [0.2, 0.2],
    ],
    0.1,
    1,
  );
  const [few] = compareGaps(units, [pair(0, 1)], { random: random('few') }).pairs;
  assert.deepEqual(
    [few!.pValue, few!.difference.low, few!.difference.reason],
    [null, null, { code: 'few-units', need: 10, have: [8] }],
  );
  const none = { first: new Float64Array(8), second: new Float64Array(8), words: new Float64Array(8) };
  const [silent] = compareGaps(units, [none], { random: random('silent') }).pairs;
  assert.deepEqual(
    [silent!.difference.value, silent!.pValue, silent!.difference.reason],
    [null, null, { code: 'no-rate-of-groups' }],
  );
  const [same] = compareGaps(units, [pair(0, 0)], { minimumSpeakers: 2, random: random('same') }).pairs;
  assert.deepEqual([same!.difference.value, same!.difference.low, same!.pValue], [0, null, null]);
  assert.match(reasonText(same!.difference.reason!), /every resample of the speakers gives the same/);
});

test('no end is infinite: a group that resamples are without, or too few resamples for the level, have a reason and no test', () => {
  const { units, pair } = world(
    [12, 12],
    [
      [0.5, 0.2],
      [0.2, 0.2],
    ],
    0.1,
    3,
  );
  // One speaker of the second group was answered by both: (23/24)^24 = 36 % of resamples are without it.
  const known = pair(0, 1);
  const lonely = { ...known, words: known.words.map((words, row) => (row <= 12 ? words : 0)) };
  const ofAnswered = (errors: Float64Array) => errors.map((own, row) => (lonely.words[row]! > 0 ? own : 0));
  const few = { words: lonely.words, first: ofAnswered(known.first), second: ofAnswered(known.second) };
  const options = { resamples: 100, random: random('ends') };
  const both = compareGaps(units, [few, known], options);
  const nothing = ({ difference: { low, high }, pValue, adjustedPValue }: (typeof both.pairs)[number]) =>
    assert.deepEqual([low, high, pValue, adjustedPValue], [null, null, null, null]);
  nothing(both.pairs[0]!);
  assert.match(
    reasonText(both.pairs[0]!.difference.reason!),
    /^in \d\d of 100 resamples of the speakers a group has no rate$/,
  );
  assert.ok(both.pairs[0]!.difference.value !== null);
  // It is none of those that are corrected for.
  const alone = compareGaps(units, [known], { ...options, random: random('ends') });
  assert.deepEqual(both.pairs[1], alone.pairs[0]);
  assert.equal(both.test, alone.test);

  const [strict] = compareGaps(units, [known], { ...options, level: 0.999, random: random('strict') }).pairs;
  nothing(strict!);
  assert.deepEqual(strict!.difference.reason, { code: 'few-resamples', resamples: 100, level: 0.999 });
});

test('of so many times the errors the interval is so many times as wide, also where all speakers add the same', () => {
  const groupOf = Array.from({ length: 12 }, (_, speaker) => (speaker < 6 ? 0 : 1));
  const units = { speakers: groupOf.map((_, speaker) => speaker), profiles: groupOf, groups: [[0], [1]] };
  const widthOf = (times: number) => {
    const first = Float64Array.from(groupOf, (group) => times * (group === 0 ? 6 : 2));
    const second = first.map(
      (errors, speaker) => errors + times * (speaker % 2 === 0 ? -1 : 1) + (1 - groupOf[speaker]!) * times,
    );
    const words = new Float64Array(12).fill(100);
    const [{ difference } = assert.fail()] = compareGaps(units, [{ first, second, words }], {
      resamples: 400,
      random: random('scale'),
    }).pairs;
    return (difference.high! - difference.low!) / times;
  };
  for (const times of [2, 3, 5, 7, 11, 13]) assert.ok(Math.abs(widthOf(times) / widthOf(1) - 1) < 1e-9, `${times}`);
});
