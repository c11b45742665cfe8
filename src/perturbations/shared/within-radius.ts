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
