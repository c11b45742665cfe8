import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { reasonText } from '../../model/reason.ts';
import { exactProportionInterval } from '../exact-intervals.ts';
import { defaultMinimumClusters } from './cluster-spread.ts';
import type { ClusteredCounts } from './clustered-counts.ts';
import { differenceInterval, logRatioInterval } from './difference-interval.ts';
import { randomOfData } from './random-of-data.ts';
import { rateInterval } from './rate-interval.ts';

const random = () => createRandom('cluster bootstrap');
const counts = (numerators: readonly number[], denominators: readonly number[]): ClusteredCounts => ({
  numerators: Float64Array.from(numerators),
  denominators: Float64Array.from(denominators),
});
const twelve = counts([3, 5, 1, 4, 0, 2, 6, 2, 9, 3, 4, 1], [40, 31, 52, 38, 20, 44, 61, 35, 50, 42, 29, 33]);

/** Speakers of unequal size and difficulty, and two systems that differ by a factor. */
function population(speakers: number, seed: number, factor = 1) {
  const source = createRandom(['speakers', seed]);
  const words = Float64Array.from({ length: speakers }, () => 20 + Math.round(150 * Math.exp(0.5 * source.normal())));
  const rates = words.map(() => 0.15 * Math.exp(0.4 * source.normal() - 0.08));
  const errors = (scale: number) =>
    words.map((size, speaker) => {
      const rate = rates[speaker]! * scale * Math.exp(0.2 * source.normal() - 0.02);
      let count = 0;
      for (let word = 0; word < size; word++) if (source.next() < rate) count++;
      return count;
    });
  return {
    first: { numerators: errors(1), denominators: words },
    second: { numerators: errors(factor), denominators: words },
  };
}

test('A rate is pooled over clusters, inside its interval, and the same seed gives the same interval.', () => {
  const interval = rateInterval(twelve, { random: random() });
  assert.equal(interval.value, 40 / 475);
  // As the documentation of rateInterval says.
  const example = rateInterval(twelve, { random: createRandom('an example') });
  assert.deepEqual([example.low!.toFixed(4), example.high!.toFixed(4)], ['0.0536', '0.1323']);
  assert.ok(interval.low! < interval.value! && interval.high! > interval.value!);
  assert.deepEqual(rateInterval(twelve, { random: random() }), interval);
  assert.match(
    interval.method,
    /^symmetric bootstrap over clusters, 2,000 resamples on the log scale, length by t with 7\.1 degrees/,
  );
  const wider = rateInterval(twelve, { random: random(), level: 0.99 });
  assert.ok(wider.low! <= interval.low! && wider.high! > interval.high!);
});

test('Where nothing was counted the value is null, with the reason.', () => {
  for (const empty of [counts([], []), counts([0, 0], [0, 0]), counts([1, 2], [0, 0])]) {
    const interval = rateInterval(empty, { random: random() });
    assert.deepEqual([interval.value, interval.low, interval.high], [null, null, null]);
    assert.ok(interval.reason);
  }
  assert.equal(differenceInterval(counts([1], [9]), counts([0], [0]), { random: random() }).value, null);
});

test('With too few clusters, or one that outweighs the others, the value stands without an interval.', () => {
  const few = defaultMinimumClusters - 1;
  const interval = rateInterval(counts(new Array(few).fill(1), new Array(few).fill(10)), { random: random() });
  assert.equal(interval.value, 0.1);
  assert.equal(interval.low, null);
  assert.match(
    reasonText(interval.reason!),
    new RegExp(`needs ${defaultMinimumClusters} speakers, and there are ${few}`),
  );
  const unequal = counts([10, ...new Array(19).fill(1)], [10_000, ...new Array(19).fill(10)]);
  const swamped = rateInterval(unequal, { random: random() });
  assert.equal(swamped.low, null);
  assert.match(reasonText(swamped.reason!), /count as 1\.0/);
  // Clusters in which nothing was said do not count.
  const padded = counts([...new Array(few).fill(1), 0, 0, 0], [...new Array(few).fill(10), 0, 0, 0]);
  assert.equal(rateInterval(padded, { random: random() }).low, null);
});

test('Where every cluster has the same rate there is no interval, and the reason is told.', () => {
  for (const rate of [0, 0.1, 1]) {
    const words = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120];
    const errors = words.map((size) => size * rate);
    for (const options of [{}, { method: 'BCa' }, { method: 'percentile' }] as const) {
      const interval = rateInterval(counts(errors, words), { ...options, random: random() });
      assert.ok(Math.abs(interval.value! - rate) < 1e-12);
      assert.deepEqual([interval.low, interval.high], [null, null]);
      assert.match(reasonText(interval.reason!), /all 12 speakers have the same rate/);
    }
  }
});

