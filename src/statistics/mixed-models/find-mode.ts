import type { CountRows } from './count-data.ts';

/**
 * A speaker's most probable intercept, in standard deviations, by Newton's method: his log-likelihood together with the
 * normal density is concave. Steps are held to three units of the logarithm, since a longer one could overflow.
 *
 * @param means of each row for the middling speaker
 * @param from the speaker's first row
 * @param to the row behind his last
 * @param start where to begin: the mode at nearby parameters
 */
export function findMode(
  rows: CountRows,
  means: Float64Array,
  from: number,
  to: number,
  spread: number,
  dispersion: number,
  start: number,
): number {
  const { counts } = rows;
  let sum = 0;
  let total = 0;
  for (let row = from; row < to; row++) {
    sum += means[row]!;
    total += counts[row]!;
  }
  let mode = Number.isFinite(start) ? start : 0;
  const reach = 3 / spread;
  for (let round = 0; round < 200; round++) {
    const scale = Math.exp(spread * mode);
    let slope = 0;
    let information = 0;
    if (dispersion === 0) {
      information = sum * scale;
      slope = total - information;
    } else {
      for (let row = from; row < to; row++) {
        const mean = means[row]! * scale;
        const inflation = 1 + dispersion * mean;
        slope += (counts[row]! - mean) / inflation;
        information += (mean * (1 + dispersion * counts[row]!)) / (inflation * inflation);
      }
    }
    const step = (spread * slope - mode) / (1 + spread * spread * information);
    mode += Math.max(-reach, Math.min(reach, step));
    // The error after a Newton step is about the square of the step.
    if (!(Math.abs(step) > 1e-7 * (1 + Math.abs(mode)))) break;
  }
  return mode;
}
