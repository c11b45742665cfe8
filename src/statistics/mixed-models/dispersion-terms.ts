import { type CountRows, countedTo } from './count-rows.ts';

/**
 * What the dispersion alone adds to a negative binomial log-likelihood: for each count the sum of log(1 + dispersion i)
 * over whole i below it (the logarithm of a ratio of gamma functions, which for little dispersion would lose its digits),
 * and its derivative. Far out the sum is taken by the formula of Euler and Maclaurin (NIST Handbook 2.10.1).
 */
export function dispersionTerms(rows: CountRows, dispersion: number): { value: number; derivative: number } {
  let value = 0;
  let derivative = 0;
  for (let below = 0; below < rows.exceeding.length; below++) {
    const product = dispersion * below;
    value += rows.exceeding[below]! * Math.log1p(product);
    derivative += (rows.exceeding[below]! * below) / (1 + product);
  }
  for (const count of rows.large) {
    const [from, to] = [countedTo, count - 1];
    value += integralOfLog(to, dispersion) - integralOfLog(from, dispersion);
    value += (Math.log1p(dispersion * from) + Math.log1p(dispersion * to)) / 2;
    value += (dispersion / (1 + dispersion * to) - dispersion / (1 + dispersion * from)) / 12;
    derivative += integralOfShare(to, dispersion) - integralOfShare(from, dispersion);
    derivative += (from / (1 + dispersion * from) + to / (1 + dispersion * to)) / 2;
    derivative += (1 / (1 + dispersion * to) ** 2 - 1 / (1 + dispersion * from) ** 2) / 12;
  }
  return { value, derivative };
}

/** The integral of log(1 + dispersion x) from 0. */
function integralOfLog(x: number, dispersion: number): number {
  const product = dispersion * x;
  if (product < 1e-4) return x * product * (1 / 2 - product / 6 + (product * product) / 12);
  return ((1 + product) * Math.log1p(product) - product) / dispersion;
}

/** The integral of x / (1 + dispersion x) from 0. */
function integralOfShare(x: number, dispersion: number): number {
  const product = dispersion * x;
  if (product < 1e-4) return x * x * (1 / 2 - product / 3 + (product * product) / 4);
  return (product - Math.log1p(product)) / dispersion ** 2;
}
