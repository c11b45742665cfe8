import { z } from 'zod';
import { rms } from '../../audio/levels.ts';
import { peak } from '../../audio/samplewise.ts';
import { between, oneOf } from '../../base/option-kinds.ts';
import { plainPerturbation } from '../contract.ts';
import { cutPeaks } from '../shared/effect-pairs.ts';
import { samplewise } from '../shared/samplewise.ts';

/** An input that was driven too hard: everything beyond a level is cut off flat. The level is not brought back up. */
export const hardClip = plainPerturbation({
  name: 'hard-clip',
  version: 1,
  about: 'Cuts off whatever is louder than a level, as an overdriven input does.',
  parameters: z.strictObject({
    limitDb: between(-120, 60).describe('Where the sound is cut off, in decibels'),
    relativeTo: oneOf(['full-scale', 'peak', 'rms'])
      .default('peak')
      .describe('What 0 dB is: full scale, the loudest sample of the clip, or its root mean square'),
  }),
  random: false,
  identity: { limitDb: 0, relativeTo: 'peak' },
  example: { limitDb: -12, relativeTo: 'peak' },
  apply: samplewise(({ limitDb, relativeTo }, clip) => {
    const limit = 10 ** (limitDb / 20);
    if (relativeTo === 'full-scale') return cutPeaks(limit);
    return clip && cutPeaks((relativeTo === 'peak' ? peak : rms)(clip.samples) * limit);
  }),
});
