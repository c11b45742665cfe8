import { createFft, fftRadices, largestFftFactor } from '../../audio/fft.ts';

/** Power of each bin of two frames at once: from 0 to half the rate, `floor(size / 2) + 1` values each. */
export type PowerSpectra = (
  one: Float64Array,
  other: Float64Array,
  powers: readonly [Float64Array, Float64Array],
) => void;

/**
 * Power spectra of real frames of any length, also one whose prime factors no fast transform fits (here 321 = 3 x 107): a chirp
 * turns the transform into a convolution (L. I. Bluestein, IEEE Trans. Audio and Electroacoustics 18, 1970). Two frames are the
 * parts of complex numbers; each comes out to 1e-15 of the louder one's power.
 */
export function createPowerSpectra(size: number): PowerSpectra {
  const padded = paddedSize(2 * size - 1);
  const fft = createFft(padded);
  // The square is reduced before it becomes an angle, which keeps all digits.
  const angle = Float64Array.from({ length: size }, (_, n) => (Math.PI * ((n * n) % (2 * size))) / size);
  const cosine = angle.map(Math.cos);
  const sine = angle.map(Math.sin);
  const chirpReal = new Float64Array(padded);
  const chirpImaginary = new Float64Array(padded);
  for (let n = 0; n < size; n++) {
    chirpReal[n] = cosine[n]! / padded;
    chirpImaginary[n] = sine[n]! / padded;
    if (n === 0) continue;
    chirpReal[padded - n] = chirpReal[n]!;
    chirpImaginary[padded - n] = chirpImaginary[n]!;
  }
  fft.forward(chirpReal, chirpImaginary);
  const real = new Float64Array(padded);
  const imaginary = new Float64Array(padded);

  return (one, other, [onePower, otherPower]) => {
    for (let n = 0; n < size; n++) {
      real[n] = one[n]! * cosine[n]! + other[n]! * sine[n]!;
      imaginary[n] = other[n]! * cosine[n]! - one[n]! * sine[n]!;
    }
    real.fill(0, size);
    imaginary.fill(0, size);
    fft.forward(real, imaginary);
    for (let k = 0; k < padded; k++) {
      const re = real[k]! * chirpReal[k]! - imaginary[k]! * chirpImaginary[k]!;
      imaginary[k] = real[k]! * chirpImaginary[k]! + imaginary[k]! * chirpReal[k]!;
      real[k] = re;
    }
    fft.inverse(real, imaginary);
    // The last chirp turns each bin without changing its power, but bins of both frames are told apart with it.
    for (let k = 0; k < size; k++) {
      const re = real[k]! * cosine[k]! + imaginary[k]! * sine[k]!;
      imaginary[k] = imaginary[k]! * cosine[k]! - real[k]! * sine[k]!;
      real[k] = re;
    }
    for (let k = 0; k <= size / 2; k++) {
      const mirrored = k === 0 ? 0 : size - k;
      const sumReal = real[k]! + real[mirrored]!;
      const differenceReal = real[k]! - real[mirrored]!;
      const sumImaginary = imaginary[k]! + imaginary[mirrored]!;
      const differenceImaginary = imaginary[k]! - imaginary[mirrored]!;
      onePower[k] = (sumReal * sumReal + differenceImaginary * differenceImaginary) / 4;
      otherPower[k] = (sumImaginary * sumImaginary + differenceReal * differenceReal) / 4;
    }
  };
}

/** The least size with factors 2, 3 and 5, which are the fastest. */
function paddedSize(least: number): number {
  let size = least;
  while (Math.max(...(fftRadices(size) ?? [largestFftFactor])) > 5) size++;
  return size;
}
