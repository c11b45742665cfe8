import { createRealFft } from '../../audio/real-fft.ts';

/** A band as bins of a spectrum: from the first up to, not including, the end. */
export interface BandBins {
  readonly first: number;
  readonly end: number;
}

/**
 * One-third octave bands as STOI takes them (Taal et al., 2011, equation 1): edges are moved to the nearest bin, the lower of two
 * equally near ones.
 */
export function thirdOctaveBands(
  lowestCentreHz: number,
  bands: number,
  sampleRate: number,
  transformSize: number,
): BandBins[] {
  const nearestBin = (frequency: number) => Math.ceil((frequency * transformSize) / sampleRate - 0.5);
  return Array.from({ length: bands }, (_, band) => ({
    first: nearestBin(lowestCentreHz * 2 ** ((2 * band - 1) / 6)),
    end: nearestBin(lowestCentreHz * 2 ** ((2 * band + 1) / 6)),
  }));
}

/** A Hann window without its zeros at both ends, as Matlab's `hanning` and STOI have it. */
function hannWindow(length: number): Float64Array {
  return Float64Array.from({ length }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (n + 1)) / (length + 1)));
}

/** What pystoi adds to levels and norms so that they are never 0. */
const epsilon = Number.EPSILON;

/** Two sounds side by side, of one length. */
export interface SoundPair {
  readonly clip: Float64Array;
  readonly clean: Float64Array;
}

/**
 * Takes out of both sounds the frames in which the clean one is silent: quieter by the dynamic range, or more, than its loudest
 * frame. What remains is put together by overlap and add, at half a frame. (Taal et al., 2011, section II; as pystoi 0.4.1 does.)
 */
export function removeSilence(
  clip: Float32Array | Float64Array,
  clean: Float32Array | Float64Array,
  frameLength: number,
  dynamicRangeDb: number,
): SoundPair {
  const hop = frameLength / 2;
  const window = hannWindow(frameLength);
  const frames = Math.max(0, Math.ceil((clean.length - frameLength) / hop));
  const levels = new Float64Array(frames);
  let loudest = Number.NEGATIVE_INFINITY;
  for (let frame = 0; frame < frames; frame++) {
    let energy = 0;
    for (let n = 0, at = frame * hop; n < frameLength; n++, at++) {
      const sample = window[n]! * clean[at]!;
      energy += sample * sample;
    }
    const level = 20 * Math.log10(Math.sqrt(energy) + epsilon);
    levels[frame] = level;
    if (level > loudest) loudest = level;
  }
  let kept = 0;
  for (let frame = 0; frame < frames; frame++) if (loudest - dynamicRangeDb < levels[frame]!) kept++;
  const length = kept === 0 ? 0 : (kept + 1) * hop;
  const pair = { clip: new Float64Array(length), clean: new Float64Array(length) };
  let to = 0;
  for (let frame = 0; frame < frames; frame++) {
    if (loudest - dynamicRangeDb >= levels[frame]!) continue;
    for (let n = 0, from = frame * hop; n < frameLength; n++, from++) {
      pair.clip[to + n]! += window[n]! * clip[from]!;
      pair.clean[to + n]! += window[n]! * clean[from]!;
    }
    to += hop;
  }
  return pair;
}

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
