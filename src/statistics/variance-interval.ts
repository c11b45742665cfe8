import { chiSquareUpperTail } from './distributions.ts';
import { type Interval, requireSquares } from './interval.ts';
import { findRoot } from './optimization/find-root.ts';

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
  const without = (value: number | null, reason: string) => ({ value, low: null, high: null, level, reason, method });
  if (freedom < 1) return without(null, `a variance needs at least 2 values, but there are ${values.length}`);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  if (values.every((value) => value === values[0])) return without(0, 'all values are the same');
  const quantile = (upperTail: number) =>
    findRoot((x) => chiSquareUpperTail(x, freedom) - upperTail, 0, 20 * freedom + 200);
  const tail = (1 - level) / 2;
  return { value: squares / freedom, low: squares / quantile(tail), high: squares / quantile(1 - tail), level, method };
}
