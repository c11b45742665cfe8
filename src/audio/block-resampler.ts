import { type ComplexFft, createFft, fftRadices } from './fft.ts';
import { kaiserBeta, kaiserOrder, windowedSinc } from './kaiser.ts';

/** A change of rate by up / down, with everything above the stop band taken away. */
export interface RateChange {
  readonly up: number;
  readonly down: number;
  /** Ends of the pass band and of the transition, as shares of the input's sample rate. */
  readonly pass: number;
  readonly stop: number;
}

/** Changes the rate of a signal that is zero outside of what is given, without delay. */
export type BlockResampler = (samples: Float32Array, outputLength: number) => Float32Array;

/** Stop-band attenuation that the filters are designed for. Single floats end near 150 dB. */
export const attenuationDb = 130;

const largestBlock = 2 ** 18;

/**
 * A Kaiser-windowed sinc filter together with a change of rate, both done on spectra: overlap-save, where the inverse
 * transform is shorter or longer than the forward one by up / down. It gives what the polyphase form of the same filter
 * gives, in a fraction of the work. (Overlap-save: Oppenheim and Schafer section 8.7.3; change of rate: Muramatsu and
 * Kiya, IEEE Trans. Signal Processing 45, 1997.)
 *
 * Null where the ratio has prime factors that no fast transform fits, or where blocks would get too large.
 */
export function createBlockResampler(change: RateChange): BlockResampler | null {
  const { up, down } = change;
  const plan = planBlocks(change);
  if (plan === null) return null;
  const { blockIn, blockOut, hopIn, hopOut, marginIn, marginOut, halfLength } = plan;
  const forward = createFft(blockIn);
  const backward = blockOut === blockIn ? forward : createFft(blockOut);
  const response = frequencyResponse(change, halfLength, forward);
  const bins = response.length;
  const real = new Float64Array(Math.max(blockIn, blockOut));
  const imaginary = new Float64Array(Math.max(blockIn, blockOut));

  /** Both blocks go through at once, as the real and the imaginary part: the filter is real, so they stay apart. */
  const filterPair = () => {
    forward.forward(real, imaginary);
    real[0] = real[0]! * response[0]!;
    imaginary[0] = imaginary[0]! * response[0]!;
    for (let k = 1; k < bins; k++) {
      real[k] = real[k]! * response[k]!;
      imaginary[k] = imaginary[k]! * response[k]!;
    }
    // The two halves of the spectrum lie at its ends: the upper one moves to the end of the output's spectrum.
    if (blockOut >= blockIn) {
      for (let k = 1; k < bins; k++) {
        real[blockOut - k] = real[blockIn - k]! * response[k]!;
        imaginary[blockOut - k] = imaginary[blockIn - k]! * response[k]!;
      }
    } else {
      for (let k = bins - 1; k > 0; k--) {
        real[blockOut - k] = real[blockIn - k]! * response[k]!;
        imaginary[blockOut - k] = imaginary[blockIn - k]! * response[k]!;
      }
    }
    real.fill(0, bins, blockOut - bins + 1);
    imaginary.fill(0, bins, blockOut - bins + 1);
    backward.inverse(real, imaginary);
  };

  return (samples, outputLength) => {
    const output = new Float32Array(outputLength);
    for (let start = 0; start < outputLength; start += 2 * hopOut) {
      const startIn = (start / up) * down - marginIn;
      load(samples, startIn, blockIn, real);
      if (start + hopOut < outputLength) load(samples, startIn + hopIn, blockIn, imaginary);
      else imaginary.fill(0, 0, blockIn);
      filterPair();
      store(real, marginOut, hopOut, output, start);
      store(imaginary, marginOut, hopOut, output, start + hopOut);
    }
    return output;
  };
}

/** Sizes of the blocks: whole multiples of up and down, long enough beside the filter, short enough for the caches. */
function planBlocks({ up, down, pass, stop }: RateChange) {
  const halfLength = Math.ceil(kaiserOrder(attenuationDb, stop - pass) / 2) + 1;
  const margin = Math.ceil(halfLength / down);
  let multiple = 1;
  while (multiple < 6 * margin || multiple * Math.max(up, down) < 4096) multiple *= 2;
  const blockIn = multiple * down;
  const blockOut = multiple * up;
  if (Math.max(blockIn, blockOut) > largestBlock || !fftRadices(up) || !fftRadices(down)) return null;
  const hop = multiple - 2 * margin;
  return {
    blockIn,
    blockOut,
    hopIn: hop * down,
    hopOut: hop * up,
    marginIn: margin * down,
    marginOut: margin * up,
    halfLength,
  };
}

/** Spectrum of the zero-phase filter up to its stop band, scaled for transforms that do not scale. */
function frequencyResponse({ pass, stop }: RateChange, halfLength: number, fft: ComplexFft): Float64Array {
  const real = new Float64Array(fft.size);
  const imaginary = new Float64Array(fft.size);
  const beta = kaiserBeta(attenuationDb);
  for (let offset = 0; offset < halfLength; offset++) {
    const tap = windowedSinc(offset, (pass + stop) / 2, halfLength, beta);
    real[offset] = tap;
    if (offset > 0) real[fft.size - offset] = tap;
  }
  fft.forward(real, imaginary);
  // Beyond the stop band there is nothing to keep; rounding may lift its edge, never past the middle of a spectrum.
  const bins = Math.ceil(stop * fft.size - 1e-6);
  return real.subarray(0, bins).map((value) => value / fft.size);
}

function load(samples: Float32Array, start: number, length: number, into: Float64Array): void {
  const from = Math.max(0, start);
  const to = Math.min(samples.length, start + length);
  if (from >= to) {
    into.fill(0, 0, length);
    return;
  }
  into.fill(0, 0, from - start);
  into.set(samples.subarray(from, to), from - start);
  into.fill(0, to - start, length);
}

function store(from: Float64Array, offset: number, length: number, into: Float32Array, start: number): void {
  const count = Math.min(length, into.length - start);
  if (count > 0) into.set(from.subarray(offset, offset + count), start);
}
