import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { reasonText } from '../../model/reason.ts';
import { rateContrast } from '../fairness/rate-contrast.ts';
import type { PartlyLabelledCounts } from './powered-influences.ts';
import { predictionPoweredGap, predictionPoweredRate } from './prediction-powered.ts';

/** Speakers with 10 words transcribed of 100, and pseudo verdicts that count the errors and so many others. */
function world(speakers: number, others: (error: number, at: number) => number, seed = 'world'): PartlyLabelledCounts {
  const random = createRandom(seed);
  const fill = (value: (speaker: number) => number) => Float64Array.from({ length: speakers }, (_, at) => value(at));
  const errors = fill(() => random.integer(5));
  const rest = fill((at) => errors[at]! * 8 + random.integer(6));
  const pseudoErrors = errors.map((error, at) => others(error, at));
  return {
    errors,
    words: fill(() => 10),
    pseudoErrors,
    pseudoWords: fill(() => 10),
    allPseudoErrors: rest.map((error, at) => pseudoErrors[at]! + others(error, at)),
    allPseudoWords: fill(() => 100),
  };
}

test('the estimate is the sample’s rate plus the weight times what sets all recordings apart', () => {
  const counts = world(20, (error) => error);
  const { sample, powered, weight, pseudo } = predictionPoweredRate(counts);
  const total = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);
  assert.equal(sample.value, total(counts.errors) / 200);
  assert.equal(pseudo.all, total(counts.allPseudoErrors) / 2000);
  assert.equal(powered.value, sample.value! + weight! * (pseudo.all! - pseudo.sample!));
  const held = predictionPoweredRate(counts, { weight: 1 });
  // By PPI with weight 1 and perfect verdicts the rate of all recordings comes out, whatever the sample was.
  assert.ok(Math.abs(held.powered.value! - pseudo.all!) < 1e-12);
});

test('where pseudo verdicts are all known of the transcribed, and nothing else is, they add nothing', () => {
  const counts = world(20, (error) => error);
  const only = { ...counts, allPseudoErrors: counts.pseudoErrors, allPseudoWords: counts.pseudoWords };
  const { sample, powered, weight } = predictionPoweredRate(only);
  assert.equal(weight, 0);
  assert.deepEqual([powered.value, powered.low, powered.high], [sample.value, sample.low, sample.high]);
});

test('the tuned weight is the one at which the spread of influences is least', () => {
  const random = createRandom('least');
  const counts = world(40, (error) => 0.5 * error + random.integer(3));
  const { weight } = predictionPoweredRate(counts);
  const variance = (at: number) => predictionPoweredRate(counts, { weight: at }).varianceRatio!;
  for (const step of [-0.1, 0.1]) assert.ok(variance(weight!) <= variance(weight! + step) + 1e-3, `${step}`);
  assert.ok(variance(weight!) < 1);
});

test('a weight that is held and makes the spread greater counts as 0, of rates and of gaps', () => {
  const random = createRandom('held');
  const noise = () => world(20, () => random.integer(9), `${random.next()}`);
  const counts = noise();
  const { weight, powered, sample, varianceRatio } = predictionPoweredRate(counts, { weight: 1 });
  assert.deepEqual([weight, varianceRatio], [0, 1]);
  assert.deepEqual([powered.low, powered.high], [sample.low, sample.high]);
  const gap = predictionPoweredGap(counts, noise(), { weight: 1 });
  assert.deepEqual([gap.powered.value, gap.powered.high], [gap.sample.value, gap.sample.high]);
});

test('verdicts that go against the errors count for nothing', () => {
  const { weight, sample, powered } = predictionPoweredRate(
    world(30, (error, at) => (at % 2 === 0 ? 9 : 4) - Math.min(error, 4)),
  );
  assert.equal(weight, 0);
  assert.equal(powered.value, sample.value);
});

test('the gap of samples alone is that of a contrast of rates over the same speakers', () => {
  const [first, second] = [world(20, (error) => error, 'a'), world(20, (error) => error, 'b')];
  const { sample, powered } = predictionPoweredGap(first, second);
  const other = rateContrast([
    { counts: { numerators: second.errors, denominators: second.words }, weight: 1 },
    { counts: { numerators: first.errors, denominators: first.words }, weight: -1 },
  ]);
  assert.ok(Math.abs(sample.value! - other.value!) < 1e-12);
  // The same spread, up to where the factor for a cluster's share of the words is applied.
  const half = (interval: { low: number | null; high: number | null }) => interval.high! - interval.low!;
  assert.ok(Math.abs(half(sample) / half(other) - 1) < 0.03, `${half(sample)} ${half(other)}`);
  assert.ok(half(powered) < half(sample));
});

