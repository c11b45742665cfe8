import { z } from 'zod';
import { resample } from '../../audio/resample.ts';
import { whole } from '../../base/option-kinds.ts';
import { plainPerturbation } from '../contract.ts';

/**
 * The rate that the steps behind it are made at. At its own rate a clip stays as it is; content above half the lower of the two rates is
 * gone, and none comes where there was none.
 */
export const sampleRate = plainPerturbation({
  name: 'sample-rate',
  version: 1,
  about: 'Sets the sample rate at which the steps behind it are made.',
  parameters: z.strictObject({
    rateHz: whole(4000, 192_000).describe('Samples per second of the clip that comes out'),
  }),
  random: false,
  identity: { rateHz: 16_000 },
  example: { rateHz: 8000 },
  apply(clip, { rateHz }) {
    return { clip: resample(clip, rateHz), facts: { fromHz: clip.sampleRate, toHz: rateHz } };
  },
});
