import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { resampleRate } from './resample-rate.ts';

const services = { random: createRandom(1) };
const tone = (hz: number, sampleRate = 16000) => ({
  samples: Float32Array.from({ length: sampleRate }, (_, n) => 0.5 * Math.sin((2 * Math.PI * hz * n) / sampleRate)),
  sampleRate,
});

/** Largest difference from a clip times a factor, away from the ends. */
function distance(found: Float32Array, expected: Float32Array, factor: number): number {
  let largest = 0;
  for (let n = 2000; n < 14000; n++) largest = Math.max(largest, Math.abs(found[n]! - factor * expected[n]!));
  return largest;
}

test('what lies well within the lower band comes back as it was, what lies above it is gone', () => {
  for (const factor of [0.75, 0.5, 0.25, 0.125]) {
    const half = 8000 * factor;
    for (const [place, kept] of [
      [0.5, 1],
      [0.93, 1],
      [1.01, 0],
      [1.2, 0],
    ] as const) {
      const clip = tone(place * half);
      const { samples } = resampleRate.apply(clip, { factor, method: 'kaiser' }, services).clip;
      assert.equal(samples.length, clip.samples.length);
      assert.ok(distance(samples, clip.samples, kept) < 3e-6, `${factor} ${place}`);
    }
  }
});

test('hann falls off gently, and leaves what lies just above the lower band as its mirror image', () => {
  const below = tone(2000);
  const { samples } = resampleRate.apply(below, { factor: 0.5, method: 'hann' }, services).clip;
  assert.ok(distance(samples, below.samples, 1) < 2e-3);
  const above = resampleRate.apply(tone(4200), { factor: 0.5, method: 'hann' }, services).clip.samples;
  assert.ok(Math.max(...above.subarray(2000, 14000)) > 0.03);
});

test('rates are whole numbers, and one without any is refused', () => {
  const at = (sampleRate: number, factor: number) =>
    resampleRate.apply({ samples: new Float32Array(50), sampleRate }, { factor, method: 'kaiser' }, services).facts;
  assert.deepEqual(at(16000, 0.7), { lowRateHz: 11200 });
  assert.deepEqual(at(11025, 0.5), { lowRateHz: 5512 });
  assert.throws(() => at(50, 0.01), /resample-rate: expected .* but it has 50; /);
});
