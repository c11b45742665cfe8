import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { sincFilter } from './sinc-filter.ts';

const services = { random: createRandom(1) };
const sampleRate = 16000;
const band = (highPassHz: number, lowPassHz: number) => ({
  highPassHz,
  lowPassHz,
  transitionShare: 0.05,
  attenuationDb: 120,
});
const tone = (frequencyHz: number) =>
  Float32Array.from({ length: 16000 }, (_, n) => 0.5 * Math.sin((2 * Math.PI * frequencyHz * n) / sampleRate));

test('a tone on the right side comes through unchanged and without delay, one on the other side vanishes', () => {
  const [low, high] = [tone(700), tone(2900)];
  const both = low.map((sample, n) => sample + high[n]!);
  // SoX's band-pass turns what it passes upside down.
  const lowTurned = low.map((sample) => -sample);
  for (const [filter, kept] of [
    [band(0, 1500), low],
    [band(1500, 0), high],
    [band(300, 1500), lowTurned],
    [band(1500, 300), high],
  ] as const) {
    const { clip } = sincFilter.apply({ samples: both, sampleRate }, filter, services);
    assert.equal(clip.samples.length, both.length);
    // The response is 20 ms long; what lies outside of the sound is silence.
    for (let n = 400; n < both.length - 400; n++) assert.ok(Math.abs(clip.samples[n]! - kept[n]!) < 1e-6, `at ${n}`);
  }
});

test('digital silence stays digital silence', () => {
  const samples = new Float32Array(30_000);
  samples[100] = 1;
  const { clip, facts } = sincFilter.apply({ samples, sampleRate }, band(0, 500), services);
  assert.deepEqual(facts, { taps: 321 });
  assert.ok(clip.samples.subarray(20_000).every((sample) => sample === 0));
});

test('a corner that the sound cannot have is a clear sentence', () => {
  const clip = { samples: new Float32Array(100), sampleRate: 8000 };
  assert.throws(
    () => sincFilter.apply(clip, band(0, 4000), services),
    /^InapplicableStep: sinc-filter: expected corners below half .* \(4000 Hz\), but one is 4000 Hz; /,
  );
});
