import { createFft } from './fft.ts';

/** A discrete Fourier transform of real signals of one size. It holds working memory, as `ComplexFft`. */
export interface RealFft {
  readonly size: number;
  /** Bins from 0 to half the sample rate, both included: size / 2 + 1. */
  readonly bins: number;
  /** Not scaled. `samples` is read only; the other two hold at least `bins` values. */
  forward(samples: Float64Array, real: Float64Array, imaginary: Float64Array): void;
  /** Scaled, so that it undoes `forward`. The imaginary parts of the first and last bin count as 0. */
  inverse(real: Float64Array, imaginary: Float64Array, samples: Float64Array): void;
}

/**
 * Prepares a transform of any even size whose half `createFft` takes. It transforms even and odd samples together, as the
 * parts of half as many complex numbers (Press et al., Numerical Recipes, section 12.3).
 *
 * @throws RangeError for other sizes
 * @example
 * const fft = createRealFft(512);
 * const real = new Float64Array(fft.bins);
 * const imaginary = new Float64Array(fft.bins);
 * fft.forward(frame, real, imaginary);
 */
export function createRealFft(size: number): RealFft {
  if (size % 2 !== 0) throw new RangeError(`expected an even transform size, got ${size}`);
  const half = size / 2;
  const fft = createFft(half);
  const zReal = new Float64Array(half);
  const zImaginary = new Float64Array(half);
  const cosine = Float64Array.from({ length: half + 1 }, (_, k) => Math.cos((2 * Math.PI * k) / size));
  const sine = Float64Array.from({ length: half + 1 }, (_, k) => Math.sin((2 * Math.PI * k) / size));

  return {
    size,
    bins: half + 1,
    forward(samples, real, imaginary) {
      for (let n = 0; n < half; n++) {
        zReal[n] = samples[2 * n]!;
        zImaginary[n] = samples[2 * n + 1]!;
      }
      fft.forward(zReal, zImaginary);
      for (let k = 0; k <= half; k++) {
        const mirrored = k === 0 || k === half ? 0 : half - k;
        const place = k === half ? 0 : k;
        const evenR = (zReal[place]! + zReal[mirrored]!) / 2;
        const evenI = (zImaginary[place]! - zImaginary[mirrored]!) / 2;
        const oddR = (zImaginary[place]! + zImaginary[mirrored]!) / 2;
        const oddI = (zReal[mirrored]! - zReal[place]!) / 2;
        real[k] = evenR + cosine[k]! * oddR + sine[k]! * oddI;
        imaginary[k] = evenI + cosine[k]! * oddI - sine[k]! * oddR;
      }
    },
    inverse(real, imaginary, samples) {
      for (let k = 0; k < half; k++) {
        const mirrored = half - k;
        const outer = k === 0 ? 0 : 1;
        const evenR = (real[k]! + real[mirrored]!) / 2;
        const evenI = (outer * (imaginary[k]! - imaginary[mirrored]!)) / 2;
        const turnedR = (real[k]! - real[mirrored]!) / 2;
        const turnedI = (outer * (imaginary[k]! + imaginary[mirrored]!)) / 2;
        const oddR = cosine[k]! * turnedR - sine[k]! * turnedI;
        const oddI = cosine[k]! * turnedI + sine[k]! * turnedR;
        zReal[k] = evenR - oddI;
        zImaginary[k] = evenI + oddR;
      }
      fft.inverse(zReal, zImaginary);
      for (let n = 0; n < half; n++) {
        samples[2 * n] = zReal[n]! / half;
        samples[2 * n + 1] = zImaginary[n]! / half;
      }
    },
  };
}
