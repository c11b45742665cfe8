import { z } from 'zod';
import { numericBinsOption } from '../shared/attributes.ts';
import { peopleOption } from '../shared/listeners.ts';
import { conditionsOption, intervalOptions, normalizerOption } from '../shared/options.ts';

const pair = z.strictObject({
  of: z
    .tuple([z.string().min(1).max(200), z.string().min(1).max(200)])
    .describe('The attributes of the two speakers: [speaker1Sex, speaker2Sex]'),
  mixed: z
    .boolean()
    .default(false)
    .describe('Whether two speakers who differ make a group of their own (Female-Male), or are Other'),
});

/** Options of the study `disparity`. */
export const disparityOptions = z
  .strictObject({
    attributes: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(8)
      .nullable()
      .default(null)
      .describe('Attributes whose values make groups; null: every attribute with 2 to 8 values, at most 8 of them'),
    orders: z
      .array(z.int().min(1).max(3))
      .min(1)
      .max(3)
      .nullable()
      .default(null)
      .describe(
        'How many attributes a group is made of: 1 for women, 2 for young women; null: 1 and 2, in profile fairlens 2 alone',
      ),
    bins: numericBinsOption
      .default({})
      .describe(
        'Ranges of numeric attributes: fairlens or casual-conversations (ages), or the numbers at which a new range begins',
      ),
    pairs: z
      .record(z.string().min(1).max(200), pair)
      .default({})
      .describe('Attributes of dialogues, made from those of both speakers: {sex: {of: [sex1, sex2], mixed: true}}'),
    values: z
      .record(z.string(), z.array(z.string().min(1)).min(1))
      .default({})
      .describe('The values of an attribute that are kept apart; all others become Other'),
    other: z
      .array(z.string().min(1))
      .default(['Other'])
      .describe('Values that are shown but never counted in a disparity, and never tested'),
    minimumSpeakers: intervalOptions.minimumSpeakers.describe(
      'A smaller group is shown with its counts, but has no interval and no test, and is not counted in a disparity',
    ),
    profile: z
      .enum(['sound', 'fairlens'])
      .default('sound')
      .describe(
        'How recognizers are compared: by paired tests with corrections, or by overlap of intervals and uncorrected W-tests as in FairLENS',
      ),
    baseline: z
      .enum(['pooled', 'unweighted'])
      .default('pooled')
      .describe('What disparities are measured from: the rate of all words, or the plain mean over the groups'),
    domains: z
      .strictObject({
        attribute: z.string().min(1).max(200).describe('The attribute that distinguishes the recordings: environment'),
        values: z
          .array(z.string().min(1).max(200))
          .min(2)
          .max(8)
          .describe('Its values, the one that others are compared with first: [indoor, outdoor]'),
      })
      .nullable()
      .default(null)
      .describe('Recordings in which the same groups are compared; null: none'),
    conditions: conditionsOption
      .max(8)
      .default([])
      .describe(
        'Scenarios (ladder/family:rank), or conditions of your own, in which the same groups are compared with clean audio',
      ),
    model: z
      .boolean()
      .default(true)
      .describe(
        'Whether a mixed-effects regression with speakers is fitted too: gaps as ratios, other attributes held',
      ),
    people: peopleOption,
    normalizer: normalizerOption.describe('Text normalizer: a name, or a module of your own (./mine.ts)'),
    permutations: z
      .int()
      .min(1000)
      .max(1_000_000)
      .default(10_000)
      .describe('Number of permutations of attributes among speakers for a test'),
    level: intervalOptions.level,
    resamples: intervalOptions.resamples,
  })
  .refine(({ attributes }) => attributes === null || new Set(attributes).size === attributes.length, {
    message: 'expected attributes, each named once',
    path: ['attributes'],
  })
  .refine(({ domains, conditions }) => domains === null || conditions.length === 0, {
    message: 'expected domains or conditions, not both: one compares recordings, the other conditions',
    path: ['domains'],
  })
  .refine(({ domains }) => domains === null || new Set(domains.values).size === domains.values.length, {
    message: 'expected values, each named once',
    path: ['domains', 'values'],
  });

export type DisparityOptions = z.infer<typeof disparityOptions>;
