import { z } from 'zod';
import { whereOption } from '../shared/check-utterances.ts';
import { conditionsOption, intervalOptions, normalizerOption } from '../shared/options.ts';

const wordList = z.array(z.string().min(1).max(100)).max(1000).default([]);

const foundWords = z.strictObject({
  from: z.literal('fault-words').describe('The study fault-words before this one in the config'),
  transformation: z
    .string()
    .min(1)
    .max(200)
    .nullable()
    .default(null)
    .describe('Whose words: as the study calls it (aequevox/noise); null: that of the last condition'),
  among: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(1000)
    .nullable()
    .default(null)
    .describe('Only these words: those in the slot of the sentences, not those around it; null: all that were found'),
});

/** Options of the study `fault-validation`. */
export const faultValidationOptions = z.strictObject({
  words: z
    .union([
      foundWords,
      z.record(
        z.string().min(1).max(200),
        z.strictObject({
          robust: wordList.describe('Words expected to be recognized as well as before'),
          nonRobust: wordList.describe('Words expected to be lost more often'),
        }),
      ),
    ])
    .default({})
    .describe(
      'Robust words and others, as fault-words found them before in the same run ({ from: fault-words }), or for each recognizer: { en-us: { robust: [call], nonRobust: [bags] } }',
    ),
  where: whereOption,
  sentences: z
    .int()
    .min(1)
    .max(10_000)
    .default(50)
    .describe(
      'How many sentences with one robust word, and as many with one that is not, are drawn for each recognizer',
    ),
  conditions: conditionsOption
    .min(1)
    .max(8)
    .default(['aequevox/noise:5'])
    .describe('Scenarios in which the words are tried; clean audio is tried too'),
  normalizer: normalizerOption.describe('Text normalizer: a name, or a module of your own (./mine.ts)'),
  examples: z
    .int()
    .min(0)
    .max(1000)
    .default(5)
    .describe('Number of sentences of each kind to show for each recognizer, missed ones first'),
  level: intervalOptions.level,
  resamples: intervalOptions.resamples,
  permutations: z.int().min(100).max(1_000_000).default(10_000).describe('Permutations of a test'),
  minimumWords: z
    .int()
    .min(2)
    .max(1000)
    .default(10)
    .describe(
      'With at least this many words of each kind, words are the units of intervals and tests, otherwise sentences',
    ),
});

export type FaultValidationOptions = z.output<typeof faultValidationOptions>;

/** Targets by recognizer. */
export type TargetWords = Readonly<
  Record<string, { readonly robust: readonly string[]; readonly nonRobust: readonly string[] }>
>;
