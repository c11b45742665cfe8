import { z } from 'zod';
import { normalizerOption } from '../shared/normalizer-option.ts';
import { numericBinsOption } from '../shared/numeric-bins.ts';
import { cardOption } from './card.ts';

const coverageOptions = z
  .strictObject({
    attributes: z
      .array(z.string().min(1))
      .min(1)
      .max(8)
      .describe('Attributes whose combinations should be covered: sex, age, accent, recordingDevice, …'),
    ways: z
      .int()
      .min(1)
      .max(3)
      .optional()
      .describe('How many attributes a combination has. Default: 2, or 1 where one attribute is named.'),
    by: z.enum(['clips', 'speakers', 'hours']).default('speakers').describe('What is counted for the minimum.'),
    minimum: z
      .number()
      .positive()
      .default(10)
      .describe('A combination with less is not covered. FairLENS does not state its own.'),
    bins: numericBinsOption
      .optional()
      .describe(
        'Ranges of numeric attributes: fairlens or casual-conversations (ages), or the numbers at which a new range begins.',
      ),
    corpusBy: z
      .string()
      .min(1)
      .max(200)
      .nullable()
      .default(null)
      .describe('The attribute that tells corpora apart, whose coverage then stands side by side; null: all as one'),
    values: z
      .record(z.string(), z.array(z.string().min(1)).min(1))
      .optional()
      .describe('Values that should occur, by attribute, also where none does yet. Default: those that occur.'),
  })
  .refine(({ attributes }) => new Set(attributes).size === attributes.length, {
    message: 'expected attributes, each named once',
    path: ['attributes'],
  })
  .refine(({ attributes, ways = 1 }) => ways <= attributes.length, {
    message: 'expected at least so many attributes as a combination has',
    path: ['ways'],
  });

export type CoverageStudyOptions = z.infer<typeof coverageOptions>;

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
  coverage: coverageOptions
    .optional()
    .describe(
      'Which combinations of attributes have enough speakers, clips or hours, how evenly they are filled, and what to record next.',
    ),
  card: cardOption.optional(),
});

export type CorpusStudyOptions = z.infer<typeof corpusStudyOptions>;
