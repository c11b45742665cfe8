import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom, type Random } from '../../base/random.ts';
import { reasonText } from '../../model/reason.ts';
import { poissonRegression } from '../mixed-models/count-models.ts';
import { causeColumns } from './cause-columns.ts';
import { decomposeGap, type GapData, speakerParts } from './decompose-gap.ts';
import { shapleyParts } from './fitted-gap.ts';
import { jackknifeSpread } from './rate-gap.ts';

const random = () => createRandom('decompose gap');

/** Whole numbers around a mean: the mean, more or less by up to a third. */
function around(mean: number, source: Random): number {
  return Math.round(mean * (2 / 3 + (2 / 3) * source.next()));
}

/** Errors at the rate that the function gives, of 12 speakers on each side with 6 rows of 60 words. */
function world(rateOf: (row: { mine: boolean; noise: number; device: string }) => number, seed = 'world') {
  const source = createRandom(seed);
  const rows = Array.from({ length: 144 }, (_, row) => {
    const mine = row < 72;
    const noise = source.normal() + (mine ? 1 : 0);
    const device = source.next() < (mine ? 0.7 : 0.3) ? 'phone' : 'desk';
    return { mine, noise, device, speaker: Math.floor(row / 6), errors: 0 };
  }).map((row) => ({ ...row, errors: around(60 * rateOf(row), source) }));
  const data: GapData = {
    errors: rows.map(({ errors }) => errors),
    words: rows.map(() => 60),
    inGroup: rows.map(({ mine }) => mine),
    speakers: rows.map(({ speaker }) => speaker),
    causes: [
      { name: 'noise', kind: 'recording', values: rows.map(({ noise }) => noise) },
      { name: 'device', kind: 'recording', values: rows.map(({ device }) => device) },
    ],
  };
  return { data, rows };
}

test('errors that follow the device alone are all its part, to the last digit', () => {
  // .1 at the desk and .2 on the phone; three quarters of the group's words on the phone, a quarter of the others'.
  const rows = [true, false].flatMap((mine) =>
    Array.from({ length: 48 }, (_, row) => {
      const phone = mine ? row % 4 !== 0 : row % 4 === 0;
      return {
        mine,
        device: phone ? 'phone' : 'desk',
        errors: phone ? 4 : 2,
        speaker: (mine ? 0 : 12) + Math.floor(row / 4),
      };
    }),
  );
  const found = decomposeGap(
    {
      errors: rows.map(({ errors }) => errors),
      words: rows.map(() => 20),
      inGroup: rows.map(({ mine }) => mine),
      speakers: rows.map(({ speaker }) => speaker),
      causes: [{ name: 'device', kind: 'recording', values: rows.map(({ device }) => device) }],
    },
    { random: random() },
  );
  assert.ok(Math.abs(found.rates.group! - 0.175) < 1e-12 && Math.abs(found.rates.others! - 0.125) < 1e-12);
  assert.ok(Math.abs(found.parts[0]!.part.value! - 0.05) < 1e-9);
  assert.ok(Math.abs(found.remainder.part.value!) < 1e-9);
  // All speakers are the same, so that nothing tells how much they vary.
  assert.equal(found.remainder.part.low, null);
  assert.match(reasonText(found.remainder.part.reason!), /nothing tells how it varies/);
});

test('what remains is the group’s coefficient of a Poisson regression, times the logarithmic mean of the rates', () => {
  const { data, rows } = world(({ mine, noise }) => 0.1 * Math.exp(0.3 * noise) * (mine ? 1.4 : 1));
  const { rates, remainder } = decomposeGap(data, { random: random() });
  const fit = poissonRegression({
    errors: data.errors,
    words: data.words,
    predictors: {
      group: rows.map(({ mine }) => (mine ? 'mine' : 'less')),
      noise: rows.map(({ noise }) => noise),
      device: rows.map(({ device }) => device),
    },
  });
  const coefficient = fit.coefficients.find(({ term }) => term === 'group')!.estimate!;
  const mean = (rates.group! - rates.others!) / Math.log(rates.group! / rates.others!);
  assert.ok(Math.abs(remainder.part.value! - coefficient * mean) < 1e-7);
});

