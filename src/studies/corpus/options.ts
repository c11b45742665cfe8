import { z } from 'zod';
import { normalizerOption } from '../shared/normalizer-option.ts';

/** Options of the study `corpus`. */
export const corpusStudyOptions = z.strictObject({
  normalizer: normalizerOption.describe(
    'What makes words of the references: a name, or a module of your own (./mine.ts).',
  ),
  mostWordsPerSecond: z
    .number()
    .positive()
    .default(6)
    .describe(
      'More words a second than this (and one word more, for short clips) are too many for the sound. Fast readers of English reach about 5.',
    ),
  fewestWordsPerSecond: z
    .number()
    .min(0)
    .default(0.25)
    .describe('Fewer words a second than this are too few for the sound: one word in four seconds.'),
  quietDbfs: z
    .number()
    .max(0)
    .default(-50)
    .describe('Sound below this level (root mean square, dB of full scale) is very quiet.'),
  mostClippedShare: z
    .number()
    .min(0)
    .max(1)
    .default(0.01)
    .describe('Sound with a larger share of samples at full scale is clipped.'),
});

export type CorpusStudyOptions = z.infer<typeof corpusStudyOptions>;
