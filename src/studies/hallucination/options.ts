import { z } from 'zod';
import { conditionsOption, drawsOption, intervalOptions, normalizerOption } from '../shared/options.ts';

/** Options of the study `hallucination`. */
export const hallucinationOptions = z.strictObject({
  corpus: z
    .enum(['speech', 'sounds'])
    .default('speech')
    .describe(
      'speech: only the lengths of the recordings are used, and every condition must remove the speech; sounds: nobody speaks in the recordings (noise, music), so they are recognized as they are',
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
    .describe('Attributes of the recordings whose values are reported separately: kind'),
  normalizer: normalizerOption.describe('Text normalizer: a name, or a module of your own (./mine.ts)'),
  level: intervalOptions.level,
  resamples: intervalOptions.resamples,
  minimumClips: intervalOptions.minimumSpeakers.describe('With fewer clips there is no interval and no verdict'),
  texts: z
    .int()
    .min(0)
    .max(1000)
    .default(20)
    .describe('Number of most frequent hallucinated texts listed for each recognizer'),
  examples: z.int().min(0).max(1000).default(12).describe('Number of longest hallucinations shown'),
});

export type HallucinationOptions = z.infer<typeof hallucinationOptions>;
