import { z } from 'zod';
import { flag, list, nonEmpty, oneOf, orNull, whole } from '../../base/option-kinds.ts';
import { numericBinsOption } from '../shared/attributes.ts';
import { peopleOption } from '../shared/listeners.ts';
import { conditionsOption, intervalOptions, normalizerOption } from '../shared/options.ts';

const pair = z.strictObject({
  of: z
    .tuple([nonEmpty(200), nonEmpty(200)])
    .describe('The attributes of the two speakers: [speaker1Sex, speaker2Sex]'),
  mixed: flag(false).describe('Whether two speakers who differ make a group of their own (Female-Male), or are Other'),
});

/** Options of the study `disparity`. */
export const disparityOptions = z
  .strictObject({
    attributes: orNull(list(nonEmpty(200), 1, 8)).describe(
      'Attributes whose values make groups; null: every attribute with 2 to 8 values, at most 8 of them',
    ),
    orders: orNull(list(whole(1, 3), 1, 3)).describe(
      'How many attributes a group is made of: 1 for women, 2 for young women; null: 1 and 2, in profile fairlens 2 alone',
    ),
    bins: numericBinsOption
      .default({})
      .describe(
        'Ranges of numeric attributes: fairlens or casual-conversations (ages), or the numbers at which a new range begins',
      ),
    pairs: z
      .record(nonEmpty(200), pair)
      .default({})
      .describe('Attributes of dialogues, made from those of both speakers: {sex: {of: [sex1, sex2], mixed: true}}'),
    values: z
      .record(z.string(), list(nonEmpty(), 1))
      .default({})
      .describe('The values of an attribute that are kept apart; all others become Other'),
    other: z
      .array(nonEmpty())
      .default(['Other'])
      .describe('Values that are shown but never counted in a disparity, and never tested'),
    minimumSpeakers: intervalOptions.minimumSpeakers.describe(
      'A smaller group is shown with its counts, but has no interval and no test, and is not counted in a disparity',
    ),
    profile: oneOf(['sound', 'fairlens'])
      .default('sound')
      .describe(
        'How recognizers are compared: by paired tests with corrections, or by overlap of intervals and uncorrected W-tests as in FairLENS',
      ),
    baseline: oneOf(['pooled', 'unweighted'])
      .default('pooled')
      .describe('What disparities are measured from: the rate of all words, or the plain mean over the groups'),
    domains: orNull(
      z.strictObject({
        attribute: nonEmpty(200).describe('The attribute that distinguishes the recordings: environment'),
        values: list(nonEmpty(200), 2, 8).describe(
          'Its values, the one that others are compared with first: [indoor, outdoor]',
        ),
      }),
    ).describe('Recordings in which the same groups are compared; null: none'),
    conditions: conditionsOption
      .max(8)
      .default([])
      .describe(
        'Scenarios (ladder/family:rank), or conditions of your own, in which the same groups are compared with clean audio',
      ),
    model: flag(true).describe(
      'Whether a mixed-effects regression with speakers is fitted too: gaps as ratios, other attributes held',
    ),
    people: peopleOption,
    normalizer: normalizerOption.describe('Text normalizer: a name, or a module of your own (./mine.ts)'),
    permutations: whole(1000, 1_000_000)
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
