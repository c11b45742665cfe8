import type { Biquad } from './butterworth.ts';

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
