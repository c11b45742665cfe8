import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { g722 } from './g722.ts';

/** A tone that grows and falls, at the place of 0.5 s loudest. */
const burst = (sampleRate: number) =>
  Float32Array.from({ length: sampleRate }, (_, n) => {
    const seconds = n / sampleRate - 0.5;
    return 0.5 * Math.exp(-((seconds / 0.05) ** 2)) * Math.cos(2 * Math.PI * 600 * seconds);
  });

test('the sound stays in its place, at every rate', () => {
  for (const sampleRate of [8000, 16000, 44100]) {
    const samples = burst(sampleRate);
    const { clip, facts } = g722.apply({ samples, sampleRate }, g722.example, { random: createRandom(1) });
    assert.equal(clip.samples.length, samples.length);
    assert.equal(clip.sampleRate, sampleRate);
    assert.equal(facts.codedRateHz, 16000);
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

test('each bit that is let go costs quality', () => {
  const samples = burst(16000);
  const error = (kilobitsPerSecond: number) => {
    const { clip } = g722.apply({ samples, sampleRate: 16000 }, { kilobitsPerSecond }, { random: createRandom(1) });
    return clip.samples.reduce((sum, sample, n) => sum + (sample - samples[n]!) ** 2, 0);
  };
  assert.ok(error(64) < error(56) && error(56) < error(48));
  assert.equal(g722.parameters.safeParse({ kilobitsPerSecond: 60 }).success, false);
});
