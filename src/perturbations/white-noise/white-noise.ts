import { z } from 'zod';
import { rms } from '../../audio/levels.ts';
import { EarwitnessError } from '../../base/errors.ts';
import type { PlainPerturbation } from '../contract.ts';

type WhiteNoiseParameters = { readonly snrDb: number };

/**
 * Adds white Gaussian noise. Signal-to-noise ratio: mean power of the whole clip, pauses included, to mean power of the
 * noise. The noise that was drawn is scaled to the power asked for, so that short clips get their ratio too, and not only
 * on average.
 */
export const whiteNoise: PlainPerturbation<WhiteNoiseParameters> = {
  name: 'white-noise',
  version: 1,
  about: 'Adds an even hiss.',
  parameters: z.strictObject({
    snrDb: z
      .number()
      .min(-60)
      .max(120)
      .describe('Signal-to-noise ratio over the whole clip in decibels: lower is noisier'),
  }),
  random: true,
  identity: null,
  example: { snrDb: 10 },
  apply({ samples, sampleRate }, { snrDb }, { random }) {
    const signalLevel = rms(samples);
    if (signalLevel === 0 && samples.length > 0) {
      throw new EarwitnessError(
        'bad-input',
        `white-noise: expected a sound to set noise ${snrDb} dB against, but it is digital silence, which has no signal-to-noise ratio; leave this sound out`,
      );
    }
    const noise = new Float32Array(samples.length);
    for (let n = 0; n < noise.length; n++) noise[n] = random.normal();
    const drawnLevel = rms(noise);
    const scale = drawnLevel > 0 ? signalLevel / 10 ** (snrDb / 20) / drawnLevel : 0;
    const noisy = new Float32Array(samples.length);
    for (let n = 0; n < noisy.length; n++) noisy[n] = samples[n]! + scale * noise[n]!;
    return {
      clip: { samples: noisy, sampleRate },
      facts: { askedSnrDb: snrDb, achievedSnrDb: measuredSnrDb(samples, noisy) },
    };
  },
};

/** Null where nothing was added, or where there is no sound to which it could have been. */
function measuredSnrDb(before: Float32Array, after: Float32Array): number | null {
  const signalLevel = rms(before);
  const added = new Float32Array(before.length);
  for (let n = 0; n < added.length; n++) added[n] = after[n]! - before[n]!;
  const noiseLevel = rms(added);
  return signalLevel > 0 && noiseLevel > 0 ? 20 * Math.log10(signalLevel / noiseLevel) : null;
}