test('parts and what remains add up to the gap, in whatever order the causes come', () => {
  const { data } = world(
    ({ mine, noise, device }) => 0.1 * Math.exp(0.3 * noise) * (device === 'phone' ? 1.5 : 1) * (mine ? 1.2 : 1),
  );
  const found = decomposeGap(data, { random: random() });
  const turned = decomposeGap({ ...data, causes: data.causes.toReversed() }, { random: random() });
  const sum = [...found.parts, found.remainder].reduce((total, { part }) => total + part.value!, 0);
  assert.ok(Math.abs(sum - found.gap.value!) < 1e-8);
  for (const { name, part } of found.parts) {
    const other = turned.parts.find((one) => one.name === name)!.part;
    assert.ok(Math.abs(other.value! - part.value!) < 1e-8, name);
    assert.ok(Math.abs(other.low! - part.low!) < 1e-8, name);
  }
  assert.ok(Math.abs(found.kinds[0]!.part.value! - found.parts[0]!.part.value! - found.parts[1]!.part.value!) < 1e-12);
});

test('a cause that was put in is found, one that was not is not, and the group is not blamed', () => {
  const { data } = world(({ noise }) => 0.1 * Math.exp(0.3 * noise));
  for (const bent of [false, true]) {
    const { parts, remainder } = decomposeGap(data, { bent, random: random() });
    assert.ok(parts[0]!.part.low! > 0, 'noise');
    assert.ok(parts[1]!.part.low! < 0 && parts[1]!.part.high! > 0, 'device');
    assert.ok(remainder.part.low! < 0 && remainder.part.high! > 0, 'what remains');
  }
});

test('a device that one group alone used is not told from the group, and its part is in what remains', () => {
  const { data, rows } = world(({ noise }) => 0.1 * Math.exp(0.3 * noise));
  const causes = [
    ...data.causes,
    { name: 'studio', kind: 'recording', values: rows.map(({ mine }) => (mine ? 'a' : 'b')) },
  ];
  const found = decomposeGap({ ...data, causes }, { random: random() });
  assert.equal(found.parts[2]!.part.value, null);
  assert.match(reasonText(found.parts[2]!.part.reason!), /goes with the group itself/);
  assert.deepEqual(found.inRemainder, ['studio']);
  const without = decomposeGap(data, { random: random() });
  assert.equal(found.remainder.part.value, without.remainder.part.value);
});

test('causes that never change, or follow from others, have no part and a reason', () => {
  const { data, rows } = world(({ noise }) => 0.1 * Math.exp(0.3 * noise));
  const causes = [
    ...data.causes,
    { name: 'room', kind: 'recording', values: rows.map(() => 'one') },
    { name: 'noise in bels', kind: 'recording', values: rows.map(({ noise }) => noise / 10 + 3) },
  ];
  const { parts } = decomposeGap({ ...data, causes }, { random: random() });
  assert.match(reasonText(parts[2]!.part.reason!), /the same in all recordings/);
  assert.match(reasonText(parts[3]!.part.reason!), /follows from the causes before it/);
});

test('too few speakers, no errors and no words give reasons and no intervals', () => {
  const { data } = world(({ noise }) => 0.1 * Math.exp(0.3 * noise));
  const few = decomposeGap(data, { minimumSpeakers: 13, random: random() });
  assert.notEqual(few.gap.value, null);
  assert.equal(few.gap.low, null);
  assert.match(reasonText(few.gap.reason!), /needs 13 speakers .* one has 12/);
  assert.deepEqual([few.parts[0]!.part.value, few.remainder.part.value], [null, null]);
  const perfect = decomposeGap({ ...data, errors: data.inGroup.map((mine) => (mine ? 3 : 0)) }, { random: random() });
  assert.equal(perfect.rates.others, 0);
  assert.match(reasonText(perfect.remainder.part.reason!), /no errors/);
  const alone = decomposeGap({ ...data, inGroup: data.inGroup.map(() => true) }, { random: random() });
  assert.equal(alone.gap.value, null);
  assert.match(reasonText(alone.gap.reason!), /no words/);
  const empty = { errors: [], words: [], inGroup: [], speakers: [], causes: [] };
  assert.equal(decomposeGap(empty, { random: random() }).gap.value, null);
});

