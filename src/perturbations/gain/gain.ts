import { z } from 'zod';
import { scaling } from '../../audio/samplewise.ts';
import { between } from '../../base/option-kinds.ts';
import { plainPerturbation } from '../contract.ts';
import { samplewise } from '../shared/samplewise.ts';

/** Multiplies every sample. Nothing is limited: values beyond full scale stay until a later step or the file ends them. */
export const gain = plainPerturbation({
  name: 'gain',
  version: 1,
  about: 'Makes the clip louder or softer.',
  parameters: z.strictObject({
    factor: between(0, 1000).describe('What each sample is multiplied by: 0.5 is 6 dB softer, 2 is 6 dB louder'),
  }),
  random: false,
  identity: { factor: 1 },
  example: { factor: 0.5 },
  apply: samplewise(({ factor }) => ({ change: scaling(factor), facts: (peak) => ({ peak }) })),
});
