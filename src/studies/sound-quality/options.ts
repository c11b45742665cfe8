import { z } from 'zod';
import { defaultMinimumClusters } from '../../statistics/bootstrap/cluster-bootstrap.ts';
import { conditionsOption } from '../shared/condition-options.ts';
import { validityOption } from '../shared/validity-gate.ts';

/** Options of the study `sound-quality`. */
export const soundQualityOptions = z.strictObject({
  conditions: conditionsOption
    .default(['aequevox/noise', 'aequevox/drop'])
    .describe(
      'Scenarios (ladder/family:rank), families, ladders, or conditions of your own; clean is always measured too',
    ),
  measures: z
    .array(z.string().min(1).max(100))
    .max(32)
    .nullable()
    .default(null)
    .describe('Names of measures that the config has under `quality`; null: all of them'),
  draws: z
    .int()
    .min(1)
    .max(1000)
    .default(1)
    .describe('How often the sound of a condition with chance in it is made again'),
  validity: validityOption
    .nullable()
    .default(null)
    .describe('Which sounds are good enough to count: what would be left out is listed'),
  level: z.number().min(0.5).max(0.999).default(0.95).describe('Confidence level of intervals'),
  resamples: z.int().min(100).max(100_000).default(2000).describe('Bootstrap resamples for an interval'),
  minimumSpeakers: z
    .int()
    .min(2)
    .max(10_000)
    .default(defaultMinimumClusters)
    .describe('With fewer speakers no interval is given'),
});

export type SoundQualityOptions = z.output<typeof soundQualityOptions>;
