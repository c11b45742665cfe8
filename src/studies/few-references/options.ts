import { z } from 'zod';
import { groupBinsOption } from '../shared/attributes.ts';
import { intervalOptions, normalizerOption } from '../shared/options.ts';

const attributeName = z.string().min(1).max(200);

/** Options of the study `few-references`. */
export const fewReferencesOptions = z.strictObject({
  verdict: z
    .enum(['distance', 'majority', 'confidence'])
    .default('distance')
    .describe(
      'What replaces errors where there is no reference: mean edits against the other recognizers, edits against the words that most of them have, or missing confidence',
    ),
  judges: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(64)
    .nullable()
    .default(null)
    .describe('Recognizers whose transcripts the verdicts are made from; null: all others'),
  groupBy: z
    .array(attributeName)
    .max(16)
    .nullable()
    .default(null)
    .describe('Attributes whose values are compared; null: every attribute with 2 to 8 values'),
  bins: groupBinsOption,
  reference: z
    .record(z.string(), z.string())
    .default({})
    .describe(
      'The value that others of an attribute are compared with: { native: English }; else that of most speakers',
    ),
  share: z
    .number()
    .gt(0)
    .max(1)
    .default(1)
    .describe(
      'Share of the references to use, drawn at random: the others are hidden, and the rates by all references are shown for comparison, to try how few are enough',
    ),
  strata: z
    .array(attributeName)
    .max(4)
    .default([])
    .describe(
      'Attributes by which more of some recordings than of others were drawn for transcription; else at random',
    ),
  next: z.int().min(0).max(1000).default(50).describe('How many recordings to name that should be transcribed next'),
  normalizer: normalizerOption.describe('Text normalizer: a name, or a module of your own (./mine.ts)'),
  level: intervalOptions.level,
  minimumSpeakers: intervalOptions.minimumSpeakers.describe(
    'With transcribed recordings of fewer speakers there is no interval and no verdict',
  ),
});

export type FewReferencesOptions = z.output<typeof fewReferencesOptions>;
