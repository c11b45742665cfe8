import { createFft } from '../../audio/fft.ts';
import { gammatoneWeights } from './gammatone-weights.ts';

/** Envelope of each channel, lowest first, at `sampleRate / hop`. */
export interface ChannelEnvelopes {
  readonly frames: number;
  /** `frames` values for one channel after another. */
  readonly values: Float64Array;
}

/** 10 ms and 2.5 ms at 16 kHz, and twice the first to the next power of two. */
const windowLength = 160;
const hop = 40;
const transformSize = 512;

/** How many frames there are of so many samples. */
export function countFrames(samples: number): number {
  return Math.max(0, 1 + Math.floor((samples - transformSize) / hop));
}

/**
 * Envelopes of a gammatone filter bank, taken from spectra: in each frame of 10 ms the magnitudes of all bins are added up,
 * weighted by each filter (D. Ellis, "Gammatone-like spectrograms", 2009; `fft_gtgram` of the Python package gammatone). Scaled
 * as there, with the frame that ends exactly with the sound left at zero as there.
 */
export function gammatoneEnvelopes(
  samples: Float32Array,
  sampleRate: number,
  centresHz: readonly number[],
): ChannelEnvelopes {
  const frames = countFrames(samples.length);
  const filled = Math.ceil((samples.length - transformSize) / hop);
  const weights = centresHz.map((centre) =>
    gammatoneWeights(centre, sampleRate, transformSize).map((weight) => weight / transformSize),
  );
  const half = windowLength / 2;
  const window = Float64Array.from(
    { length: windowLength - 1 },
    (_, n) => 0.5 + 0.5 * Math.cos((Math.PI * (n + 1 - half)) / half),
  );
  const windowStart = transformSize / 2 - half + 1;
  const fft = createFft(transformSize);
  const real = new Float64Array(transformSize);
  const imaginary = new Float64Array(transformSize);
  const bins = transformSize / 2 + 1;
  const one = new Float64Array(bins);
  const other = new Float64Array(bins);
  const values = new Float64Array(frames * centresHz.length);

  for (let frame = 0; frame < filled; frame += 2) {
    const paired = frame + 1 < filled;
    // Moving the window within the transform changes no magnitude.
    for (let n = 0, at = frame * hop + windowStart; n < window.length; n++, at++) {
      real[n] = window[n]! * samples[at]!;
      imaginary[n] = paired ? window[n]! * samples[at + hop]! : 0;
    }
    real.fill(0, window.length);
    imaginary.fill(0, window.length);
    fft.forward(real, imaginary);
    for (let bin = 0; bin < bins; bin++) {
      const mirrored = bin === 0 ? 0 : transformSize - bin;
      const sumReal = real[bin]! + real[mirrored]!;
      const differenceReal = real[bin]! - real[mirrored]!;
      const sumImaginary = imaginary[bin]! + imaginary[mirrored]!;
      const differenceImaginary = imaginary[bin]! - imaginary[mirrored]!;
      one[bin] = Math.sqrt(sumReal * sumReal + differenceImaginary * differenceImaginary) / 2;
      other[bin] = Math.sqrt(sumImaginary * sumImaginary + differenceReal * differenceReal) / 2;
    }
    for (let channel = 0; channel < weights.length; channel++) {
      const ofChannel = weights[channel]!;
      let oneSum = 0;
      let otherSum = 0;
      for (let bin = 0; bin < bins; bin++) {
        const weight = ofChannel[bin]!;
        oneSum += weight * one[bin]!;
        otherSum += weight * other[bin]!;
      }
      values[channel * frames + frame] = oneSum;
      if (paired) values[channel * frames + frame + 1] = otherSum;
    }
  }
  return { frames, values };
}
