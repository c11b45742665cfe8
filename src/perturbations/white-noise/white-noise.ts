import { z } from 'zod';
import { energiesOf } from '../../audio/energies.ts';
import { gaussianNoise } from '../../audio/gaussian-noise.ts';
import { releaseSamples } from '../../audio/kept-samples.ts';
import { between } from '../../base/option-kinds.ts';
import type { Random } from '../../base/random.ts';
import { plainPerturbation } from '../contract.ts';
import { mixAtSnr, refuseSilence } from '../shared/signal-to-noise.ts';

/**
 * Adds white Gaussian noise. Signal-to-noise ratio: mean power of the whole clip, pauses included, to mean power of the
 * noise. The noise that was drawn is scaled to the power asked for, so that short clips get their ratio too, and not only
 * on average.
 */
export const whiteNoise = plainPerturbation({
  name: 'white-noise',
  version: 2,
  about: 'Adds an even hiss.',
  parameters: z.strictObject({
    snrDb: between(-60, 120).describe('Signal-to-noise ratio over the whole clip in decibels: lower is noisier'),
  }),
  random: true,
  identity: null,
  example: { snrDb: 10 },
  apply({ samples, sampleRate }, { snrDb }, { random }) {
    if (samples.length === 0) {
      return { clip: { samples: new Float32Array(0), sampleRate }, facts: { askedSnrDb: snrDb, achievedSnrDb: null } };
    }
    const { noise, energies } = audibleNoise(samples, random);
    refuseSilence('white-noise', energies.signal, snrDb);
    const { samples: noisy, achievedSnrDb, finite } = mixAtSnr(samples, noise, snrDb, energies);
    releaseSamples(noise);
    return { clip: { samples: noisy, sampleRate }, facts: { askedSnrDb: snrDb, achievedSnrDb }, finite };
  },
});

/** A single sample of noise may be 0: then it is drawn again. */
function audibleNoise(samples: Float32Array, random: Random) {
  for (;;) {
    const noise = gaussianNoise(samples.length, random);
    const energies = energiesOf(samples, noise);
    if (energies.noise > 0) return { noise, energies };
  }
}
