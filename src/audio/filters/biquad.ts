import { releaseSamples } from '../kept-samples.ts';

/** A filter of order 2 as a ratio of polynomials: `numerator` weighs the input, `denominator` (first 1) the output. */
export interface Biquad {
  readonly numerator: readonly [number, number, number];
  readonly denominator: readonly [1, number, number];
}

/**
 * Butterworth filter of order 2 (flattest pass band, -3.01 dB at the cutoff), by the bilinear transform with the cutoff
 * prewarped. Source: Oppenheim and Schafer, Discrete-Time Signal Processing, 3rd edition, section 7.3; the same
 * coefficients as scipy's `butter(2, cutoffHz / (sampleRate / 2), kind)`.
 *
 * @param cutoffHz above 0 and below half the sample rate
 * @throws RangeError for a cutoff outside of that
 * @example butterworth('low-pass', 4000, 16000).numerator // [0.2929, 0.5858, 0.2929]
 */
export function butterworth(kind: 'low-pass' | 'high-pass', cutoffHz: number, sampleRate: number): Biquad {
  if (!(cutoffHz > 0 && cutoffHz < sampleRate / 2)) {
    throw new RangeError(
      `expected a cutoff between 0 and half the sample rate (${sampleRate / 2} Hz), got ${cutoffHz}`,
    );
  }
  const warped = Math.tan((Math.PI * cutoffHz) / sampleRate);
  const square = warped * warped;
  const scale = 1 / (1 + Math.SQRT2 * warped + square);
  const denominator = [1, 2 * (square - 1) * scale, (1 - Math.SQRT2 * warped + square) * scale] as const;
  return kind === 'low-pass'
    ? { numerator: [square * scale, 2 * square * scale, square * scale], denominator }
    : { numerator: [scale, -2 * scale, scale], denominator };
}

/**
 * Shelving filter of order 2: raises or lowers everything on one side of a corner by up to `gainDb`, half of it at the
 * corner. Source: Bristow-Johnson, Cookbook formulae for audio EQ biquad filter coefficients (1994); the coefficients that
 * SoX 14.4.2 prints for `bass` and `treble`.
 *
 * @param quality steepness as a quality factor; of a slope, see `shelfQuality`
 * @param cornerHz above 0 and below half the sample rate
 * @throws RangeError for a corner outside of that
 * @example shelf('low', 20, shelfQuality(0.5, 20), 100, 16000)
 */
export function shelf(
  side: 'low' | 'high',
  gainDb: number,
  quality: number,
  cornerHz: number,
  sampleRate: number,
): Biquad {
  if (!(cornerHz > 0 && cornerHz < sampleRate / 2)) {
    throw new RangeError(
      `expected a corner between 0 and half the sample rate (${sampleRate / 2} Hz), got ${cornerHz}`,
    );
  }
  const angle = (2 * Math.PI * cornerHz) / sampleRate;
  const amplitude = 10 ** (gainDb / 40);
  const width = (Math.sqrt(amplitude) * Math.sin(angle)) / quality;
  // The two kinds are mirror images about a quarter of the sample rate.
  const cosine = side === 'low' ? Math.cos(angle) : -Math.cos(angle);
  const mirror = side === 'low' ? 1 : -1;
  const sum = amplitude + 1;
  const difference = amplitude - 1;
  const scale = 1 / (sum + difference * cosine + width);
  return {
    numerator: [
      amplitude * (sum - difference * cosine + width) * scale,
      mirror * 2 * amplitude * (difference - sum * cosine) * scale,
      amplitude * (sum - difference * cosine - width) * scale,
    ],
    denominator: [1, mirror * -2 * (difference + sum * cosine) * scale, (sum + difference * cosine - width) * scale],
  };
}

/**
 * Quality factor of a shelf by its slope: 1 is as steep as it can be without a bump, half of it half as many decibels per
 * octave. Source: as for `shelf`.
 *
 * @param slope above 0; above 1 only as far as `shelfSlope` of a high quality factor goes
 */
export function shelfQuality(slope: number, gainDb: number): number {
  return 1 / Math.sqrt(spread(gainDb) * (1 / slope - 1) + 2);
}

/** The slope of a shelf that has a quality factor: `shelfQuality` the other way round. */
export function shelfSlope(quality: number, gainDb: number): number {
  return 1 / ((1 / quality ** 2 - 2) / spread(gainDb) + 1);
}

/**
 * Quality factor of a filter whose rise is so many octaves wide, as SoX's `o`. Source: as for `shelf`.
 *
 * @param octaves above 0
 */
export function octavesQuality(octaves: number, cornerHz: number, sampleRate: number): number {
  const angle = (2 * Math.PI * cornerHz) / sampleRate;
  // Near half the sample rate no width is too wide, and numbers are not large enough for it.
  return 1 / (2 * Math.sinh(Math.min(500, ((Math.LN2 / 2) * octaves * angle) / Math.sin(angle))));
}

