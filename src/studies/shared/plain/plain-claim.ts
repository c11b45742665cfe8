import type { Comparison, PlainClaim } from '../../../model/finding.ts';
import { rangeOfHundred } from './of-hundred.ts';

/** The words of a claim. */
export interface ClaimWords {
  /** Begins the sentence where a difference was shown: `Women are misheard more often than everybody`. */
  readonly more: string;
  readonly fewer: string;
  /** Completes `We cannot tell whether …`: `women are misheard more or less often than everybody`. */
  readonly whether: string;
  /** What the range counts: `mistakes in 100 words`. */
  readonly unit: string;
  /** Stands before the range where there is more to say: `18.1 mistakes in 100 words against 9.0`. */
  readonly numbers?: string;
}

/**
 * A comparison in words for everybody. A difference is named only where the verdict says so and the whole interval lies on its
 * side; an interval that reaches over nothing is told with both its ends; where there is none, the reason stands in its place.
 */
export function plainClaim({ difference, verdict, reason }: Comparison, words: ClaimWords): PlainClaim {
  const { low, high } = difference;
  if (low === null || high === null) {
    const why = reason ?? difference.reason;
    return {
      text: `We cannot tell whether ${words.whether}${why === undefined ? '' : ` (${why})`}.`,
      verdict: 'cannot tell',
    };
  }
  const numbers = words.numbers === undefined ? '' : `${words.numbers}; `;
  const range = rangeOfHundred(low, high);
  const counted = `${range.replace(/ (more|fewer)$/, '')} ${range.endsWith('more') ? 'more' : 'fewer'} ${words.unit}`;
  if (verdict === 'worse' && low > 0) return { text: `${words.more}: ${numbers}very likely ${counted}.`, verdict };
  if (verdict === 'better' && high < 0) return { text: `${words.fewer}: ${numbers}very likely ${counted}.`, verdict };
  return {
    text: `We cannot tell whether ${words.whether}: these recordings fit ${range} ${words.unit}.`,
    verdict: 'cannot tell',
  };
}
