import type { Clip } from '../../audio/clip.ts';
import { createRealFft } from '../../audio/real-fft.ts';
import { plainMeasure } from '../shared/plain-measure.ts';

/** Voices of adults and children who speak, not sing. */
const minHz = 60;
const maxHz = 500;

/** Three periods of the lowest voice. */
const frameSeconds = 3 / minHz;
const stepSeconds = 0.01;

/** A frame is voiced where it is so much like itself a period later. */
const minLikeness = 0.5;

/** Softer frames than this share of the loudest (by amplitude) are pauses. */
const minAmplitude = 0.03;

/** What a doubling of the frequency is worth, so that a period is preferred to its multiples. */
const octaveCost = 0.01;

/** Voiced frames that a median needs. */
const minVoiced = 5;

/** How high a voice speaks. */
export const pitch = plainMeasure({
  name: 'pitch',
  version: 1,
  about: 'Median fundamental frequency of the voice by autocorrelation (Boersma 1993), 60 to 500 Hz.',
  values: {
    medianPitchHz: 'Median over voiced frames, in hertz',
    voicedShare: 'Share of frames in which the voice has a pitch, 0 to 1',
  },
  needsClean: false,
  sampleRate: null,
  of(clip) {
    const found = measurePitch(clip);
    if (found === null) return 'fewer than 5 frames of the clip are voiced';
    return { medianPitchHz: found.medianHz, voicedShare: found.voicedShare };
  },
});

/** The pitch of a voice over a clip. */
interface MeasuredPitch {
  /** Median fundamental frequency of voiced frames. */
  readonly medianHz: number;
  /** Share of all frames that are voiced, 0 to 1. */
  readonly voicedShare: number;
}

/**
 * Fundamental frequency by the autocorrelation of windowed frames over that of the window (P. Boersma, "Accurate short-term
 * analysis of the fundamental frequency", Proc. Institute of Phonetic Sciences 17, 1993), each frame by itself; its median over the
 * clip, which single octave errors do not move.
 *
 * @returns null where fewer than 5 frames are voiced
 */
export function measurePitch({ samples, sampleRate }: Clip): MeasuredPitch | null {
  const length = Math.round(frameSeconds * sampleRate);
  const step = Math.max(1, Math.round(stepSeconds * sampleRate));
  const size = 2 ** Math.max(4, Math.ceil(Math.log2(1.5 * length)));
  if (samples.length < length || length < 8) return null;
  const correlate = autocorrelationOf(size);
  const window = Float64Array.from({ length }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (n + 0.5)) / length));
  const ofWindow = correlate(window).slice();
  const peakOf = (start: number) => {
    let most = 0;
    for (let n = start; n < start + length; n++) most = Math.max(most, Math.abs(samples[n]!));
    return most;
  };
  let loudest = 0;
  for (let n = 0; n < samples.length; n++) loudest = Math.max(loudest, Math.abs(samples[n]!));
  const frame = new Float64Array(length);
  const found: number[] = [];
  let frames = 0;
  for (let start = 0; start + length <= samples.length; start += step) {
    frames++;
    if (!(peakOf(start) > minAmplitude * loudest)) continue;
    let mean = 0;
    for (let n = 0; n < length; n++) mean += samples[start + n]! / length;
    for (let n = 0; n < length; n++) frame[n] = (samples[start + n]! - mean) * window[n]!;
    const hertz = frequencyOf(correlate(frame), ofWindow, sampleRate);
    if (hertz !== null) found.push(hertz);
  }
  if (found.length < minVoiced) return null;
  found.sort((a, b) => a - b);
  const middle = found.length / 2;
  const medianHz = (found[Math.ceil(middle) - 1]! + found[Math.floor(middle)]!) / 2;
  return { medianHz, voicedShare: found.length / frames };
}

/** The lag at which a frame is most like itself, as a frequency; null where it is not voiced. */
function frequencyOf(own: Float64Array, ofWindow: Float64Array, sampleRate: number): number | null {
  if (!(own[0]! > 0)) return null;
  const likeness = (lag: number) => own[lag]! / own[0]! / (ofWindow[lag]! / ofWindow[0]!);
  const [first, last] = [Math.ceil(sampleRate / maxHz), Math.floor(sampleRate / minHz)];
  let best: { readonly strength: number; readonly hertz: number } | null = null;
  for (let lag = Math.max(2, first); lag <= last; lag++) {
    const [before, here, after] = [likeness(lag - 1), likeness(lag), likeness(lag + 1)];
    if (here < minLikeness || here < before || here <= after) continue;
    // The top of the parabola through the three.
    const bend = before - 2 * here + after;
    const shift = bend < 0 ? (0.5 * (before - after)) / bend : 0;
    const hertz = sampleRate / (lag + shift);
    const strength = Math.min(1, here) + octaveCost * Math.log2(hertz / minHz);
    if (best === null || strength > best.strength) best = { strength, hertz };
  }
  return best?.hertz ?? null;
}

/** Autocorrelation by the power spectrum; what it gives holds until the next call. */
function autocorrelationOf(size: number): (frame: Float64Array) => Float64Array {
  const fft = createRealFft(size);
  const padded = new Float64Array(size);
  const [real, imaginary] = [new Float64Array(fft.bins), new Float64Array(fft.bins)];
  const result = new Float64Array(size);
  return (frame) => {
    padded.fill(0);
    padded.set(frame);
    fft.forward(padded, real, imaginary);
    for (let bin = 0; bin < fft.bins; bin++) {
      real[bin] = real[bin]! ** 2 + imaginary[bin]! ** 2;
      imaginary[bin] = 0;
    }
    fft.inverse(real, imaginary, result);
    return result;
  };
}
