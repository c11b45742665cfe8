import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { type Biquad, butterworth, runBiquad, shelf } from './biquad.ts';

/** The definition: a weighted sum of three inputs less one of two outputs. */
function byDefinition({ numerator, denominator }: Biquad, samples: Float32Array): number[] {
  const outputs: number[] = [];
  for (const [n, sample] of samples.entries()) {
    const driven = numerator[0] * sample + numerator[1] * (samples[n - 1] ?? 0) + numerator[2] * (samples[n - 2] ?? 0);
    outputs.push(driven - denominator[1] * (outputs[n - 1] ?? 0) - denominator[2] * (outputs[n - 2] ?? 0));
  }
  return outputs;
}

test('filters as the difference equation says, at every length', () => {
  const random = createRandom('biquad');
  for (const filter of [shelf('low', 50, 0.4, 100, 16000), butterworth('high-pass', 20, 48000)]) {
    for (const length of [0, 1, 2, 3, 255, 256, 257, 1001]) {
      const samples = Float32Array.from({ length }, () => 2 * random.next() - 1);
      const filtered = runBiquad(filter, samples);
      assert.equal(filtered.length, length);
      for (const [n, expected] of byDefinition(filter, samples).entries()) {
        assert.ok(Math.abs(filtered[n]! - expected) <= 1e-7 * Math.max(1, Math.abs(expected)), `${length} at ${n}`);
      }
    }
  }
});

test('a sound that falls silent ends in silence, and is not slow there', () => {
  const samples = new Float32Array(200_000);
  samples[0] = 1;
  const filtered = runBiquad(butterworth('low-pass', 100, 16000), samples);
  assert.notEqual(filtered[1000], 0);
  assert.ok(filtered.subarray(100_000).every((sample) => sample === 0));
});
