import type { PlainPerturbation } from '../contract.ts';
import { type PassFilterParameters, passFilter, passFilterParameters } from '../shared/effect-pairs.ts';

/** Butterworth low-pass of order 2, run forward and backward. */
export const lowPass: PlainPerturbation<PassFilterParameters> = {
  name: 'low-pass',
  version: 1,
  about: 'Takes away high frequencies, like a voice through a wall.',
  parameters: passFilterParameters,
  random: false,
  identity: null,
  example: { cutoffHz: 900 },
  apply: (clip, { cutoffHz }) => passFilter('low-pass', clip, cutoffHz),
};
