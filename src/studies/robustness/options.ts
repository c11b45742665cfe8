import { z } from 'zod';
import { defaultMinimumClusters } from '../../statistics/bootstrap/cluster-bootstrap.ts';
import { normalizerOption } from '../shared/normalizer-option.ts';

const steps = z
  .array(
    z.strictObject({
      perturbation: z.string().min(1).max(4096).describe('Name of a perturbation'),
      parameters: z.record(z.string(), z.json()).default({}).describe('Its parameters'),
    }),
  )
  .max(100);

const ownCondition = z.strictObject({
  name: z.string().min(1).max(100).describe('Unique among the conditions'),
  steps: steps.describe('What is done to the sound, in order'),
  rung: z
    .strictObject({
      family: z.string().min(1).max(100).describe('Conditions of one family make one chart'),
      rank: z.int().min(1).max(1000).describe('1 is the mildest'),
      label: z.string().min(1).max(100).describe('The severity, as charts show it'),
    })
    .optional()
    .describe('Its place in a family of severities'),
});

const ownLadder = z.strictObject({
  name: z.string().min(1).max(64).describe('First part of its scenarios’ names'),
  about: z.string().default('').describe('One sentence for the report'),
  source: z.string().default('the config').describe('Where the severities come from'),
  families: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(64).describe('Second part of its scenarios’ names'),
        about: z.string().default('').describe('What one hears'),
        axis: z.string().default('severity').describe('What the labels measure: SNR (dB)'),
        rungs: z
          .array(
            z.strictObject({ label: z.string().min(1).max(100).describe('The severity, as charts show it'), steps }),
          )
          .min(1)
          .describe('From the mildest to the most destructive'),
      }),
    )
    .describe('Families of scenarios'),
});

/** Options of the study `robustness`. */
export const robustnessOptions = z.strictObject({
  conditions: z
    .array(z.union([z.string().min(1).max(200), ownCondition]))
    .default(['aequevox/noise', 'aequevox/drop'])
    .describe(
      'Scenarios (ladder/family:rank), families, ladders, or conditions of your own; clean is always asked too',
    ),
  ladders: z.array(ownLadder).default([]).describe('Ladders of your own, for this study alone'),
  normalizer: normalizerOption.describe(
    'What makes words of references and transcripts: a name, or a module of your own (./mine.ts)',
  ),
  draws: z
    .int()
    .min(1)
    .max(1000)
    .default(1)
    .describe('How often the sound of a condition with chance in it is made again'),
  repeats: z.int().min(1).max(1000).default(1).describe('How often each recognizer is asked about the same sound'),
  level: z.number().min(0.5).max(0.999).default(0.95).describe('Confidence level of intervals and tests'),
  resamples: z.int().min(100).max(100_000).default(2000).describe('Bootstrap resamples for an interval'),
  minimumSpeakers: z
    .int()
    .min(2)
    .max(10_000)
    .default(defaultMinimumClusters)
    .describe('With fewer speakers no interval is given, and nothing is claimed'),
  groupBy: z
    .array(z.string().min(1))
    .max(32)
    .nullable()
    .default(null)
    .describe('Attributes whose values are looked at apart; null: every attribute with 2 to 8 values'),
  worst: z.int().min(0).max(1000).default(20).describe('How many of the worst utterances are shown'),
});

export type RobustnessOptions = z.infer<typeof robustnessOptions>;
