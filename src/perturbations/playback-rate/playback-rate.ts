import { z } from 'zod';
import { durationSeconds } from '../../audio/clip.ts';
import { InapplicableStep } from '../../base/errors.ts';
import { between } from '../../base/option-kinds.ts';
import { plainPerturbation } from '../contract.ts';

/**
 * Plays the same samples at another rate, like a tape: tempo and pitch change together. The samples are untouched, only
 * the sample rate changes, to a whole number; who needs a certain rate resamples afterwards.
 */
export const playbackRate = plainPerturbation({
  name: 'playback-rate',
  version: 1,
  about: 'Plays faster and higher, or slower and lower, like a tape at another speed.',
  parameters: z.strictObject({
    factor: between(0.1, 10).describe('Speed: 0.5 takes twice as long and is an octave lower'),
  }),
  random: false,
  identity: { factor: 1 },
  example: { factor: 0.9 },
  apply(clip, { factor }) {
    const { samples } = clip;
    // A billionth more, because a product such as 16000 * 0.7 may come out just below the whole number that is meant.
    const sampleRate = Math.floor(clip.sampleRate * factor + 1e-9 * clip.sampleRate);
    if (sampleRate < 1) {
      throw new InapplicableStep(
        `playback-rate: expected a clip of at least ${Math.ceil(1 / factor)} samples per second, but it has ${clip.sampleRate}; leave this clip out`,
      );
    }
    const changed = { samples: samples.slice(), sampleRate };
    const end = [durationSeconds(changed), durationSeconds(clip)] as const;
    return { clip: changed, facts: { sampleRate }, timeMap: samples.length === 0 ? [[0, 0]] : [[0, 0], end] };
  },
});
