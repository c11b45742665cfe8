import { logBeta } from './log-beta.ts';

/**
 * The regularized incomplete beta function: the probability that a beta variable with parameters `a` and `b` is at most
 * `x`. By the continued fraction of the NIST Handbook (8.17.22) in the evaluation of Lentz (Applied Optics 15, 1976), on the
 * side where it converges fast.
 *
 * @param x from 0 to 1
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (!(x >= 0 && x <= 1 && a > 0 && b > 0)) return Number.NaN;
  if (x === 0 || x === 1) return x;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(-logBeta(a, b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  const tiny = 1e-300;
  const away = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let over = 1;
  let under = 1 / away(1 - ((a + b) * x) / (a + 1));
  let fraction = under;
  for (let step = 1; step < 10_000; step++) {
    const even = (step * (b - step) * x) / ((a + 2 * step - 1) * (a + 2 * step));
    under = 1 / away(1 + even * under);
    over = away(1 + even / over);
    fraction *= under * over;
    const odd = (-(a + step) * (a + b + step) * x) / ((a + 2 * step) * (a + 2 * step + 1));
    under = 1 / away(1 + odd * under);
    over = away(1 + odd / over);
    const change = under * over;
    fraction *= change;
    if (Math.abs(change - 1) < 1e-15) break;
  }
  return front * fraction;
}
