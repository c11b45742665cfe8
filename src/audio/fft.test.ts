import assert from 'node:assert/strict';
import test from 'node:test';
import { createRandom } from '../base/random.ts';
import { createFft } from './fft.ts';
import { createRealFft } from './real-fft.ts';

function noise(size: number, seed: string): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from({ length: size }, () => random.normal());
}

/** The definition, summed directly. */
function slowTransform(real: Float64Array, imaginary: Float64Array) {
  const size = real.length;
  const sum = (k: number, part: (cosine: number, sine: number, n: number) => number) => {
    let total = 0;
    for (let n = 0; n < size; n++) {
      const angle = (2 * Math.PI * ((k * n) % size)) / size;
      total += part(Math.cos(angle), Math.sin(angle), n);
    }
    return total;
  };
  return {
    real: Float64Array.from(real, (_, k) => sum(k, (cosine, sine, n) => cosine * real[n]! + sine * imaginary[n]!)),
    imaginary: Float64Array.from(real, (_, k) => sum(k, (cosine, sine, n) => cosine * imaginary[n]! - sine * real[n]!)),
  };
}

function assertClose(found: Float64Array, expected: Float64Array, tolerance: number) {
  for (let n = 0; n < expected.length; n++) {
    assert.ok(Math.abs(found[n]! - expected[n]!) <= tolerance, `value ${n}: ${found[n]}, expected ${expected[n]}`);
  }
}

for (const size of [1, 2, 3, 4, 5, 7, 8, 11, 12, 35, 61, 64, 130, 441, 1024]) {
  test(`a transform of ${size} values is the sum that defines it, and its inverse undoes it`, () => {
    const real = noise(size, 'real');
    const imaginary = noise(size, 'imaginary');
    const expected = slowTransform(real, imaginary);
    const foundReal = real.slice();
    const foundImaginary = imaginary.slice();
    const fft = createFft(size);
    fft.forward(foundReal, foundImaginary);
    assertClose(foundReal, expected.real, 1e-10);
    assertClose(foundImaginary, expected.imaginary, 1e-10);
    fft.inverse(foundReal, foundImaginary);
    assertClose(
      foundReal.map((value) => value / size),
      real,
      1e-13,
    );
    assertClose(
      foundImaginary.map((value) => value / size),
      imaginary,
      1e-13,
    );
  });
}

for (const size of [2, 4, 6, 10, 512]) {
  test(`a real transform of ${size} values is the complex one up to half the rate, and its inverse undoes it`, () => {
    const samples = noise(size, 'samples');
    const expected = slowTransform(samples, new Float64Array(size));
    const fft = createRealFft(size);
    const real = new Float64Array(fft.bins);
    const imaginary = new Float64Array(fft.bins);
    fft.forward(samples, real, imaginary);
    assertClose(real, expected.real.subarray(0, fft.bins), 1e-11);
    assertClose(imaginary, expected.imaginary.subarray(0, fft.bins), 1e-11);
    const back = new Float64Array(size);
    fft.inverse(real, imaginary, back);
    assertClose(back, samples, 1e-13);
  });
}

test('sizes with large prime factors, fractions and odd real sizes are refused', () => {
  assert.throws(() => createFft(67), RangeError);
  assert.throws(() => createFft(0), RangeError);
  assert.throws(() => createFft(2.5), RangeError);
  assert.throws(() => createRealFft(5), RangeError);
});
