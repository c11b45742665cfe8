import { z } from 'zod';
import { peak, scaling } from '../../audio/samplewise.ts';
import { plainPerturbation } from '../contract.ts';
import { samplewise } from '../shared/samplewise.ts';

/**
 * Makes a sound softer as a whole where its largest value is beyond a limit, and leaves it alone where it is not: for the
 * end of steps that make louder, so that nothing is cut off when the sound is heard or written.
 */
export const peakGuard = plainPerturbation({
  name: 'peak-guard',
  version: 1,
  about: 'Makes a sound that is too loud softer as a whole, so that no peak is cut off.',
  parameters: z.strictObject({
    limit: z.number().gt(0).max(1).default(1).describe('Largest absolute value that is left, 1 is full scale'),
  }),
  random: false,
  identity: { limit: 1 },
  example: { limit: 0.25 },
  apply: samplewise(({ limit }, clip) => {
    if (clip === null) return null;
    const peakBefore = peak(clip.samples);
    const factor = peakBefore > limit ? limit / peakBefore : 1;
    return { change: scaling(factor), facts: () => ({ peakBefore, factor }) };
  }),
});
