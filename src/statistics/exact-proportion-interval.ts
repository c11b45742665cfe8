import { incompleteBeta } from './distributions.ts';
import type { Interval } from './interval.ts';

/**
 * A proportion with its exact interval from the binomial distribution (C. Clopper and E. Pearson, Biometrika 26, 1934): holds the truth
 * at least as often as its level says, also where nothing or everything was found. Counts of a complex sample are given as an
 * effective number of items and of hits, which need not be whole (E. Korn and B. Graubard, "Confidence intervals for proportions with
 * small expected number of positive counts estimated from survey data", Survey Methodology 24, 1998).
 *
 * @param hits from 0 to `items`
 * @param level confidence level, .95 by default
 * @throws RangeError for hits outside of 0 to `items`, or a level outside of 0 to 1
 * @example exactProportionInterval(10, 100) // { value: .1, low: .0490, high: .1762, … }
 */
export function exactProportionInterval(hits: number, items: number, level = 0.95): Interval {
  if (!(hits >= 0 && hits <= items && Number.isFinite(items) && level > 0 && level < 1)) {
    throw new RangeError(
      `expected hits from 0 to the items and a level from 0 to 1, but got ${hits} of ${items}, ${level}`,
    );
  }
  const method = 'exact binomial interval (Clopper and Pearson)';
  if (items === 0) return { value: null, low: null, high: null, level, reason: 'nothing was looked at', method };
  const tail = (1 - level) / 2;
  return {
    value: hits / items,
    low: hits === 0 ? 0 : betaQuantile(tail, hits, items - hits + 1),
    high: hits === items ? 1 : betaQuantile(1 - tail, hits + 1, items - hits),
    level,
    method,
  };
}

/** By halving, until no double lies between: small proportions keep their digits. */
function betaQuantile(probability: number, a: number, b: number): number {
  let [low, high] = [0, 1];
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return middle;
    if (incompleteBeta(middle, a, b) < probability) low = middle;
    else high = middle;
  }
}
