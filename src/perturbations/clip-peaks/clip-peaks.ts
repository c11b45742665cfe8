import { z } from 'zod';
import { limiting } from '../../audio/samplewise.ts';
import { plainPerturbation } from '../contract.ts';
import { samplewise } from '../shared/samplewise.ts';

/** Cuts peaks off at a limit. What is left is not made louder again, so the loudness falls with the limit. */
export const clipPeaks = plainPerturbation({
  name: 'clip-peaks',
  version: 1,
  about: 'Cuts off everything louder than a limit, like an overdriven microphone; the sound is not made louder again.',
  parameters: z.strictObject({
    limit: z.number().gt(0).max(1).describe('Largest absolute value that is left, 1 is full scale'),
  }),
  random: false,
  identity: { limit: 1 },
  example: { limit: 0.05 },
  apply: samplewise(({ limit }) => ({
    change: limiting(limit),
    facts: (clippedSamples, samples) => ({
      clippedSamples,
      clippedShare: samples === 0 ? null : clippedSamples / samples,
    }),
  })),
});
