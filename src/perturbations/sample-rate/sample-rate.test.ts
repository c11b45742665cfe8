import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { sampleRate } from './sample-rate.ts';

const apply = (samples: Float32Array, from: number, rateHz: number) =>
  sampleRate.apply({ samples, sampleRate: from }, { rateHz }, { random: createRandom(0) });

/** A second of a tone. */
const tone = (hertz: number, rate: number) =>
  Float32Array.from({ length: rate }, (_, n) => 0.5 * Math.sin((2 * Math.PI * hertz * n) / rate));

/** Of the middle, away from where the clip begins and ends. */
const level = (samples: Float32Array) => {
  const middle = samples.subarray(samples.length / 4, (3 * samples.length) / 4);
  return Math.sqrt(middle.reduce((sum, sample) => sum + sample * sample, 0) / middle.length);
};

test('a tone keeps its level and its times at another rate, and is gone where that rate has none such', () => {
  for (const [from, rateHz] of [
    [44_100, 16_000],
    [48_000, 16_000],
    [8000, 16_000],
  ] as const) {
    const { clip, facts } = apply(tone(1000, from), from, rateHz);
    assert.deepEqual(facts, { fromHz: from, toHz: rateHz });
    assert.deepEqual([clip.sampleRate, clip.samples.length], [rateHz, rateHz]);
    const expected = tone(1000, rateHz);
    const error = clip.samples.map((sample, n) => sample - expected[n]!);
    assert.ok(level(error) < 1e-5, `${from}: ${level(error)}`);
  }
  assert.ok(level(apply(tone(10_000, 48_000), 48_000, 16_000).clip.samples) < 1e-6);
});

test('at its own rate a clip is the one that was given', () => {
  const samples = tone(1000, 16_000);
  assert.equal(apply(samples, 16_000, 16_000).clip.samples, samples);
});