test('few speakers, no references and no verdicts give reasons', () => {
  const counts = world(9, (error) => error);
  const few = predictionPoweredRate(counts);
  assert.notEqual(few.powered.value, null);
  assert.equal(few.powered.low, null);
  assert.match(reasonText(few.powered.reason!), /needs transcribed recordings of 10 speakers, and there are 9/);
  const none = new Float64Array(9);
  const silent = predictionPoweredRate({ ...counts, errors: none, words: none, pseudoErrors: none, pseudoWords: none });
  assert.deepEqual([silent.sample.value, silent.powered.value], [null, null]);
  assert.match(reasonText(silent.sample.reason!), /no recording is transcribed/);
  const blind = predictionPoweredRate({ ...counts, pseudoErrors: none, pseudoWords: none });
  assert.notEqual(blind.sample.value, null);
  assert.match(reasonText(blind.powered.reason!), /no pseudo verdicts/);
  assert.equal(predictionPoweredGap(counts, { ...counts, words: none }).powered.value, null);
});

test('rates have no interval below 0, and one without errors has none', () => {
  const { powered } = predictionPoweredRate(world(12, (error) => error));
  assert.ok(powered.low! > 0);
  const counts = world(12, () => 1);
  const perfect = predictionPoweredRate({ ...counts, errors: new Float64Array(12) });
  assert.equal(perfect.sample.value, 0);
  assert.equal(perfect.sample.low, null);
  assert.match(reasonText(perfect.sample.reason!), /the same rate/);
});

test('lengths that differ and sums below 0 are refused', () => {
  const counts = world(12, (error) => error);
  assert.throws(
    () => predictionPoweredRate({ ...counts, words: new Float64Array(3) }),
    /12 clusters in words, but got 3/,
  );
  assert.throws(() => predictionPoweredRate({ ...counts, errors: counts.errors.map(() => -1) }), /sums of 0 or more/);
  assert.throws(
    () =>
      predictionPoweredGap(
        counts,
        world(13, (error) => error),
      ),
    /12 and 13/,
  );
  assert.throws(() => predictionPoweredRate(counts, { level: 2 }), /between 0 and 1/);
});

test('where sample and rest have the same verdicts but for rounding, these count for nothing', () => {
  for (let seed = 0; seed < 20; seed++) {
    // Of each speaker a third of the words and of the pseudo errors is in the sample: by hand the shift and all influences on it are 0.
    const random = createRandom(['proportional', seed]);
    const fill = (value: () => number) => Float64Array.from({ length: 24 }, value);
    const pseudoErrors = fill(() => 0.1 * (1 + random.integer(7)));
    const pseudoWords = fill(() => 7 + random.integer(5));
    const { sample, powered, weight, varianceRatio } = predictionPoweredRate({
      errors: fill(() => random.integer(5)),
      words: pseudoWords,
      pseudoErrors,
      pseudoWords,
      allPseudoErrors: pseudoErrors.map((value) => 3 * value),
      allPseudoWords: pseudoWords.map((value) => 3 * value),
    });
    assert.equal(weight, 0);
    assert.equal(varianceRatio, 1);
    assert.deepEqual([powered.value, powered.low, powered.high], [sample.value, sample.low, sample.high]);
  }
});

test('a rate that verdicts move next to 0 has no interval, which would end at infinity', () => {
  const random = createRandom('next to nothing');
  const plain = world(20, (error) => error + random.integer(2));
  // Nothing more in the rest: all recordings seem ten times as easy as the sample.
  const counts = { ...plain, allPseudoErrors: plain.pseudoErrors };
  const { sample, pseudo } = predictionPoweredRate(counts);
  // Held so that a millionth of the sample's rate is left.
  const weight = ((1 - 1e-6) * sample.value!) / (pseudo.sample! - pseudo.all!);
  const { powered } = predictionPoweredRate(counts, { weight });
  assert.ok(Math.abs(powered.value! / sample.value! - 1e-6) < 1e-9);
  assert.deepEqual([powered.low, powered.high], [null, null]);
  assert.match(reasonText(powered.reason!), /so near 0/);
});
