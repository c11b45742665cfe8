import { studentQuantile, studentUpperTail } from '../distributions/student-t.ts';
import type { Interval } from '../interval.ts';
import { jackknifeSpread } from './jackknife-spread.ts';

/** A number with its interval, and the chance of one as far from 0 if it were 0; null with the interval. */
export interface JackknifeEstimate {
  readonly part: Interval;
  readonly pValue: number | null;
}

/**
 * The t interval of a number from what it is without each speaker (`jackknifeSpread`), and its two-sided test against 0.
 *
 * Null with a reason where it is the same without any of them.
 *
 * @param without stratum by stratum
 */
export function jackknifeEstimate(
  value: number,
  without: readonly (readonly number[])[],
  level: number,
  method: string,
): JackknifeEstimate {
  const { variance, degreesOfFreedom } = jackknifeSpread(without);
  const error = Math.sqrt(variance);
  if (!(error > 1e-12)) {
    const reason = 'it is the same without any of the speakers, so that nothing tells how it varies';
    return { part: { value, low: null, high: null, level, reason, method }, pValue: null };
  }
  const half = studentQuantile((1 + level) / 2, degreesOfFreedom) * error;
  const named = `${method}, ${degreesOfFreedom.toFixed(1)} degrees of freedom`;
  return {
    part: { value, low: value - half, high: value + half, level, method: named },
    pValue: 2 * studentUpperTail(Math.abs(value) / error, degreesOfFreedom),
  };
}
