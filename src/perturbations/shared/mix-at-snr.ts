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

/** Sum of squares. Four sums side by side: one alone would wait for itself at every sample. */
export function energyOf(samples: Float32Array): number {
  const whole = samples.length - (samples.length % 4);
  let [first, second, third, fourth] = [0, 0, 0, 0];
  for (let n = 0; n < whole; n += 4) {
    const a = samples[n]!;
    const b = samples[n + 1]!;
    const c = samples[n + 2]!;
    const d = samples[n + 3]!;
    first += a * a;
    second += b * b;
    third += c * c;
    fourth += d * d;
  }
  for (let n = whole; n < samples.length; n++) first += samples[n]! * samples[n]!;
  return first + second + (third + fourth);
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
  const mixed = new Float32Array(samples.length);
  for (let n = 0; n < mixed.length; n++) mixed[n] = samples[n]! + noiseGain * noise[n]!;
  const { added, beyond } = whatWasAdded(samples, mixed);
  return {
    samples: mixed,
    noiseGain,
    achievedSnrDb: added > 0 ? 10 * Math.log10(energies.signal / added) : null,
    samplesBeyondFullScale: beyond,
  };
}

/** Energy of the difference, and samples beyond full scale. */
function whatWasAdded(before: Float32Array, after: Float32Array): { added: number; beyond: number } {
  const whole = before.length - (before.length % 2);
  let [first, second, beyond] = [0, 0, 0];
  for (let n = 0; n < whole; n += 2) {
    const a = after[n]!;
    const b = after[n + 1]!;
    const addedA = a - before[n]!;
    const addedB = b - before[n + 1]!;
    first += addedA * addedA;
    second += addedB * addedB;
    if (a > fullScale || a < -1) beyond++;
    if (b > fullScale || b < -1) beyond++;
  }
  if (whole < before.length) {
    const last = after[whole]!;
    first += (last - before[whole]!) ** 2;
    if (last > fullScale || last < -1) beyond++;
  }
  return { added: first + second, beyond };
}