function spread(gainDb: number): number {
  const amplitude = 10 ** (gainDb / 40);
  return amplitude + 1 / amplitude;
}

/** Samples between two looks whether the filter has fallen silent. */
const blockSamples = 256;

/**
 * Runs a filter over a sound, from rest. Two samples at a time: both are calculated from the two before them, because each
 * waiting for the one before is what takes the time.
 *
 * @returns new samples, as many
 * @example runBiquad(butterworth('low-pass', 500, 16000), clip.samples)
 */
export function runBiquad({ numerator, denominator }: Biquad, samples: Float32Array): Float32Array {
  const [b0, b1, b2] = numerator;
  const [, a1, a2] = denominator;
  // What the second sample of a pair takes from the outputs before the pair, with the first one put in.
  const fromLast = a1 * a1 - a2;
  const fromLastButOne = a1 * a2;
  const filtered = new Float32Array(samples.length);
  const pairs = samples.length - (samples.length % 2);
  let lastInput = 0;
  let lastButOneInput = 0;
  let last = 0;
  let lastButOne = 0;
  for (let start = 0; start < pairs; start += blockSamples) {
    const end = Math.min(start + blockSamples, pairs);
    for (let n = start; n < end; n += 2) {
      const input = samples[n]!;
      const nextInput = samples[n + 1]!;
      const driven = b0 * input + b1 * lastInput + b2 * lastButOneInput;
      const nextDriven = b0 * nextInput + b1 * input + b2 * lastInput - a1 * driven;
      const output = driven - a2 * lastButOne - a1 * last;
      const nextOutput = nextDriven + fromLastButOne * lastButOne + fromLast * last;
      filtered[n] = output;
      filtered[n + 1] = nextOutput;
      lastButOneInput = input;
      lastInput = nextInput;
      lastButOne = output;
      last = nextOutput;
    }
    // Numbers below 1e-308 (subnormal) are slow to calculate with, and a sound that falls silent would leave them here.
    if (Math.abs(last) < 1e-60 && Math.abs(lastButOne) < 1e-60) {
      last = 0;
      lastButOne = 0;
    }
  }
  if (pairs < samples.length) {
    filtered[pairs] = b0 * samples[pairs]! + b1 * lastInput + b2 * lastButOneInput - a2 * lastButOne - a1 * last;
  }
  return filtered;
}

/** Samples put before and behind the sound, so that the filter has settled when it comes: scipy's 3 (order + 1). */
const paddingSamples = 9;

/**
 * Runs a filter forward and then backward over a sound: no delay at any frequency, and the gain of the filter squared.
 * The sound is continued beyond its ends by turning it about its end points (odd padding), and each run starts in the
 * steady state of its first sample. Equals scipy's `filtfilt` with its defaults; sounds of 9 samples or fewer, which
 * that refuses, are continued by as many samples as they can give. Source: documentation of scipy.signal.filtfilt, method
 * "pad".
 *
 * @returns new samples, as many
 * @example filterBothWays(butterworth('low-pass', 500, 16000), clip.samples)
 */
export function filterBothWays(filter: Biquad, samples: Float32Array): Float32Array {
  const length = samples.length;
  if (length === 0) return new Float32Array(0);
  const padding = Math.min(paddingSamples, length - 1);
  const padded = new Float64Array(length + 2 * padding);
  padded.set(samples, padding);
  const first = samples[0]!;
  const last = samples[length - 1]!;
  for (let distance = 1; distance <= padding; distance++) {
    padded[padding - distance] = 2 * first - samples[distance]!;
    padded[padding + length - 1 + distance] = 2 * last - samples[length - 1 - distance]!;
  }
  runInPlace(filter, padded);
  padded.reverse();
  runInPlace(filter, padded);
  padded.reverse();
  const filtered = new Float32Array(padded.subarray(padding, padding + length));
  releaseSamples(padded);
  return filtered;
}

/** Direct form II transposed, started in the steady state of the first sample. */
function runInPlace({ numerator, denominator }: Biquad, samples: Float64Array): void {
  const [b0, b1, b2] = numerator;
  const [, a1, a2] = denominator;
  // For a constant input of 1 the output is the gain at 0 Hz, and both stored sums stand still.
  const gainAtZero = (b0 + b1 + b2) / (1 + a1 + a2);
  const steadySecond = b2 - a2 * gainAtZero;
  const steadyFirst = b1 - a1 * gainAtZero + steadySecond;
  let firstSum = steadyFirst * samples[0]!;
  let secondSum = steadySecond * samples[0]!;
  for (let n = 0; n < samples.length; n++) {
    const input = samples[n]!;
    const output = b0 * input + firstSum;
    firstSum = b1 * input - a1 * output + secondSum;
    secondSum = b2 * input - a2 * output;
    // Numbers below 1e-308 (subnormal) are slow to calculate with, and a sound that falls silent would leave them here.
    if (Math.abs(firstSum) < 1e-100) firstSum = 0;
    if (Math.abs(secondSum) < 1e-100) secondSum = 0;
    samples[n] = output;
  }
}