test('A difference that is the same for every cluster has no interval, and the reason is told.', () => {
  const more = { ...twelve, numerators: twelve.denominators.map((words, index) => words + twelve.numerators[index]!) };
  for (const [second, value] of [[twelve, 0] as const, [more, 1] as const]) {
    const interval = differenceInterval(twelve, second, { random: random() });
    assert.ok(Math.abs(interval.value! - value) < 1e-12);
    assert.deepEqual([interval.low, interval.high, interval.reason], [null, null, { code: 'alike' }]);
  }
});

test('What two systems have in common cancels: with the pairs broken the difference is less certain.', () => {
  const { first, second } = population(40, 1, 1.2);
  const difference = differenceInterval(first, second, { random: random() });
  assert.ok(difference.low! > 0);
  const broken = {
    numerators: second.numerators.toReversed(),
    denominators: second.denominators.toReversed(),
  };
  const unpaired = differenceInterval(first, broken, { random: random() });
  assert.ok(Math.abs(unpaired.value! - difference.value!) < 1e-12);
  assert.ok(unpaired.high! - unpaired.low! > 1.3 * (difference.high! - difference.low!));
  const turned = differenceInterval(second, first, { random: random() });
  assert.ok(Math.abs(turned.low! + difference.high!) < 1e-3 && Math.abs(turned.high! + difference.low!) < 1e-3);
});

test('More than 2,000 clusters are merged, and the interval stays what it was.', () => {
  const { first } = population(5000, 2);
  const merged = rateInterval(first, { random: random(), resamples: 4000 });
  assert.match(merged.method, /5000 clusters merged at random into 2000/);
  // The normal approximation over all 5,000 clusters, which they are many enough for.
  let squares = 0;
  let words = 0;
  first.numerators.forEach((errors, cluster) => {
    squares += (errors - merged.value! * first.denominators[cluster]!) ** 2;
    words += first.denominators[cluster]!;
  });
  const halfLength = (1.96 * Math.sqrt(squares)) / words;
  assert.ok(Math.abs((merged.high! - merged.low!) / 2 / halfLength - 1) < 0.1);
});

test('Intervals hold the true rate and the true difference about as often as they say, from 20 speakers.', () => {
  const simulations = 400;
  let rates = 0;
  let differences = 0;
  for (let simulation = 0; simulation < simulations; simulation++) {
    const { first, second } = population(20, 100 + simulation, 1);
    const options = { random: createRandom(['calibration', simulation]), resamples: 600 };
    const rate = rateInterval(first, options);
    const difference = differenceInterval(first, second, options);
    if (rate.low! <= 0.15 && rate.high! >= 0.15) rates++;
    if (difference.low! <= 0 && difference.high! >= 0) differences++;
  }
  // .94 within three standard errors of 400 simulations (.036); bench/calibration/intervals.ts has the exact figures.
  assert.ok(rates / simulations > 0.904 && rates / simulations < 0.98, `${rates}`);
  assert.ok(differences / simulations > 0.904 && differences / simulations < 0.98, `${differences}`);
});

test('Shares of errors and of successes have intervals that mirror each other, and stay between 0 and 1.', () => {
  const right = twelve.denominators.map((words, index) => words - twelve.numerators[index]!);
  const errors = rateInterval(twelve, { random: random() });
  const successes = rateInterval({ ...twelve, numerators: right }, { random: random() });
  assert.ok(Math.abs(successes.low! - (1 - errors.high!)) < 1e-12);
  assert.ok(Math.abs(successes.high! - (1 - errors.low!)) < 1e-12);
  const rare = counts([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 30], new Array(12).fill(40));
  const concentrated = rateInterval(rare, { random: random() });
  assert.ok(concentrated.low! > 0 && concentrated.high! <= 1);
  // One speaker of sixteen of whom nothing is understood: not from 0, but from what one wrong of sixteen leaves.
  const odd = rateInterval(counts([...new Array(15).fill(40), 0], new Array(16).fill(40)), { random: random() });
  assert.ok(Math.abs(odd.low! - exactProportionInterval(15, 16).low!) < 1e-9 && odd.high! < 1);
});

