import { z } from 'zod';
import { conditionsOption, drawsOption, intervalOptions, normalizerOption, stepsOption } from '../shared/options.ts';
import { ratingsOption } from '../shared/validity/ratings.ts';
import { validityOption } from '../shared/validity/validity.ts';

const ownLadder = z.strictObject({
  name: z.string().min(1).max(64).describe('First part of its scenarios’ names'),
  about: z.string().default('').describe('One sentence for the report'),
  source: z.string().default('the config').describe('Where the severities come from'),
  families: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(64).describe('Second part of its scenarios’ names'),
        about: z.string().default('').describe('Description of the audible effect'),
        axis: z.string().default('severity').describe('What the labels measure: SNR (dB)'),
        rungs: z
          .array(
            z.strictObject({
              label: z.string().min(1).max(100).describe('The severity, as charts show it'),
              steps: stepsOption.describe('Perturbations of the clip, in order'),
            }),
          )
          .min(1)
          .describe('From the mildest to the most destructive'),
      }),
    )
    .describe('Families of scenarios'),
});

const recordedScenario = z.strictObject({
  name: z.string().min(1).max(100).describe('Unique among the conditions'),
  where: z
    .record(z.string(), z.union([z.string(), z.array(z.string()).min(1)]))
    .refine((where) => Object.keys(where).length > 0, 'expected at least one attribute')
    .describe('Its utterances: attributes and their values; `tag`, `language` and `speaker` count as attributes'),
  category: z
    .string()
    .min(1)
    .max(100)
    .default('recorded')
    .describe('What it is averaged with: accent, social (far field)'),
  baseline: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .default(null)
    .describe(
      'The clean corpus it is compared with; null: the only one of its language (profile srb: the best one; srb-paper: LibriSpeech or MLS)',
    ),
  difficulty: z
    .union([z.number().positive(), z.string().min(1).max(100)])
    .nullable()
    .default(null)
    .describe('Points, or where the published table has them: common_voice/accent'),
});

const byRatings = ratingsOption.extend({
  per: z
    .enum(['case', 'condition'])
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
  recorded: z
    .array(recordedScenario)
    .max(100)
    .default([])
    .describe('Recordings that are a scenario by themselves (accents, meetings, synthetic voices), used unchanged'),
  attackSteps: z
    .int()
    .min(1)
    .max(10_000)
    .default(100)
    .describe('How often the attacks srb/pgd follow the gradient, where conditions name them: 100 in the benchmark'),
  fitSpeakers: z
    .union([z.number().gt(0).lt(1), z.array(z.string().min(1)).min(1).max(10_000)])
    .default(0.5)
    .describe(
      'Speakers that srb/universal_adv is fitted on, by name or as a share that the seed draws; they are not heard in it',
    ),
  profile: z
    .enum(['sound', 'srb', 'srb-paper'])
    .default('sound')
    .describe('How scenarios are averaged: soundly, as the program of Speech Robust Bench does, or as its paper says'),
  categories: z
    .record(z.string(), z.string().min(1).max(100))
    .default({})
    .describe('Categories by condition, family or ladder; families of srb and earwitness have those of the benchmark'),
  corpusBy: z
    .string()
    .min(1)
    .max(200)
    .default('corpus')
    .describe('The attribute that distinguishes corpora; rates of different corpora are averaged, not pooled'),
  difficulties: z
    .union([z.enum(['srb', 'srb-table-3', 'measured']), z.record(z.string(), z.number().positive())])
    .nullable()
    .default('srb')
    .describe(
      'What normalized rates are divided by: the published points by corpus as the program has them (srb) or over all corpora as Table 3 of the paper prints them (srb-table-3), points measured on this run’s clips by dnsmos and pesq (measured), your own by scenario, or null for none',
    ),
  validity: z
    .union([byRatings, validityOption])
    .nullable()
    .default(null)
    .describe('Which perturbed clips are intelligible enough to count; results are given with and without the others'),
  normalizer: normalizerOption
    .unwrap()
    .nullable()
    .default(null)
    .describe(
      'Text normalizer: a name, or a module of your own (./mine.ts); null: by-language, in the profiles srb and srb-paper srb',
    ),
  draws: drawsOption,
  repeats: z.int().min(1).max(1000).default(1).describe('Number of recognitions of each clip by each recognizer'),
  ...intervalOptions,
  pairs: z
    .array(z.tuple([z.string().min(1).max(200), z.string().min(1).max(200)]))
    .max(100)
    .default([])
    .describe(
      'Recognizers that were to be compared before anything was seen, two and two: [[old, new]]. On clean audio and over all scenarios they make a family of their own, with half of the error, so that the other pairs cost them less',
    ),
  groupBy: z
    .array(z.string().min(1))
    .max(32)
    .nullable()
    .default(null)
    .describe('Attributes whose values are compared; null: every attribute with 2 to 8 values'),
});

export type RobustnessOptions = z.infer<typeof robustnessOptions>;
