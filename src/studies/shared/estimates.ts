import type { Estimate, SampleSize } from '../../model/finding.ts';
import { inUnits, type Reason, reasonText, type Unit } from '../../model/reason.ts';
import type { Interval } from '../../statistics/interval.ts';

/**
 * An interval as findings carry it: statistics know clusters alone, and here is said what these are.
 *
 * @example toEstimate(rateInterval(counts, options), n)
 */
export function toEstimate({ value, low, high, level, reason, method }: Interval, n: SampleSize): Estimate {
  const unit = unitOf(n);
  const over = method.replaceAll(/(?<!two-way )\bclusters\b(?! of units)/g, `${unit}s`);
  return { value, low, high, level, n, ...(reason && { reason: inUnits(reason, unit) }), method: over };
}

/**
 * A number that was measured and not sampled: it has no interval, and `reason` says why.
 *
 * @example measured(0.31, n, { code: 'all-there-are' }, 'share of clips')
 */
export function measured(value: number | null, n: SampleSize, reason: Reason, method: string): Estimate {
  return { value, low: null, high: null, level: 0.95, n, reason, method };
}

/** What an interval of so much data is made over: speakers, or what was heard where nobody speaks or nobody says who. */
function unitOf({ unit, speakers, utterances }: SampleSize): Unit {
  return unit ?? (speakers === 0 && utterances > 0 ? 'utterance' : 'speaker');
}

/** Why there is no number or interval, in the middle of a sentence. */
export function reasonOf({ reason }: Pick<Estimate, 'reason'>, otherwise = 'not known'): string {
  return reason === undefined ? otherwise : reasonText(reason);
}