test('Counts below 0 and rates above 1 have intervals.', () => {
  const negative = rateInterval(
    { ...twelve, numerators: twelve.numerators.map((errors) => 2 - errors) },
    { random: random() },
  );
  assert.ok(negative.low! < negative.value! && negative.value! < negative.high!);
  const inserted = rateInterval(
    { ...twelve, numerators: twelve.numerators.map((errors) => 30 * errors) },
    { random: random() },
  );
  assert.ok(inserted.value! > 2 && inserted.low! > 1 && inserted.high! > inserted.value!);
});

test('A log ratio is 1 for twice as many errors, changes its sign with the order, and does not exist without errors.', () => {
  const { first } = population(30, 5);
  const doubled = { ...first, numerators: first.numerators.map((errors) => 2 * errors) };
  const exact = logRatioInterval(first, doubled, { random: random() });
  assert.ok(Math.abs(exact.value! - 1) < 1e-9);
  assert.deepEqual([exact.low, exact.high, exact.reason], [null, null, { code: 'alike' }]);
  const { first: one, second: other } = population(30, 6, 1.5);
  const forward = logRatioInterval(one, other, { random: random() });
  const back = logRatioInterval(other, one, { random: random() });
  assert.ok(forward.low! < forward.value! && forward.value! < forward.high!);
  assert.ok(Math.abs(forward.value! + back.value!) < 1e-12 && Math.abs(forward.low! + back.high!) < 1e-9);
  const none = { ...first, numerators: new Float64Array(30) };
  for (const pair of [[first, none] as const, [none, first] as const]) {
    const undefinedRatio = logRatioInterval(...pair, { random: random() });
    assert.deepEqual([undefinedRatio.value, undefinedRatio.low], [null, null]);
    assert.match(reasonText(undefinedRatio.reason!), /one of the rates is 0/);
  }
  // Only one of the clusters has errors: many resamples have none, and are drawn again.
  const lonely = { ...first, numerators: first.numerators.map((errors, index) => (index === 0 ? errors + 1 : 0)) };
  for (const method of ['BCa', 'percentile'] as const) {
    const interval = logRatioInterval(first, lonely, { method, random: random() });
    assert.ok(Number.isFinite(interval.low) && Number.isFinite(interval.high));
  }
});

test('Groups of different speakers are resampled apart, and may differ in number.', () => {
  const few = population(12, 7).first;
  const many = population(60, 8).first;
  const interval = differenceInterval(few, many, { clusters: 'separate', random: random() });
  const [one, other] = [few, many].map((group) => rateInterval(group, { random: random() }));
  // Variances of independent rates add: the interval is longer than either's and shorter than both together.
  const length = (of: typeof interval) => of.high! - of.low!;
  assert.ok(length(interval) > length(other!) && length(interval) < length(one!) + length(other!));
  const bca = differenceInterval(few, many, { clusters: 'separate', method: 'BCa', random: random() });
  assert.ok(bca.low! < bca.value! && bca.value! < bca.high!);
  const four = differenceInterval(population(4, 9).first, many, { clusters: 'separate', random: random() });
  assert.match(reasonText(four.reason!), /needs 10 speakers in each group, and one has 4/);
  assert.throws(() => differenceInterval(few, many, { random: random() }), RangeError);
});

test('Impossible counts and options are refused.', () => {
  const refused = (one: ClusteredCounts, options = {}) =>
    assert.throws(() => rateInterval(one, { random: random(), ...options }), RangeError);
  refused(counts([1], [1, 2]));
  refused(counts([Number.NaN], [1]));
  refused(counts([1], [-1]));
  refused(counts([1], [Number.POSITIVE_INFINITY]));
  refused(twelve, { level: 1 });
  refused(twelve, { resamples: 0 });
  assert.throws(() => differenceInterval(twelve, counts([1], [2]), { random: random() }), RangeError);
});

test('With random numbers of the data the same speakers in any order give the same interval, and rates that change places its mirror image.', () => {
  const { first, second } = population(14, 3, 1.4);
  const options = { random: randomOfData(7) };
  const reversed = ({ numerators, denominators }: ClusteredCounts) => ({
    numerators: numerators.toReversed(),
    denominators: denominators.toReversed(),
  });
  assert.deepEqual(rateInterval(first, options), rateInterval(reversed(first), options));
  assert.notEqual(rateInterval(first, { random: randomOfData(8) }).low, rateInterval(first, options).low);
  for (const clusters of ['shared', 'separate'] as const) {
    for (const interval of [differenceInterval, logRatioInterval]) {
      const there = interval(first, second, { ...options, clusters });
      assert.deepEqual(interval(reversed(first), reversed(second), { ...options, clusters }), there);
      const back = interval(second, first, { ...options, clusters });
      assert.deepEqual([back.value, back.low, back.high], [0 - there.value!, 0 - there.high!, 0 - there.low!]);
      assert.ok(there.low! < there.high!);
    }
  }
});

