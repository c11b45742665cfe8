import { z } from 'zod';
import { defaultMinimumClusters } from '../../statistics/bootstrap/cluster-spread.ts';

/** How intervals are made: options that studies with bootstrap intervals by speaker have alike. */
export const intervalOptions = {
  level: z.number().min(0.5).max(0.999).default(0.95).describe('Confidence level of intervals and tests'),
  resamples: z.int().min(100).max(100_000).default(2000).describe('Bootstrap resamples for an interval'),
  minimumSpeakers: z
    .int()
    .min(2)
    .max(10_000)
    .default(defaultMinimumClusters)
    .describe('With fewer speakers no interval is given, and nothing is claimed'),
};

export const drawsOption = z
  .int()
  .min(1)
  .max(1000)
  .default(1)
  .describe('How often the sound of a condition with chance in it is made again');
