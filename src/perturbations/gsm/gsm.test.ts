import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { gsm } from './gsm.ts';

/** A tone that grows and falls, at the place of 0.5 s loudest. */
const burst = (sampleRate: number) =>
  Float32Array.from({ length: sampleRate }, (_, n) => {
    const seconds = n / sampleRate - 0.5;
    return 0.5 * Math.exp(-((seconds / 0.05) ** 2)) * Math.cos(2 * Math.PI * 600 * seconds);
  });

test('the sound stays in its place, at every rate', () => {
  for (const sampleRate of [8000, 16000, 44100]) {
    const samples = burst(sampleRate);
    const { clip, facts } = gsm.apply({ samples, sampleRate }, gsm.example, { random: createRandom(1) });
    assert.equal(clip.samples.length, samples.length);
    assert.equal(clip.sampleRate, sampleRate);
    assert.equal(facts.codedRateHz, 8000);
    const likeness = (lag: number) => {
      let sum = 0;
      for (let n = 1000; n < samples.length - 1000; n++) sum += samples[n]! * clip.samples[n + lag]!;
      return sum;
    };
    // A period of the tone is 1.67 ms; the peak of the correlation lies within an eighth of a millisecond of 0.
    const lags = Array.from({ length: 41 }, (_, index) => index - 20);
    const best = lags.reduce((one, other) => (likeness(other) > likeness(one) ? other : one));
    assert.ok(Math.abs(best) / sampleRate <= 0.000125, `${best} samples at ${sampleRate}`);
  }
});

test('silence behind a sound that ends within a frame is not heard', () => {
  const { clip } = gsm.apply(
    { samples: burst(8000).subarray(0, 4003), sampleRate: 8000 },
    {},
    { random: createRandom(1) },
  );
  assert.equal(clip.samples.length, 4003);
});
