import { releaseSamples } from '../release-samples.ts';
import type { Biquad } from './butterworth.ts';

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
