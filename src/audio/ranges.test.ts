import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../base/random.ts';
import { countFrom, limited, peak, scaled } from './ranges.ts';

// Lengths around a vector, a block (4096) and several blocks.
const lengths = [0, 1, 3, 4, 5, 4095, 4096, 4097, 9001];
const sound = (seed: number, length: number) => {
  const random = createRandom({ seed, length });
  return Float32Array.from({ length }, () => 0.5 * random.normal());
};

test('the peak is the largest magnitude, whatever the length and the place in a buffer', () => {
  for (const length of lengths) {
    const samples = sound(1, length);
    assert.equal(
      peak(samples),
      samples.reduce((largest, sample) => Math.max(largest, Math.abs(sample)), 0),
    );
    const offset = new Float32Array(length + 1);
    offset.set(samples, 1);
    assert.equal(peak(offset.subarray(1)), peak(samples));
  }
  assert.equal(peak(new Float32Array([0.25, Number.NaN, -0.5])), 0.5);
});

test('a scaled sound is the product in double precision, rounded once', () => {
  for (const length of lengths) {
    const samples = sound(2, length);
    const before = samples.slice();
    // The first two are no numbers of single precision; the last makes subnormal ones.
    for (const factor of [0.1, 1.2345678901, 0, 1000, Math.fround(0.1), Math.fround(1e-40)]) {
      const products = Float32Array.from(samples, (sample) => factor * sample);
      assert.deepEqual(scaled(samples, factor), { samples: products, peak: peak(products) });
    }
    assert.deepEqual(samples, before);
  }
});

test('samples of a magnitude or more are counted, those of that magnitude among them', () => {
  for (const length of lengths) {
    const samples = sound(4, length);
    const magnitude = Math.abs(samples[0] ?? 1);
    const counted = samples.filter((sample) => Math.abs(sample) >= magnitude).length;
    assert.equal(countFrom(samples, magnitude), counted);
  }
  assert.equal(countFrom(new Float32Array([1, -1, Number.NaN, Number.NEGATIVE_INFINITY, 0.5]), 1), 3);
});

test('a limited sound keeps what is in the range, the bound itself included, and counts the rest', () => {
  for (const length of lengths) {
    const samples = sound(3, length);
    const before = samples.slice();
    for (const bound of [0.3, 0.5, 0, 10]) {
      const limit = Math.fround(bound);
      assert.deepEqual(limited(samples, bound), {
        samples: samples.map((sample) => (sample > limit ? limit : sample < -limit ? -limit : sample)),
        beyond: samples.filter((sample) => Math.abs(sample) > limit).length,
      });
    }
    assert.deepEqual(samples, before);
  }
  const odd = limited(new Float32Array([0.3, -0.3, Number.NaN, Number.POSITIVE_INFINITY, 0.25]), 0.3);
  assert.deepEqual(odd, { samples: new Float32Array([0.3, -0.3, Number.NaN, 0.3, 0.25]), beyond: 1 });
});
