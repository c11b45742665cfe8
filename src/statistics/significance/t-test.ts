import type { Reason } from '../../model/reason.ts';
import { studentQuantile, studentUpperTail } from '../distributions.ts';
import { type Interval, requireSquares } from '../interval.ts';
import type { Alternative } from './binomial-test.ts';
import { oneOrTwoSided } from './permutation-result.ts';

export interface TTestOptions {
  /** `greater`: the first mean lies above the second (or the mean above 0). */
  readonly alternative?: Alternative;
  /** Confidence level of the interval, .95 by default; two-sided whatever the alternative. */
  readonly level?: number;
}

/** `value` is the mean, or the first mean minus the second. */
export interface TTestResult extends Interval {
  readonly t: number | null;
  readonly degreesOfFreedom: number | null;
  /** Null with `reason` where there are too few values or all are equal. */
  readonly pValue: number | null;
}

/**
 * Student's t test of whether the mean of values (paired differences, one per speaker) is 0 ("Student", Biometrika 6, 1908).
 *
 * Of alike systems p was at most .05, in 10,000 simulations each (bench/calibration/tests.ts), in 4.1 % with 6 speakers, 4.3
 * with 8, 4.9 with 20, 5.2 with 60. Where theory says it cannot hold: the mean must be nearly normal (strongly skewed
 * differences of 20 speakers: 13 %), and values independent (200 utterances of 20 speakers: 32 %).
 *
 * @throws RangeError for values that are not finite or beyond 1e150, or a level outside 0 to 1
 * @example pairedTTest([.02, .05, -.01, .03]).pValue // .170
 */
export function pairedTTest(differences: ArrayLike<number>, options: TTestOptions = {}): TTestResult {
  const { count, mean, variance } = moments(differences);
  return finish(mean, count < 2 ? null : variance / count, count - 1, 'paired t test', options);
}

/**
 * Student's t test of whether two independent samples have the same mean, if their variances are equal. With unequal ones
 * and unequal sizes it loses its level: `welchTTest` does not ask for that. Of alike groups p was at most .05, in 10,000
 * simulations each (bench/calibration/tests.ts), in 4.6 % with 20 speakers against 20, 4.9 with 4 against 60, 4.4 with 4
 * against 4; with equal means and the spread of one group three times that of the other, 5.0 to 5.2 % with 20 against 20,
 * but 42 % with 4 against 60 where the 4 have the greater spread, and 0 % where the 60 have.
 *
 * @throws RangeError as `pairedTTest`
 * @example studentTTest([.1, .2, .15], [.3, .25, .4]).pValue // .034
 */
export function studentTTest(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  options: TTestOptions = {},
): TTestResult {
  const [one, other] = [moments(first), moments(second)];
  const degrees = one.count + other.count - 2;
  const pooled = (one.variance * (one.count - 1) + other.variance * (other.count - 1)) / degrees;
  const enough = one.count > 0 && other.count > 0 && degrees > 0;
  const variance = enough ? pooled / one.count + pooled / other.count : null;
  return finish(difference(one, other), variance, degrees, 't test, equal variances', options);
}

/**
 * Welch's t test of whether two independent samples have the same mean, whatever their variances: B. Welch, Biometrika 34
 * (1947), degrees of freedom by F. Satterthwaite (1946). The one for groups of unequal size and spread; each needs two
 * values. With equal means p was at most .05, in 10,000 simulations each (bench/calibration/tests.ts): normal values, the
 * spread of one group three times that of the other, 4.7 to 4.8 % with 20 against 20, 5.0 and 5.9 with 4 against 60; skewed
 * (lognormal) values alike in both groups 4.5 % with 20 against 20, 3.4 with 4 against 4, but 9.9 % with 4 against 60:
 * four skewed values do not tell their spread.
 *
 * @throws RangeError as `pairedTTest`
 * @example welchTTest([.1, .2, .15], [.3, .25, .4]).pValue // .042
 */
export function welchTTest(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  options: TTestOptions = {},
): TTestResult {
  const [one, other] = [moments(first), moments(second)];
  const enough = one.count > 1 && other.count > 1;
  const shares = [one, other].map(({ variance, count }) => variance / count);
  const variance = shares[0]! + shares[1]!;
  // Shares of the variance, since its square may be beyond what a number holds.
  const degrees =
    1 / ((shares[0]! / variance) ** 2 / (one.count - 1) + (shares[1]! / variance) ** 2 / (other.count - 1));
  return finish(difference(one, other), enough ? variance : null, degrees, "Welch's t test", options);
}

interface Moments {
  readonly count: number;
  /** Null of no values. */
  readonly mean: number | null;
  /** With n - 1; 0 of a single value. */
  readonly variance: number;
}

function moments(values: ArrayLike<number>): Moments {
  requireSquares(values, 'values');
  const count = values.length;
  if (count === 0) return { count, mean: null, variance: 0 };
  let sum = 0;
  for (let index = 0; index < count; index++) sum += values[index]!;
  const mean = sum / count;
  let squares = 0;
  let rest = 0;
  let largest = 0;
  for (let index = 0; index < count; index++) {
    squares += (values[index]! - mean) ** 2;
    rest += values[index]! - mean;
    largest = Math.max(largest, Math.abs(values[index]!));
  }
  // Equal values may leave rounding, which is no spread.
  const variance = count === 1 || squares <= count * (4e-16 * largest) ** 2 ? 0 : squares / (count - 1);
  return { count, mean: mean + rest / count, variance };
}

function difference(one: Moments, other: Moments): number | null {
  return one.mean === null || other.mean === null ? null : one.mean - other.mean;
}

function finish(
  value: number | null,
  variance: number | null,
  degreesOfFreedom: number,
  method: string,
  { alternative = 'two-sided', level = 0.95 }: TTestOptions,
): TTestResult {
  if (!(level > 0 && level < 1)) throw new RangeError(`expected a level between 0 and 1, but got ${level}`);
  if (value === null || variance === null || variance === 0) {
    const reason: Reason = variance === 0 ? { code: 'all-values-same' } : { code: 'too-few-values' };
    const nothing = { low: null, high: null, t: null, degreesOfFreedom: null, pValue: null };
    return { value, ...nothing, level, method, reason };
  }
  const standardError = Math.sqrt(variance);
  const t = value / standardError;
  const above = studentUpperTail(t, degreesOfFreedom);
  const pValue = oneOrTwoSided(studentUpperTail(-t, degreesOfFreedom), above, alternative);
  const half = studentQuantile((1 + level) / 2, degreesOfFreedom) * standardError;
  return { value, low: value - half, high: value + half, level, method, t, degreesOfFreedom, pValue };
}
