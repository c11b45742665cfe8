import type { Estimate, SampleSize } from '../../model/finding.ts';
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
