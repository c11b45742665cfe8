import type { Random } from '../base/random.ts';
import type { Clip } from './clip.ts';
import { gaussianNoise } from './gaussian-noise.ts';

/**
 * A clip with noise that follows its own amplitude, as the modulated noise reference unit of ITU-T P.810 adds it (without its filters): y = x (1 + 10^(-Q/20) n), n being
 * white noise of power 1. ITU-T P.800 takes it as an anchor that is known to be bad.
 *
 * @param ratioDb speech over noise (Q)
 * @example addModulatedNoise(clip, 5, createRandom('an anchor'))
 */
export function addModulatedNoise({ samples, sampleRate }: Clip, ratioDb: number, random: Random): Clip {
  const noise = gaussianNoise(samples.length, random);
  const gain = 10 ** (-ratioDb / 20);
  return { samples: samples.map((sample, n) => sample * (1 + gain * noise[n]!)), sampleRate };
}