test('Clusters in which nothing was counted, and sums of fractions in another order, change nothing about random numbers of the data.', () => {
  const options = { random: randomOfData(7) };
  const interval = rateInterval(twelve, options);
  const more = counts([...twelve.numerators, 0, 0], [...twelve.denominators, 0, 0]);
  assert.deepEqual(rateInterval(more, options), interval);
  const rounded = counts(
    [...twelve.numerators].map((count) => count * (1 + 3e-16)),
    [...twelve.denominators],
  );
  assert.ok(Math.abs(rateInterval(rounded, options).low! - interval.low!) < 1e-12);
});

/** So many speakers with so many words, some wrong by chance, and what a loop adds to the first of them. */
function withLoops(speakers: number, words: number, loops: readonly number[]) {
  const random = createRandom(['loops', speakers, words]);
  const alone = Float64Array.from({ length: speakers }, () =>
    Array.from({ length: words }, () => random.next()).reduce((sum, drawn) => sum + (drawn < 0.09 ? 1 : 0), 0),
  );
  const numerators = alone.map((errors, place) => errors + (loops[place] ?? 0));
  const denominators = new Float64Array(speakers).fill(words);
  const clipped = numerators.map((errors, place) => Math.min(errors, alone[place]! + 10));
  return { counts: { numerators, denominators }, clipped: { numerators: clipped, denominators } };
}

for (const [speakers, words, loops] of [
  [40, 30, [220]],
  [40, 30, [60]],
  [12, 30, [220]],
  [12, 12, [30]],
  [200, 30, [220]],
  [40, 30, [220, 150]],
  [40, 30, [220, 150, 90]],
  [100, 50, [90, 90]],
] as const) {
  test(`Beside loops of ${loops} words of ${speakers} speakers no end of an interval is senseless.`, () => {
    const { counts, clipped } = withLoops(speakers, words, loops);
    const options = { random: randomOfData(3) };
    const { low, high } = rateInterval(counts, options);
    // Of as many resamples as are drawn for the farthest: the ends of all of them.
    const far = { ...options, resamples: 20_000, method: 'percentile', level: 1 - 1e-12 } as const;
    const all = rateInterval(counts, far);
    const rounding = 1e-8;
    assert.ok(
      low! >= all.low! - rounding && high! <= all.high! + rounding,
      `${low} to ${high} in ${all.low} to ${all.high}`,
    );
    const remains = rateInterval(clipped, options);
    assert.ok(low! >= 0.95 * remains.low!, `${low} below ${remains.low}, what remains of clipped loops`);
    // Of the difference to the same without loops, too.
    const first = withLoops(speakers, words, []).counts;
    const difference = differenceInterval(first, counts, options);
    const every = differenceInterval(first, counts, far);
    assert.ok(difference.low! >= every.low! - rounding && difference.high! <= every.high! + rounding);
    // No seed moves an end by a loop more or less in one resample.
    const highs = Array.from({ length: 8 }, (_, seed) => rateInterval(counts, { random: randomOfData(seed) }).high!);
    const apart = Math.max(...highs) / Math.min(...highs) - 1;
    assert.ok(apart < 0.1, `${apart}: ${highs}`);
  });
}

test('The one loop of 40 speakers of the report: 7 to 138 % and not 2 to 300, and the intervals of numpy and scipy inside.', () => {
  // 325 errors of 1,200 words, 220 of them in one utterance; numpy's largest of 20,000 resamples is 138 %.
  const others = Float64Array.from({ length: 40 }, (_, place) => [1, 2, 3, 4, 3, 2, 4, 2][place % 8]!);
  const numerators = others.with(7, others[7]! + 220);
  const { low, high, method } = rateInterval(
    { numerators, denominators: new Float64Array(40).fill(30) },
    { random: randomOfData(3) },
  );
  assert.ok(low! > 0.07 && low! < 0.09, `${low}`);
  assert.ok(high! > 0.64 && high! < 1.39, `${high}`);
  assert.match(method, /ends where resamples come to$/);
});

test('Without a speaker with more errors than words nothing is taken back.', () => {
  const { counts } = withLoops(12, 30, []);
  assert.doesNotMatch(rateInterval(counts, { random: randomOfData(3) }).method, /resamples come to/);
});