test('more coefficients than half the speakers are refused', () => {
  const { data } = world(({ noise }) => 0.1 * Math.exp(0.3 * noise));
  const source = createRandom('many');
  const causes = Array.from({ length: 12 }, (_, number) => ({
    name: `c${number}`,
    kind: 'text',
    values: data.inGroup.map(() => source.normal()),
  }));
  const { parts, gap } = decomposeGap({ ...data, causes }, { random: random() });
  assert.match(reasonText(parts[0]!.part.reason!), /so many causes need 28 speakers, and there are 24/);
  // The gap itself needs no cause.
  assert.deepEqual(gap, decomposeGap({ ...data, causes: [] }, { random: random() }).gap);
  assert.notEqual(gap.low, null);
});

test('lengths that differ and numbers that are none are refused', () => {
  const { data } = world(() => 0.1);
  assert.throws(() => decomposeGap({ ...data, words: [1] }, { random: random() }), /144 values of words, but got 1/);
  const errors = data.inGroup.map((_, row) => (row === 3 ? Number.NaN : 1));
  assert.throws(() => decomposeGap({ ...data, errors }, { random: random() }), /row 3 has NaN/);
  const causes = [{ name: 'noise', kind: 'recording', values: data.inGroup.map(() => Number.NaN) }];
  assert.throws(() => decomposeGap({ ...data, causes }, { random: random() }), /finite/);
});

test('Shapley parts are the mean over all orders of what moving a cause changes', () => {
  const source = createRandom('orders');
  const side = () => ({
    factors: [0, 1, 2].map(() => Float64Array.from({ length: 5 }, () => Math.exp(source.normal()))),
    weights: Float64Array.from({ length: 5 }, () => 1 + source.next()),
  });
  const [first, second] = [side(), side()];
  const logMean = ({ factors, weights }: typeof first, set: readonly number[]) => {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const sum = weights.reduce(
      (all, weight, row) => all + weight * set.reduce((product, cause) => product * factors[cause]![row]!, 1),
      0,
    );
    return Math.log(sum / total);
  };
  const value = (moved: readonly number[]) =>
    logMean(first, moved) +
    logMean(
      second,
      [0, 1, 2].filter((cause) => !moved.includes(cause)),
    );
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ];
  const expected = [0, 1, 2].map((cause) =>
    orders.reduce((sum, order) => {
      const before = order.slice(0, order.indexOf(cause));
      return sum + (value([...before, cause]) - value(before)) / orders.length;
    }, 0),
  );
  shapleyParts(first, second).forEach((part, cause) => {
    assert.ok(Math.abs(part - expected[cause]!) < 1e-12);
  });
});

test('the jackknife of a mean has the variance of a mean, strata added', () => {
  const values = [4, 9, 2, 7, 5];
  const mean = 27 / 5;
  const without = values.map((value) => (27 - value) / 4);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 4 / 5;
  assert.ok(Math.abs(jackknifeSpread([without]).variance - variance) < 1e-12);
  assert.equal(jackknifeSpread([without]).degreesOfFreedom, 4);
  const both = jackknifeSpread([without, without, [3]]);
  assert.ok(Math.abs(both.variance - 2 * variance) < 1e-12);
  assert.ok(Math.abs(both.degreesOfFreedom - 8) < 1e-9);
});

