import { createRealFft } from '../../audio/real-fft.ts';
import { hannWindow } from './hann-window.ts';
import type { SoundPair } from './remove-silence.ts';
import type { BandBins } from './third-octave-bands.ts';

/** How loud each band is over time: `frames` values for one band after another. */
export interface EnvelopePair {
  readonly frames: number;
  readonly clip: Float64Array;
  readonly clean: Float64Array;
}

/** Norm of each band's spectrum in each frame, frames overlapping by half. */
export function bandEnvelopes(
  { clip, clean }: SoundPair,
  bands: readonly BandBins[],
  frameLength: number,
  transformSize: number,
): EnvelopePair {
  const frames = Math.max(0, Math.ceil((2 * (clean.length - frameLength)) / frameLength));
  const of = (samples: Float64Array) => envelopesOf(samples, frames, bands, frameLength, transformSize);
  return { frames, clip: of(clip), clean: of(clean) };
}

/**
 * One frame at a time, though two would go through one transform: rounding would carry traces of one into the other, and STOI
 * scales up whatever there is in a frame that is silent.
 */
function envelopesOf(
  samples: Float64Array,
  frames: number,
  bands: readonly BandBins[],
  frameLength: number,
  transformSize: number,
): Float64Array {
  const window = hannWindow(frameLength);
  const fft = createRealFft(transformSize);
  const frame = new Float64Array(transformSize);
  const real = new Float64Array(fft.bins);
  const imaginary = new Float64Array(fft.bins);
  const envelopes = new Float64Array(frames * bands.length);
  for (let place = 0; place < frames; place++) {
    for (let n = 0, at = (place * frameLength) / 2; n < frameLength; n++, at++) frame[n] = window[n]! * samples[at]!;
    fft.forward(frame, real, imaginary);
    for (let band = 0; band < bands.length; band++) {
      const { first, end } = bands[band]!;
      let power = 0;
      for (let bin = first; bin < end; bin++) power += real[bin]! * real[bin]! + imaginary[bin]! * imaginary[bin]!;
      envelopes[band * frames + place] = Math.sqrt(power);
    }
  }
  return envelopes;
}
