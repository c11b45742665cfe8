import { z } from 'zod';
import { fitLength } from '../../audio/fit-length.ts';
import { resample } from '../../audio/resample.ts';
import { shortestWsolaSamples, wsola } from '../../audio/wsola.ts';
import { EarwitnessError } from '../../base/errors.ts';
import type { PlainPerturbation } from '../contract.ts';
import { highBand } from './high-band.ts';
import { shapedNoise } from './shaped-noise.ts';

type ToneParameters = { readonly pitchFactor: number; readonly repair: 'lowered' | 'raised' | 'none' };

/**
 * Another pitch at the same length, as SR-MT made it: WSOLA in pieces of 10 ms, then resampled to the length it had. Its
 * factor r is the speech rate of that WSOLA: the pitch is multiplied by 1 / r.
 *
 * A lowered pitch leaves the top of the band empty. It is repaired with the high part of the voice, spoken again without
 * pitch. SR-MT's program asks whether r is below 1, which in the class it is taken from means lowered but here means
 * raised; that is `repair: 'raised'`, and doubles what is there already.
 */
export const tone: PlainPerturbation<ToneParameters> = {
  name: 'tone',
  version: 1,
  about: 'Speaks higher or lower at the same tempo, in pieces of 10 ms.',
  parameters: z.strictObject({
    pitchFactor: z.number().min(0.5).max(2).describe('Pitch: 2 is an octave higher; 1 / r of the factor r of SR-MT'),
    repair: z
      .enum(['lowered', 'raised', 'none'])
      .default('lowered')
      .describe(
        'When noise like the voice is added in the high part of the band: where the pitch is lowered, or raised',
      ),
  }),
  random: true,
  identity: { pitchFactor: 1, repair: 'lowered' },
  example: { pitchFactor: 0.8, repair: 'lowered' },
  apply(clip, { pitchFactor, repair }, { random }) {
    const { samples, sampleRate } = clip;
    const repaired = (repair === 'lowered' && pitchFactor < 1) || (repair === 'raised' && pitchFactor > 1);
    const facts = { pitchFactor, repaired };
    if (samples.length === 0 || pitchFactor === 1) {
      return { clip: { samples: samples.slice(), sampleRate }, facts: { ...facts, silentEndSeconds: 0 } };
    }
    if (sampleRate < 200) {
      throw new EarwitnessError(
        'bad-input',
        `tone: expected a sound of at least 200 samples per second, but it has ${sampleRate}; leave this sound out`,
      );
    }
    const shortest = shortestWsolaSamples(sampleRate, 1 / pitchFactor);
    if (samples.length < shortest) {
      throw new EarwitnessError(
        'bad-input',
        `tone: expected a sound of at least ${shortest} samples (${(shortest / sampleRate).toFixed(3)} s), but it has ${samples.length}; leave this sound out`,
      );
    }
    const stretched = wsola(samples, sampleRate, 1 / pitchFactor);
    const played = { samples: stretched.samples, sampleRate: sampleRate * pitchFactor };
    const changed = fitLength(resample(played, sampleRate).samples, samples.length);
    if (repaired) {
      const high = highBand(shapedNoise(clip, random), Math.min(pitchFactor, 1 / pitchFactor));
      for (let n = 0; n < changed.length; n++) changed[n] = changed[n]! + high[n]!;
    }
    const silentEndSeconds = (stretched.samples.length - stretched.endOut) / played.sampleRate;
    return { clip: { samples: changed, sampleRate }, facts: { ...facts, silentEndSeconds } };
  },
};
