import { z } from 'zod';
import { list, nonEmpty, oneOf, orNull, positive, whole } from '../../base/option-kinds.ts';
import { conditionsOption, drawsOption, intervalOptions, normalizerOption, stepsOption } from '../shared/options.ts';
import { ratingsOption } from '../shared/validity/ratings.ts';
import { validityOption } from '../shared/validity/validity.ts';

const ownLadder = z.strictObject({
  name: nonEmpty(64).describe('First part of its scenarios’ names'),
  about: z.string().default('').describe('One sentence for the report'),
  source: z.string().default('the config').describe('Where the severities come from'),
  families: z
    .array(
      z.strictObject({
        name: nonEmpty(64).describe('Second part of its scenarios’ names'),
        about: z.string().default('').describe('Description of the audible effect'),
        axis: z.string().default('severity').describe('What the labels measure: SNR (dB)'),
        rungs: list(
          z.strictObject({
            label: nonEmpty(100).describe('The severity, as charts show it'),
            steps: stepsOption.describe('Perturbations of the clip, in order'),
          }),
          1,
        ).describe('From the mildest to the most destructive'),
      }),
    )
    .describe('Families of scenarios'),
});

const recordedScenario = z.strictObject({
  name: nonEmpty(100).describe('Unique among the conditions'),
  where: z
    .record(z.string(), z.union([z.string(), list(z.string(), 1)]))
    .refine((where) => Object.keys(where).length > 0, 'expected at least one attribute')
    .describe('Its utterances: attributes and their values; `tag`, `language` and `speaker` count as attributes'),
  category: nonEmpty(100).default('recorded').describe('What it is averaged with: accent, social (far field)'),
  baseline: orNull(nonEmpty(200)).describe(
    'The clean corpus it is compared with; null: the only one of its language (profile srb: the best one; srb-paper: LibriSpeech or MLS)',
  ),
  difficulty: orNull(z.union([positive(), nonEmpty(100)])).describe(
    'Points, or where the published table has them: common_voice/accent',
  ),
});

const byRatings = ratingsOption.extend({
  per: oneOf(['case', 'condition'])
    .default('condition')
    .describe('Whether each perturbed clip passes by itself, or a condition on a corpus as a whole'),
});

/** Options of the study `robustness`. */
export const robustnessOptions = z.strictObject({
  conditions: conditionsOption
    .default(['aequevox/noise', 'aequevox/drop'])
    .describe(
      'Scenarios (ladder/family:rank), families, ladders, or conditions of your own; clean is always included; srb/pgd and srb/universal_adv, which srb alone does not stand for, make sounds against each recognizer that can be looked into',
    ),
  ladders: z.array(ownLadder).default([]).describe('Ladders of your own, for this study alone'),
  recorded: list(recordedScenario, 0, 100)
    .default([])
    .describe('Recordings that are a scenario by themselves (accents, meetings, synthetic voices), used unchanged'),
  attackSteps: whole(1, 10_000)
    .default(100)
    .describe('How often the attacks srb/pgd follow the gradient, where conditions name them: 100 in the benchmark'),
  fitSpeakers: z
    .union([z.number().gt(0).lt(1), list(nonEmpty(), 1, 10_000)])
    .default(0.5)
    .describe(
      'Speakers that srb/universal_adv is fitted on, by name or as a share that the seed draws; they are not heard in it',
    ),
  profile: oneOf(['sound', 'srb', 'srb-paper'])
    .default('sound')
    .describe('How scenarios are averaged: soundly, as the program of Speech Robust Bench does, or as its paper says'),
  categories: z
    .record(z.string(), nonEmpty(100))
    .default({})
    .describe('Categories by condition, family or ladder; families of srb and earwitness have those of the benchmark'),
  corpusBy: nonEmpty(200)
    .default('corpus')
    .describe('The attribute that distinguishes corpora; rates of different corpora are averaged, not pooled'),
  difficulties: z
    .union([oneOf(['srb', 'srb-table-3', 'measured']), z.record(z.string(), positive())])
    .nullable()
    .default('srb')
    .describe(
      'What normalized rates are divided by: the published points by corpus as the program has them (srb) or over all corpora as Table 3 of the paper prints them (srb-table-3), points measured on this run’s clips by dnsmos and pesq (measured), your own by scenario, or null for none',
    ),
  validity: orNull(z.union([byRatings, validityOption])).describe(
    'Which perturbed clips are intelligible enough to count; results are given with and without the others',
  ),
  normalizer: orNull(normalizerOption.unwrap()).describe(
    'Text normalizer: a name, or a module of your own (./mine.ts); null: by-language, in the profiles srb and srb-paper srb',
  ),
  draws: drawsOption,
  repeats: whole(1, 1000).default(1).describe('Number of recognitions of each clip by each recognizer'),
  ...intervalOptions,
  pairs: list(z.tuple([nonEmpty(200), nonEmpty(200)]), 0, 100)
    .default([])
    .describe(
      'Recognizers that were to be compared before anything was seen, two and two: [[old, new]]. On clean audio and over all scenarios they make a family of their own, with half of the error, so that the other pairs cost them less',
    ),
  groupBy: orNull(list(nonEmpty(), 0, 32)).describe(
    'Attributes whose values are compared; null: every attribute with 2 to 8 values',
  ),
});

export type RobustnessOptions = z.infer<typeof robustnessOptions>;
