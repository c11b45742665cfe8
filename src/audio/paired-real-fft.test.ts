import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../base/random.ts';
import { createPairedRealFft, type RealSpectrum } from './paired-real-fft.ts';
import { createRealFft } from './real-fft.ts';

for (const size of [32, 512]) {
  test(`two signals of ${size} samples have the spectra that each has alone, bit for bit, and come back alike`, () => {
    const [paired, alone] = [createPairedRealFft(size), createRealFft(size)];
    const random = createRandom({ size });
    const noise = () => Float64Array.from({ length: size }, () => random.normal());
    const empty = (): RealSpectrum => ({ re: new Float64Array(alone.bins), im: new Float64Array(alone.bins) });
    const signals = [noise(), noise()] as const;
    const spectra = [empty(), empty()] as const;
    paired.forward(signals, spectra);
    const back = [new Float64Array(size), new Float64Array(size)] as const;
    paired.inverse(spectra, back);
    assert.equal(paired.bins, alone.bins);
    for (const lane of [0, 1] as const) {
      const expected = empty();
      alone.forward(signals[lane], expected.re, expected.im);
      assert.deepEqual(spectra[lane], expected);
      const expectedBack = new Float64Array(size);
      alone.inverse(expected.re, expected.im, expectedBack);
      assert.deepEqual(back[lane], expectedBack);
      for (const [n, sample] of back[lane].entries()) assert.ok(Math.abs(sample - signals[lane][n]!) < 1e-13);
    }
  });
}

test('other sizes are refused', () => {
  for (const size of [0, 2, 8, 128, 256, 1024, 510]) {
    assert.throws(() => createPairedRealFft(size), /expected a size that is twice a power of 16, got/);
  }
});
