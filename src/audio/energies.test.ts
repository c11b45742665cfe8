import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../base/random.ts';
import { addScaled, energyOf } from './energies.ts';
import { fullScale } from './levels.ts';

// Lengths around a vector, a block (4096) and several blocks.
const lengths = [0, 1, 3, 4, 5, 4095, 4096, 4097, 9001];
const sound = (seed: number, length: number) => {
  const random = createRandom({ seed, length });
  return Float32Array.from({ length }, () => 0.5 * random.normal());
};

test('energies are sums of squares in double precision, whatever the length and the place in a buffer', () => {
  for (const length of lengths) {
    const samples = sound(1, length);
    const expected = samples.reduce((sum, sample) => sum + sample * sample, 0);
    assert.ok(Math.abs(energyOf(samples) - expected) <= 1e-12 * expected, `${length}`);
    const offset = new Float32Array(length + 1);
    offset.set(samples, 1);
    assert.equal(energyOf(offset.subarray(1)), energyOf(samples));
  }
  // Squares below what single precision holds.
  assert.equal(energyOf(new Float32Array([2 ** -100, 0, 2 ** -100])), 2 * 2 ** -200);
});

test('a scaled sum is calculated in single precision, and what was added and lies beyond full scale is counted', () => {
  for (const length of lengths) {
    const [samples, noise] = [sound(2, length), sound(3, length)];
    const [before, noiseBefore] = [samples.slice(), noise.slice()];
    const gain = Math.fround(1.2345678901);
    const { samples: sum, addedEnergy, samplesBeyondFullScale } = addScaled(samples, noise, gain);
    assert.deepEqual(
      sum,
      Float32Array.from(samples, (sample, n) => sample + Math.fround(gain * noise[n]!)),
    );
    assert.equal(samplesBeyondFullScale, sum.filter((value) => value > fullScale || value < -1).length);
    const expected = sum.reduce((total, value, n) => total + (value - samples[n]!) ** 2, 0);
    assert.ok(Math.abs(addedEnergy - expected) <= 2e-6 * expected, `${length}: ${addedEnergy / expected}`);
    assert.deepEqual([samples, noise], [before, noiseBefore]);
  }
  assert.deepEqual(addScaled(new Float32Array([-1, 0]), new Float32Array([0, fullScale]), 1).samplesBeyondFullScale, 0);
  assert.throws(() => addScaled(new Float32Array(3), new Float32Array(4), 1), /^RangeError: .* 3 and 4 samples/);
});
