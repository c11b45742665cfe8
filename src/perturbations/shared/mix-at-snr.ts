import { fullScale } from '../../audio/levels.ts';

/** A sound with noise in it, and what was done. */
export interface MixedSound {
  readonly samples: Float32Array;
  /** By which the noise was multiplied. */
  readonly noiseGain: number;
  /** Of what was added to the sound, before anything is cut off or rounded to 16 bits; null where nothing was. */
  readonly achievedSnrDb: number | null;
  readonly samplesBeyondFullScale: number;
}

/** Sum of squares. */
export function energyOf(samples: Float32Array): number {
  let energy = 0;
  for (let n = 0; n < samples.length; n++) energy += samples[n]! * samples[n]!;
  return energy;
}

/**
 * Adds noise so that the ratio of the energies over the whole sound is the one asked for, pauses included; nothing is cut
 * off or made softer (torchaudio's `add_noise`).
 *
 * @param noise as many samples, not silent
 * @param samples not silent
 */
export function mixAtSnr(samples: Float32Array, noise: Float32Array, snrDb: number): MixedSound {
  const signal = energyOf(samples);
  const noiseGain = Math.sqrt(signal / energyOf(noise)) * 10 ** (-snrDb / 20);
  const mixed = new Float32Array(samples.length);
  let added = 0;
  let beyond = 0;
  for (let n = 0; n < mixed.length; n++) {
    const sample = samples[n]!;
    mixed[n] = sample + noiseGain * noise[n]!;
    const sum = mixed[n]!;
    added += (sum - sample) * (sum - sample);
    if (sum > fullScale || sum < -1) beyond++;
  }
  return {
    samples: mixed,
    noiseGain,
    achievedSnrDb: added > 0 ? 10 * Math.log10(signal / added) : null,
    samplesBeyondFullScale: beyond,
  };
}
