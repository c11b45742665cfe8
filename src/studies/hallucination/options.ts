import { z } from 'zod';
import { conditionsOption, drawsOption, intervalOptions, normalizerOption } from '../shared/options.ts';

/** Options of the study `hallucination`. */
export const hallucinationOptions = z.strictObject({
  corpus: z
    .enum(['speech', 'sounds'])
    .default('speech')
    .describe(
      'speech: the recordings lend their lengths alone, and every condition must take the speech away; sounds: nobody speaks in them (noise, music), so that they are asked about as they are',
    ),
  conditions: conditionsOption
    .nullable()
    .default(null)
    .describe(
      'Scenarios, families, ladders or conditions of your own, without speech; null: earwitness/silence, or clean for sounds',
    ),
  draws: drawsOption,
  groupBy: z
    .array(z.string().min(1))
    .max(8)
    .default([])
    .describe('Attributes of sounds whose values are looked at apart: kind'),
  normalizer: normalizerOption.describe('Text normalizer: a name, or a module of your own (./mine.ts)'),
  level: intervalOptions.level,
  resamples: intervalOptions.resamples,
  minimumClips: intervalOptions.minimumSpeakers.describe(
    'With fewer clips no interval is given, and nothing is claimed',
  ),
  texts: z
    .int()
    .min(0)
    .max(1000)
    .default(20)
    .describe('Number of most frequent hallucinated texts listed for each recognizer'),
  examples: z.int().min(0).max(1000).default(12).describe('Number of longest hallucinations shown'),
});

export type HallucinationOptions = z.infer<typeof hallucinationOptions>;
