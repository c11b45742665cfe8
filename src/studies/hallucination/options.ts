import { z } from 'zod';
import { defaultMinimumClusters } from '../../statistics/bootstrap/cluster-bootstrap.ts';
import { conditionsOption } from '../shared/condition-options.ts';
import { normalizerOption } from '../shared/normalizer-option.ts';

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
  draws: z
    .int()
    .min(1)
    .max(1000)
    .default(1)
    .describe('How often the sound of a condition with chance in it is made again'),
  groupBy: z
    .array(z.string().min(1))
    .max(8)
    .default([])
    .describe('Attributes of sounds whose values are looked at apart: kind'),
  normalizer: normalizerOption.describe('What makes words of transcripts: a name, or a module of your own (./mine.ts)'),
  level: z.number().min(0.5).max(0.999).default(0.95).describe('Confidence level of intervals and tests'),
  resamples: z.int().min(100).max(100_000).default(2000).describe('Bootstrap resamples for an interval'),
  minimumClips: z
    .int()
    .min(2)
    .max(10_000)
    .default(defaultMinimumClusters)
    .describe('With fewer clips no interval is given, and nothing is claimed'),
  texts: z
    .int()
    .min(0)
    .max(1000)
    .default(20)
    .describe('How many of the commonest invented texts are listed for each recognizer'),
  examples: z.int().min(0).max(1000).default(12).describe('How many of the longest inventions are shown'),
});

export type HallucinationOptions = z.infer<typeof hallucinationOptions>;
