import type { PlainPerturbation } from '../contract.ts';
import { type PassFilterParameters, passFilter, passFilterParameters } from '../shared/effect-pairs.ts';

/** Butterworth high-pass of order 2, run forward and backward. */
export const highPass: PlainPerturbation<PassFilterParameters> = {
  name: 'high-pass',
  version: 1,
  about: 'Takes away low frequencies, like a tiny loudspeaker.',
  parameters: passFilterParameters,
  random: false,
  identity: null,
  example: { cutoffHz: 500 },
  apply: (clip, { cutoffHz }) => passFilter('high-pass', clip, cutoffHz),
};
