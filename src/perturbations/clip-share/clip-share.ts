import { z } from 'zod';
import type { PlainPerturbation } from '../contract.ts';
import { cutPeaks } from '../shared/cut-peaks.ts';
import { magnitudeAtRank } from './magnitude-at-rank.ts';

type ClipShareParameters = { readonly share: number };

/**
 * Hard clipping of a stated share of the samples, whatever the level of the sound. So many of the loudest samples are cut
 * off at the size of the next softer one; where that size comes more than once, fewer are.
 */
export const clipShare: PlainPerturbation<ClipShareParameters> = {
  name: 'clip-share',
  version: 1,
  about: 'Cuts off the loudest samples, a stated share of them, as an overdriven input does.',
  parameters: z.strictObject({
    share: z.number().min(0).max(0.99).describe('Share of the samples that is cut off, rounded to whole samples'),
  }),
  random: false,
  identity: { share: 0 },
  example: { share: 0.05 },
  apply(clip, { share }) {
    const { samples } = clip;
    const louder = Math.min(Math.round(share * samples.length), samples.length - 1);
    const { clip: cut, facts } = cutPeaks(clip, samples.length === 0 ? 1 : magnitudeAtRank(samples, louder));
    return { clip: cut, facts: { askedShare: share, ...facts } };
  },
};
