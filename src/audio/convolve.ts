import { keepRecent } from './kept-samples.ts';
import { createSpectralEngine } from './spectral-engine.ts';

/** A filter by convolution with one impulse response. */
export interface Convolver {
  /**
   * Samples `start` to `start + length` of the convolution; the first sample of the sound and that of the response meet at
   * 0. All of it: from 0, sound + response - 1 samples. What lies outside of the sound counts as silence.
   */
  convolve(samples: Float32Array, start: number, length: number): Float32Array;
}

/** Shorter blocks are no faster. */
const shortestBlock = 4096;

/**
 * The convolution with an impulse response of any length (a room, the taps of a filter) by overlap-save on spectra. Single
 * precision: rounding is about 130 dB below the loudest that a stretch of the result gets. A convolver holds nothing but
 * the response: working memory belongs to the sizes used last, and a response is prepared again, at the cost of filtering
 * four blocks, where others of its size came in between.
 *
 * @throws RangeError for an empty response
 * @example createConvolver(roomResponse).convolve(samples, 0, samples.length)
 */
export function createConvolver(response: Float32Array | Float64Array): Convolver {
  if (response.length === 0) throw new RangeError('expected an impulse response of at least one sample');
  const skip = 4 * Math.ceil((response.length - 1) / 4);
  let block = shortestBlock;
  while (block < 2 * skip + 4) block *= 2;
  const steps = { hopIn: block - skip, hopOut: block - skip, skipOut: skip };
  const convolver: Convolver = {
    convolve(samples, start, length) {
      const shared = engineFor(block);
      if (shared.holds !== convolver) {
        shared.holds = convolver;
        shared.engine.setResponse(scaledSpectrum(shared.engine.spectrumOf(Float32Array.from(response)), block));
      }
      return shared.engine.filter(samples, start - skip, length, steps);
    },
  };
  return convolver;
}

/** Working memory for a size of blocks, and whose response it holds. */
const engineFor = keepRecent(
  3,
  (block: number) => `${block}`,
  (block) => ({
    engine: createSpectralEngine({ blockIn: block, blockOut: block, bins: block / 2 + 1 }, 'complex'),
    holds: null as Convolver | null,
  }),
);

/** In place. */
function scaledSpectrum(
  spectrum: { readonly real: Float64Array; readonly imaginary: Float64Array | null },
  block: number,
) {
  for (const part of [spectrum.real, spectrum.imaginary]) {
    if (part !== null) for (let k = 0; k < part.length; k++) part[k] = part[k]! / block;
  }
  return spectrum;
}
