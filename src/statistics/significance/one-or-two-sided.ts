import { normalUpperTail } from '../distributions/normal.ts';
import type { Alternative } from './binomial-test.ts';

/**
 * The p value of an alternative from the probabilities of a statistic at most, and at least, as great as the observed one.
 * Two-sided it is twice the smaller, at most 1: the rule of R's and scipy's rank and permutation tests.
 */
export function oneOrTwoSided(atMost: number, atLeast: number, alternative: Alternative): number {
  // Sums of many probabilities may pass 1 in the last digit.
  if (alternative === 'greater') return Math.min(1, atLeast);
  if (alternative === 'less') return Math.min(1, atMost);
  return Math.min(1, 2 * Math.min(atMost, atLeast));
}

/** The p value of an alternative from a statistic that is standard normal where nothing differs. */
export function normalPValue(z: number, alternative: Alternative): number {
  return oneOrTwoSided(normalUpperTail(-z), normalUpperTail(z), alternative);
}
