import { z } from 'zod';
import { groupBinsOption } from '../shared/attributes.ts';
import { whereOption } from '../shared/check-utterances.ts';
import { peopleOption } from '../shared/listeners.ts';
import { conditionsOption, drawsOption, intervalOptions, normalizerOption } from '../shared/options.ts';
import { ratingsOption } from '../shared/validity/ratings.ts';
import { validityOption } from '../shared/validity/validity.ts';

/** As findings name it, those of tables that somebody already has too. A change of a finding raises the version. */
export const study = { name: 'degradation', version: 17 };

const byRatings = ratingsOption.extend({
  per: z
    .enum(['case', 'condition'])
    .default('condition')
    .describe('Whether each perturbed clip passes by itself, or a condition as a whole'),
});

/** Options of the study `degradation`. */
export const degradationOptions = z.strictObject({
  conditions: conditionsOption
    .default(['aequevox/noise', 'aequevox/drop'])
    .describe(
      'Scenarios (ladder/family:rank), families, ladders, or your own conditions; the baseline is always included',
    ),
  baseline: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .default(null)
    .describe(
      'The condition against which degradation is measured; null: clean (profile aequevox: aequevox/original:1)',
    ),
  profile: z
    .enum(['sound', 'aequevox'])
    .default('sound')
    .describe('aequevox: its baseline, without the two scenarios that it excluded by name, and with its counts first'),
  wordErrors: z
    .boolean()
    .default(true)
    .describe('Whether word error rates are compared too, on utterances with a reference'),
  tolerances: z
    .array(z.number().min(0).max(10))
    .min(1)
    .max(20)
    .default([0.01, 0.05, 0.1, 0.15])
    .describe('A group whose degradation exceeds another’s by more counts as a violation (tau)'),
  ceiling: z
    .number()
    .positive()
    .max(10)
    .default(0.85)
    .describe(
      'Conditions with a greater mean distance (or word error rate) are left out: no group can degrade further there',
    ),
  validity: z
    .union([byRatings, validityOption])
    .nullable()
    .default(null)
    .describe(
      'Which clips count: scenarios that people understood (or your own listeners, by a table of ratings), or clips that a quality measure rates high enough',
    ),
  where: whereOption,
  groupBy: z
    .array(z.string().min(1))
    .max(32)
    .nullable()
    .default(null)
    .describe('Attributes whose values are compared; null: every attribute with 2 to 8 values'),
  bins: groupBinsOption,
  reference: z
    .record(z.string(), z.string())
    .default({})
    .describe(
      'The reference group of an attribute, with which the violations of the others are compared: { native: English }',
    ),
  people: peopleOption,
  normalizer: normalizerOption
    .unwrap()
    .nullable()
    .default(null)
    .describe(
      'Text normalizer: a name, or a module of your own (./mine.ts); null: by-language, or aequevox in the profile aequevox',
    ),
  draws: drawsOption,
  level: intervalOptions.level,
  resamples: intervalOptions.resamples,
  permutations: z.int().min(100).max(1_000_000).default(10_000).describe('Permutations of a test'),
  minimumSpeakers: intervalOptions.minimumSpeakers.describe(
    'A group with fewer speakers has no interval and no verdict',
  ),
});

export type DegradationOptions = z.infer<typeof degradationOptions>;
