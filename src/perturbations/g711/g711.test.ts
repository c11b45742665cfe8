import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rms } from '../../audio/levels.ts';
import { createRandom } from '../../base/random.ts';
import { g711 } from './g711.ts';

const services = { random: createRandom(1) };
const tone = (hz: number, sampleRate: number) =>
  Float32Array.from({ length: sampleRate }, (_, n) => 0.5 * Math.sin((2 * Math.PI * hz * n) / sampleRate));

test('a tone of -9 dB keeps 37 to 39 dB above the noise of either law, as the standard (G.712) plans for', () => {
  for (const law of ['mu-law', 'a-law'] as const) {
    for (const sampleRate of [8000, 16000, 44100]) {
      const samples = tone(1013, sampleRate);
      const { clip } = g711.apply({ samples, sampleRate }, { law, bandwidth: 'telephone' }, services);
      const middle = (all: Float32Array) => all.subarray(sampleRate / 4, (3 * sampleRate) / 4);
      const error = rms(middle(clip.samples.map((sample, n) => sample - samples[n]!)));
      const ratio = 20 * Math.log10(rms(samples) / error);
      assert.ok(ratio > 36 && ratio < 40, `${law} at ${sampleRate}: ${ratio}`);
    }
  }
});

test('above 4 kHz nothing is left, unless the whole band is asked for', () => {
  const samples = tone(5000, 16000);
  const level = (bandwidth: 'telephone' | 'whole') => {
    const { clip } = g711.apply({ samples, sampleRate: 16000 }, { law: 'mu-law', bandwidth }, services);
    return rms(clip.samples.subarray(4000, 12000)) / rms(samples);
  };
  assert.ok(level('telephone') < 1e-3);
  assert.ok(Math.abs(level('whole') - 1) < 0.01);
});

test('samples beyond full scale are counted and saturate', () => {
  const samples = Float32Array.of(2, -2, 0.5, 0);
  const { clip, facts } = g711.apply({ samples, sampleRate: 8000 }, { law: 'mu-law', bandwidth: 'whole' }, services);
  assert.equal(facts.saturatedSamples, 2);
  assert.deepEqual([...clip.samples.subarray(0, 2)], [32124 / 32768, -32124 / 32768]);
});

test('a rate that no resampler reaches is one clear sentence', () => {
  const clip = { samples: new Float32Array(10), sampleRate: 3 };
  assert.throws(
    () => g711.apply(clip, { law: 'a-law', bandwidth: 'telephone' }, services),
    /^InapplicableStep: g711: expected a clip of 500 to 768000 samples per second, but it has 3; /,
  );
});
