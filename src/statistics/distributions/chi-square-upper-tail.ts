import { normalUpperTail } from './normal.ts';

/**
 * The probability that a chi-square variable with a whole number of degrees of freedom exceeds `x`: the finite sums of the
 * NIST Handbook 8.4.10 and 8.4.11, in which nothing cancels.
 *
 * @param x at least 0
 * @param degreesOfFreedom whole, at least 1
 * @example chiSquareUpperTail(3.841458820694124, 1) // .05
 */
export function chiSquareUpperTail(x: number, degreesOfFreedom: number): number {
  if (!(x >= 0) || !Number.isInteger(degreesOfFreedom) || degreesOfFreedom < 1) return Number.NaN;
  if (x === 0) return 1;
  if (x === Number.POSITIVE_INFINITY) return 0;
  const odd = degreesOfFreedom % 2 === 1;
  // Terms x^(k/2) exp(-x/2) over their gamma function, by their logarithms: exp(-x/2) alone may be 0.
  let logTerm = odd ? Math.log((2 * x) / Math.PI) / 2 - x / 2 : -x / 2;
  let sum = odd ? 2 * normalUpperTail(Math.sqrt(x)) : 0;
  for (let order = odd ? 3 : 2; order <= degreesOfFreedom; order += 2) {
    sum += Math.exp(logTerm);
    logTerm += Math.log(x / order);
  }
  return Math.min(1, sum);
}
