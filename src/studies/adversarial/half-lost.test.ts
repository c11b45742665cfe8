import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { reasonText } from '../../model/reason.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import { halfLost } from './half-lost.ts';

const bootstrap = { random: createRandom('half lost'), resamples: 400 };

/** Twenty speakers of ten words, of which so many are lost on the mean; every other speaker loses one more, the next one less. */
const lost = (mean: number) => ({
  numerators: Float64Array.from({ length: 20 }, (_, speaker) => mean + (speaker % 2 === 0 ? 1 : -1)),
  denominators: new Float64Array(20).fill(10),
});
const rungs = (...means: readonly (readonly [snrDb: number, mean: number])[]) =>
  means.map(([snrDb, mean]) => ({ snrDb, counts: lost(mean) }));

test('half lies on the straight line between the neighbours, in whatever order they come', () => {
  // Three of ten at 20 dB, eight at 10: two fifths of the way.
  const found = halfLost(rungs([10, 8], [30, 1], [20, 3]), bootstrap);
  assert.ok(Math.abs(found.value! - 16) < 1e-9);
  assert.ok(found.low! < 16 && found.high! > 16 && found.low! > 10 && found.high! < 20);
});

test('the ends are the ratios at which the interval of the share ends at one half', () => {
  const found = halfLost(rungs([30, 1], [20, 3], [10, 8]), bootstrap);
  // At a ratio between them the counts are the mean of both, by hand.
  const shareAt = (snrDb: number) => {
    const weight = (20 - snrDb) / 10;
    return rateInterval(lost(3 * (1 - weight) + 8 * weight), { ...bootstrap, random: createRandom('half lost') });
  };
  assert.ok(Math.abs(shareAt(found.low!).low! - 0.5) < 0.01);
  assert.ok(Math.abs(shareAt(found.high!).high! - 0.5) < 0.01);
});

test('the first crossing from the highest ratio counts', () => {
  const found = halfLost(rungs([40, 1], [30, 6], [20, 2], [10, 9]), bootstrap);
  assert.ok(Math.abs(found.value! - 32) < 1e-9);
});

test('what is not reached, or reached from the beginning, is null with the reason', () => {
  const never = halfLost(rungs([20, 1], [10, 4]), bootstrap);
  assert.equal(never.value, null);
  assert.match(reasonText(never.reason!), /fewer than half .* even at 10 dB, the lowest asked/);
  const always = halfLost(rungs([20, 6], [10, 8]), bootstrap);
  assert.equal(always.value, null);
  assert.match(reasonText(always.reason!), /at 20 dB already, the highest asked/);
  assert.equal(halfLost([], bootstrap).value, null);
});

test('an interval that reaches beyond the ratios asked is none; nor is one of few speakers, or of speakers who are all alike', () => {
  const beyond = halfLost(rungs([20, 4.9], [10, 5.1]), bootstrap);
  assert.ok(Math.abs(beyond.value! - 15) < 1e-9);
  assert.equal(beyond.low, null);
  assert.match(reasonText(beyond.reason!), /beyond what was asked/);
  const few = rungs([20, 3], [10, 8]).map(({ snrDb, counts: { numerators, denominators } }) => ({
    snrDb,
    counts: { numerators: numerators.subarray(0, 4), denominators: denominators.subarray(0, 4) },
  }));
  assert.equal(halfLost(few, bootstrap).high, null);
  assert.match(reasonText(halfLost(few, bootstrap).reason!), /speakers/);
  const alike = [
    { snrDb: 20, counts: { ...lost(0), numerators: new Float64Array(20) } },
    { snrDb: 10, counts: { ...lost(0), numerators: new Float64Array(20).fill(10) } },
  ];
  assert.equal(halfLost(alike, bootstrap).value, 15);
  assert.equal(halfLost(alike, bootstrap).low, null);
});