test('the one speaker who is in both groups is left out in turn with the others, and with many rows', () => {
  const speakers = [0, 0, 1, 1, 2, 3, 4, 4];
  const inGroup = [true, true, true, true, false, false, true, false];
  const parts = speakerParts(speakers, inGroup, random());
  // Two of the group with the one of both, two of the others: every row once.
  assert.deepEqual(
    parts.map((stratum) => stratum.length),
    [3, 2],
  );
  assert.deepEqual(parts.flat(2).sort(), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(speakerParts([7, 7], [true, true], random()), [[[0, 1]]]);
  assert.deepEqual(speakerParts([], [], random()), []);
  // Speakers beyond 50 to 200, by how many rows each fit would have, join others; also one with more rows than a call has arguments.
  for (const [rows, expected] of [
    [20_000, 200],
    [40_000, 100],
    [300_000, 50],
  ] as const) {
    const many = Array.from({ length: rows }, (_, row) => Math.min(row, 200));
    const [joined] = speakerParts(many, new Array<boolean>(rows).fill(true), random());
    assert.equal(joined!.length, expected);
    assert.equal(joined!.flat().length, rows);
  }
});

test('the gap itself is there where a group has no errors: Welch’s t test of equally long speakers, by scipy', () => {
  const mine = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8];
  const decompose = (others: readonly number[]) =>
    decomposeGap(
      {
        errors: [...mine, ...others],
        words: [...mine, ...others].map(() => 20),
        inGroup: [...mine.map(() => true), ...others.map(() => false)],
        speakers: [...mine, ...others].map((_, speaker) => speaker),
        causes: [{ name: 'noise', kind: 'recording', values: [...mine, ...others].map((_, row) => row % 5) }],
      },
      { random: random() },
    );
  // scipy.stats.ttest_ind(mine / 20, others / 20, equal_var=False): statistic, p, confidence_interval(.95).
  for (const { others, value, pValue, low, high } of [
    {
      others: new Array<number>(11).fill(0),
      value: 0.21666666666666667,
      pValue: 9.981775417964485e-5,
      low: 0.13614598252246185,
      high: 0.2971873508108715,
    },
    {
      others: [2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4],
      value: -0.015151515151515166,
      pValue: 0.8027205422530745,
      low: -0.14023198557226677,
      high: 0.10992895526923643,
    },
  ]) {
    const found = decompose(others);
    assert.ok(Math.abs(found.gap.value! - value) < 1e-12);
    assert.ok(
      Math.abs(found.gap.low! - low) < 1e-9 && Math.abs(found.gap.high! - high) < 1e-9,
      JSON.stringify(found.gap),
    );
    assert.ok(Math.abs(found.gapPValue! / pValue - 1) < 1e-6, `${found.gapPValue}`);
  }
  const { remainder, parts } = decompose(new Array<number>(11).fill(0));
  assert.equal(remainder.part.value, null);
  assert.match(reasonText(parts[0]!.part.reason!), /no errors/);
});

test('a number that may bend is a natural spline: straight beyond its outer knots, cubic between them', () => {
  const values = Float64Array.from({ length: 101 }, (_, place) => place + 0.002 * place ** 2);
  const [straight, bend] = causeColumns({ name: 'x', kind: 'k', values }, true).columns as [Float64Array, Float64Array];
  /** Divided second difference of the bend over the straight column. */
  const curve = (place: number) => {
    const slope = (at: number) => (bend[at + 1]! - bend[at]!) / (straight[at + 1]! - straight[at]!);
    return (slope(place + 1) - slope(place)) / (straight[place + 2]! - straight[place]!);
  };
  for (const place of [0, 5, 8, 91, 95, 98]) assert.ok(Math.abs(curve(place)) < 1e-9, `${place}: ${curve(place)}`);
  for (const place of [30, 50, 70]) assert.ok(Math.abs(curve(place)) > 0.1, `${place}: ${curve(place)}`);
  assert.equal(causeColumns({ name: 'x', kind: 'k', values }, false).columns.length, 1);
});
