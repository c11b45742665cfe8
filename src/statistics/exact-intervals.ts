import type { Reason } from '../model/reason.ts';
import { chiSquareUpperTail, incompleteBeta } from './distributions.ts';
import { type Interval, requireSquares } from './interval.ts';
import { findRoot } from './optimization/find-root.ts';

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
  if (items === 0) return { value: null, low: null, high: null, level, reason: { code: 'nothing-counted' }, method };
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

/**
 * The variance of independent, normally distributed values (divisor n - 1) with its confidence interval from the
 * chi-square distribution of n - 1 degrees of freedom (R. A. Fisher, "Statistical methods for research workers", 1925). Rates
 * over many words are near to normal; values with long tails are not, and their intervals are too short.
 *
 * Null with a reason: without two values; the interval where all are the same.
 *
 * @throws RangeError for values that are not finite or beyond 1e150, or an impossible level
 * @example varianceInterval([1, 2, 3, 4, 5]) // { value: 2.5, low: .897, high: 20.64, … }
 */
export function varianceInterval(values: readonly number[], { level = 0.95 }: { level?: number } = {}): Interval {
  if (!(level > 0 && level < 1)) throw new RangeError(`expected a level between 0 and 1, but got ${level}`);
  requireSquares(values, 'values');
  const freedom = values.length - 1;
  const method = `chi-square with ${Math.max(0, freedom)} degrees of freedom`;
  const without = (value: number | null, reason: Reason) => ({ value, low: null, high: null, level, reason, method });
  if (freedom < 1) return without(null, { code: 'few-values', need: 2, have: values.length });
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  if (values.every((value) => value === values[0])) return without(0, { code: 'all-values-same' });
  const quantile = (upperTail: number) =>
    findRoot((x) => chiSquareUpperTail(x, freedom) - upperTail, 0, 20 * freedom + 200);
  const tail = (1 - level) / 2;
  return { value: squares / freedom, low: squares / quantile(tail), high: squares / quantile(1 - tail), level, method };
}
