import { type MelBand, melBands } from './mel-bands.ts';
import { createPowerSpectra } from './power-spectrum.ts';
import { hopSamples, sampleRate, windowSamples } from './windows.ts';

const frameSize = 321;
const frameHop = 160;
const bandCount = 120;
/** The last 10 ms of a window are left out. */
const heardSamples = windowSamples - frameHop;
const frameCount = 1 + Math.floor((heardSamples - 1) / frameHop);
const framesPerHop = hopSamples / frameHop;

export const melShape = [1, frameCount, bandCount] as const;

/** Levels that librosa's `power_to_db` does not go below: in power, and in decibels under the loudest of a window. */
const leastPower = 1e-10;
const rangeDb = 80;

/**
 * What the P.808 model reads of a sound, one window after the other: levels in mel bands relative to the loudest of the window,
 * moved and scaled to about -1 to 1. Frames are centred and what lies outside of the window counts as silence, as in librosa's
 * `melspectrogram`. Windows overlap, so that most frames are taken from the window before.
 */
export function createMelWindows(samples: Float32Array): (window: number) => Float32Array {
  const bands = melBands(bandCount, sampleRate, frameSize);
  const spectra = createPowerSpectra(frameSize);
  const hann = Float64Array.from({ length: frameSize }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / frameSize));
  const powers = new Float64Array(frameCount * bandCount);
  const frames = [new Float64Array(frameSize), new Float64Array(frameSize)] as const;
  const bins = [new Float64Array((frameSize + 1) / 2), new Float64Array((frameSize + 1) / 2)] as const;
  let last = Number.NaN;

  const readFrame = (windowStart: number, place: number, frame: Float64Array) => {
    const start = place * frameHop - (frameSize - 1) / 2;
    for (let n = 0; n < frameSize; n++) {
      const at = start + n;
      frame[n] = at < 0 || at >= heardSamples ? 0 : hann[n]! * samples[windowStart + at]!;
    }
  };
  const calculate = (windowStart: number, one: number, other: number) => {
    readFrame(windowStart, one, frames[0]);
    readFrame(windowStart, other, frames[1]);
    spectra(...frames, bins);
    sumBands(bins[0], bands, powers, one * bandCount);
    sumBands(bins[1], bands, powers, other * bandCount);
  };

  return (window) => {
    const start = window * hopSamples;
    let known = 1;
    if (window === last + 1) {
      powers.copyWithin(bandCount, (framesPerHop + 1) * bandCount, (frameCount - 1) * bandCount);
      known = frameCount - 1 - framesPerHop;
    }
    for (let place = known; place < frameCount - 1; place += 2) {
      calculate(start, place, Math.min(place + 1, frameCount - 2));
    }
    // The first and the last frame see the edges of their window.
    calculate(start, 0, frameCount - 1);
    last = window;
    return scaledLevels(powers);
  };
}

function sumBands(bins: Float64Array, bands: readonly MelBand[], powers: Float64Array, at: number): void {
  for (let band = 0; band < bands.length; band++) {
    const { firstBin, weights } = bands[band]!;
    let power = 0;
    for (let n = 0; n < weights.length; n++) power += weights[n]! * bins[firstBin + n]!;
    powers[at + band] = power;
  }
}

function scaledLevels(powers: Float64Array): Float32Array {
  let loudest = leastPower;
  for (let n = 0; n < powers.length; n++) if (powers[n]! > loudest) loudest = powers[n]!;
  const levels = new Float32Array(powers.length);
  for (let n = 0; n < powers.length; n++) {
    const levelDb = 10 * Math.log10(Math.max(leastPower, powers[n]!) / loudest);
    levels[n] = (Math.max(-rangeDb, levelDb) + 40) / 40;
  }
  return levels;
}
