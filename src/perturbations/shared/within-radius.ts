import { EarwitnessError } from '../../base/errors.ts';

/**
 * Refuses what has no signal-to-noise ratio.
 *
 * @param energy of a clip that is not empty
 * @param silent what has no energy
 * @throws EarwitnessError `bad-input` where that is 0
 */
export function refuseSilence(perturbation: string, energy: number, snrDb: number, silent = 'it'): void {
  if (energy > 0) return;
  throw new EarwitnessError(
    'bad-input',
    `${perturbation}: expected a clip to change at ${snrDb} dB SNR, but ${silent} is digital silence, which has no signal-to-noise ratio; leave this clip out`,
  );
}

/** The sum of squares. */
export function squares(values: Float32Array | Float64Array): number {
  let sum = 0;
  for (let n = 0; n < values.length; n++) sum += values[n]! ** 2;
  return sum;
}

/** A sound with something added, cut at full scale. */
export function withAdded(sound: Float32Array, added: Float64Array): Float32Array {
  return sound.map((sample, n) => Math.max(-1, Math.min(1, sample + added[n]!)));
}

/**
 * Cuts a sound at full scale by what is added to it, and brings that within a radius (its L2 norm); in place.
 *
 * @param sound within [-1, 1]
 */
export function bringWithin(added: Float64Array, sound: Float32Array, radius: number): void {
  for (let n = 0; n < added.length; n++) {
    const sample = sound[n]!;
    added[n] = Math.max(-1, Math.min(1, sample + added[n]!)) - sample;
  }
  const norm = Math.sqrt(squares(added));
  if (norm <= radius) return;
  const scale = radius / norm;
  for (let n = 0; n < added.length; n++) added[n]! *= scale;
}

/** Ratio of the energies of a sound and of what it became by an addition, in decibels; null where nothing was added. */
export function achievedSnrDb(sound: Float32Array, heard: Float32Array): number | null {
  let energy = 0;
  for (let n = 0; n < heard.length; n++) energy += (heard[n]! - sound[n]!) ** 2;
  return energy === 0 ? null : 10 * Math.log10(squares(sound) / energy);
}
