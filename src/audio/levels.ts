import { countFrom } from './ranges.ts';

/** Root mean square of samples, 1 at full scale. 0 for none at all, as for silence. */
export function rms(samples: Float32Array): number {
  if (samples.length === 0) return 0;
  let energy = 0;
  for (let n = 0; n < samples.length; n++) energy += samples[n]! * samples[n]!;
  return Math.sqrt(energy / samples.length);
}

/**
 * Level in decibels relative to full scale: 0 for a square wave that fills the range, -3.01 for such a sine. Null for
 * digital silence, which has none.
 *
 * @example levelDbfs(new Float32Array([0.1, -0.1])) // -20
 */
export function levelDbfs(samples: Float32Array): number | null {
  const level = rms(samples);
  return level > 0 ? 20 * Math.log10(level) : null;
}

/** From here on a sample is at full scale: the largest value that 16 bits can hold. */
export const fullScale = 32767 / 32768;

/** Share of samples at full scale or beyond, 0 to 1; 0 for no samples. */
export function clippedShare(samples: Float32Array): number {
  if (samples.length === 0) return 0;
  return countFrom(samples, fullScale) / samples.length;
}
