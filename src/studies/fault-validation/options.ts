import { z } from 'zod';
import { conditionsOption } from '../shared/condition-options.ts';
import { intervalOptions } from '../shared/interval-options.ts';
import { normalizerOption } from '../shared/normalizer-option.ts';

const wordList = z.array(z.string().min(1).max(100)).max(1000).default([]);

/** Options of the study `fault-validation`. */
export const faultValidationOptions = z.strictObject({
  words: z
    .record(z.string().min(1).max(200), z.strictObject({ robust: wordList, nonRobust: wordList }))
    .default({})
    .describe(
      'For each recognizer words that fault-words found robust and not robust: { en-us: { robust: [call], nonRobust: [bags] } }',
    ),
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
    .describe('Scenarios in which the words are tried; clean sound is tried too'),
  normalizer: normalizerOption.describe(
    'What makes words of texts and transcripts: a name, or a module of your own (./mine.ts)',
  ),
  level: intervalOptions.level,
  resamples: intervalOptions.resamples,
  permutations: z.int().min(100).max(1_000_000).default(10_000).describe('Arrangements of a test'),
  minimumWords: z
    .int()
    .min(2)
    .max(1000)
    .default(10)
    .describe('From so many words of each kind on words are the units of intervals and tests, else sentences'),
});

export type FaultValidationOptions = z.output<typeof faultValidationOptions>;
