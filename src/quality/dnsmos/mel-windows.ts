import { createFft, fftRadices, largestFftFactor } from '../../audio/fft.ts';

/** What the models hear at once, and how far apart such windows begin. */
export const sampleRate = 16_000;
const windowSeconds = 9.01;
export const windowSamples = Math.trunc(windowSeconds * sampleRate);
/** Windows begin a second apart. */
export const hopSamples = 16_000;

const linearHertzPerMel = 200 / 3;
const logStartHertz = 1000;
const logStartMel = logStartHertz / linearHertzPerMel;
const logStep = Math.log(6.4) / 27;

const frameSize = 321;
const frameHop = 160;
const bandCount = 120;
/** The last 10 ms of a window are left out. */
const heardSamples = windowSamples - frameHop;
const frameCount = 1 + Math.floor((heardSamples - 1) / frameHop);
const framesPerHop = hopSamples / frameHop;

/** Shape of DNSMOS' input tensor. */
export const melShape = [1, frameCount, bandCount] as const;

/** Levels that librosa's `power_to_db` does not go below: in power, and in decibels under the loudest of a window. */
const minPower = 1e-10;
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
  let loudest = minPower;
  for (let n = 0; n < powers.length; n++) if (powers[n]! > loudest) loudest = powers[n]!;
  const levels = new Float32Array(powers.length);
  for (let n = 0; n < powers.length; n++) {
    const levelDb = 10 * Math.log10(Math.max(minPower, powers[n]!) / loudest);
    levels[n] = (Math.max(-rangeDb, levelDb) + 40) / 40;
  }
  return levels;
}

/** A triangle over bins of a spectrum. */
interface MelBand {
  readonly firstBin: number;
  readonly weights: Float64Array;
}

/**
 * Mel bands as librosa makes them: Slaney's scale (Auditory Toolbox, 1998: straight below 1 kHz, logarithmic above), triangles
 * of equal area. From 0 to half the sample rate.
 */
export function melBands(bands: number, sampleRate: number, transformSize: number): MelBand[] {
  const highest = hertzToMel(sampleRate / 2);
  const edges = Array.from({ length: bands + 2 }, (_, n) => melToHertz((highest * n) / (bands + 1)));
  const bins = Math.floor(transformSize / 2) + 1;
  return Array.from({ length: bands }, (_, band) => {
    const [low, centre, high] = [edges[band]!, edges[band + 1]!, edges[band + 2]!];
    const weightAt = (bin: number) => {
      const frequency = (bin * sampleRate) / transformSize;
      const height = Math.min((frequency - low) / (centre - low), (high - frequency) / (high - centre));
      return (Math.max(0, height) * 2) / (high - low);
    };
    const firstBin = Math.ceil((low * transformSize) / sampleRate);
    const endBin = Math.min(bins, Math.floor((high * transformSize) / sampleRate) + 1);
    const length = Math.max(0, endBin - firstBin);
    return { firstBin, weights: Float64Array.from({ length }, (_value, n) => weightAt(firstBin + n)) };
  });
}

function hertzToMel(hertz: number): number {
  return hertz < logStartHertz ? hertz / linearHertzPerMel : logStartMel + Math.log(hertz / logStartHertz) / logStep;
}

function melToHertz(mel: number): number {
  return mel < logStartMel ? mel * linearHertzPerMel : logStartHertz * Math.exp(logStep * (mel - logStartMel));
}

/** Power of each bin of two frames at once: from 0 to half the rate, `floor(size / 2) + 1` values each. */
type PowerSpectra = (one: Float64Array, other: Float64Array, powers: readonly [Float64Array, Float64Array]) => void;

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

/**
 * The sound with itself appended until it fills a window, doubling each time, as the models' own program does.
 *
 * @param samples at least one
 */
export function fillWindow(samples: Float32Array): Float32Array {
  let filled = samples;
  while (filled.length < windowSamples) {
    const doubled = new Float32Array(2 * filled.length);
    doubled.set(filled);
    doubled.set(filled, filled.length);
    filled = doubled;
  }
  return filled;
}

/**
 * Which windows are heard, by the second at which each begins. The program cuts their number towards zero, so that sounds of up to
 * 11 seconds have one and what is left at the end of longer ones is not heard; and it leaves out windows whose end, calculated in
 * doubles from the second and 9.01, falls below a whole sample. Both move the means, so both are kept.
 *
 * @param samples at least `windowSamples`
 */
export function heardWindows(samples: number): number[] {
  const count = Math.trunc(Math.floor(samples / sampleRate) - windowSeconds) + 1;
  return Array.from({ length: count }, (_, window) => window).filter(
    (window) => Math.trunc((window + windowSeconds) * sampleRate) - window * sampleRate >= windowSamples,
  );
}
