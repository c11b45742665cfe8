import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRandom } from '../base/random.ts';
import { createConvolver } from './convolve.ts';

const noise = (seed: number, length: number) => {
  const random = createRandom(seed);
  return Float32Array.from({ length }, () => 2 * random.next() - 1);
};

/** By definition, in double precision. */
function definition(samples: Float32Array, response: Float32Array, n: number): number {
  let sum = 0;
  for (let k = 0; k < response.length; k++) sum += response[k]! * (samples[n - k] ?? 0);
  return sum;
}

test('gives the sum of products that convolution is, for any lengths and from any start', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 9000 }),
      fc.integer({ min: 1, max: 3000 }),
      fc.integer({ min: -50, max: 9000 }),
      (length, taps, start) => {
        const samples = noise(length, length);
        const response = noise(taps + 1, taps);
        const found = createConvolver(response).convolve(samples, start, 500);
        for (let n = 0; n < 500; n += 17) {
          const expected = definition(samples, response, start + n);
          assert.ok(Math.abs(found[n]! - expected) < 3e-6 * Math.sqrt(taps + 20), `${n}: ${found[n]} ${expected}`);
        }
      },
    ),
    { numRuns: 25 },
  );
});

test('one impulse gives the sound back, later by its place', () => {
  const samples = noise(1, 20_000);
  const response = new Float32Array(777);
  response[700] = 0.5;
  const found = createConvolver(response).convolve(samples, 700, samples.length);
  for (let n = 0; n < samples.length; n++) assert.ok(Math.abs(found[n]! - samples[n]! / 2) < 1e-6);
});

test('silence stays digital silence, however loud the sound is a block away', () => {
  const samples = new Float32Array(60_000).fill(1, 0, 10_000);
  const found = createConvolver(noise(3, 100)).convolve(samples, 0, samples.length);
  assert.ok(found.subarray(20_000).every((sample) => sample === 0));
});

test('a response without samples is refused', () => {
  assert.throws(() => createConvolver(new Float32Array(0)), RangeError);
});
