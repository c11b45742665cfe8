import { addScaled, energyOf } from '../../audio/energies.ts';

/** A sound with noise in it, and what was done. */
export interface MixedSound {
  readonly samples: Float32Array;
  /** By which the noise was multiplied. */
  readonly noiseGain: number;
  /** Of what was added to the sound, before anything is cut off or rounded to 16 bits; null where nothing was. */
  readonly achievedSnrDb: number | null;
  readonly samplesBeyondFullScale: number;
}

/** One step of 16 bits. */
const step = 2 ** -15;

/**
 * Whether so much energy in so many samples is what rounding to 16 bits leaves of silence, with or without dither: made
 * louder until it is noise, it would be another noise than the file was meant to be.
 */
export function isSilence(energy: number, length: number): boolean {
  return energy <= length * step * step;
}

/**
 * Adds noise so that the ratio of the energies over the whole sound is the one asked for, pauses included; nothing is cut
 * off or made softer (torchaudio's `add_noise`).
 *
 * @param samples not silent
 * @param noise as many samples, not silent
 * @param energies of both, where they are known
 */
export function mixAtSnr(
  samples: Float32Array,
  noise: Float32Array,
  snrDb: number,
  energies = { signal: energyOf(samples), noise: energyOf(noise) },
): MixedSound {
  const noiseGain = Math.sqrt(energies.signal / energies.noise) * 10 ** (-snrDb / 20);
  const { samples: mixed, addedEnergy, samplesBeyondFullScale } = addScaled(samples, noise, noiseGain);
  return {
    samples: mixed,
    noiseGain,
    achievedSnrDb: addedEnergy > 0 ? 10 * Math.log10(energies.signal / addedEnergy) : null,
    samplesBeyondFullScale,
  };
}
