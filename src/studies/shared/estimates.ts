import { z } from 'zod';
import type { Estimate, SampleSize } from '../../model/finding.ts';
import { defaultMinimumClusters } from '../../statistics/bootstrap/cluster-spread.ts';
import type { Interval } from '../../statistics/interval.ts';

/**
 * An interval as findings carry it.
 *
 * @example toEstimate(rateInterval(counts, options), n)
 */
export function toEstimate({ value, low, high, level, reason, method }: Interval, n: SampleSize): Estimate {
  return { value, low, high, level, n, ...(reason === undefined ? {} : { reason }), method };
}

/**
 * A number that was measured and not sampled: it has no interval, and `reason` says why.
 *
 * @example measured(0.31, n, 'the corpus is everything that is asked about', 'share of clips')
 */
export function measured(value: number | null, n: SampleSize, reason: string, method: string): Estimate {
  return { value, low: null, high: null, level: 0.95, n, reason, method };
}

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
