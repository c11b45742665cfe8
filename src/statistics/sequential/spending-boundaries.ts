import { normalUpperTail } from '../distributions.ts';

/** How much of its error a test that looks several times may spend until a share of the data is there, as a function of that share and of alpha. */
export type Spending = (share: number, alpha: number) => number;

/** A power of the share, so that little is spent early: K. Kim and D. DeMets (Biometrika 74, 1987). */
export const spendByPower =
  (power: number): Spending =>
  (share, alpha) =>
    alpha * share ** power;

/** Below this nothing of a normal variable lies that matters here. */
const farthest = 8;
const minPoints = 400;
const maxPoints = 4000;

/**
 * What p must be at most at each look, so that a test that looks again and again while data come in errs with at most `alpha` in all: error spending
 * of K. Lan and D. DeMets (Biometrika 70, 1983), by the recursive integration of P. Armitage, C. McPherson and B. Rowe (J. Royal Statistical Society A 132,
 * 1969). One-sided. The looks must not be chosen by what the data say; a bound depends on looks before it alone.
 *
 * @param shares of the data there at each look, rising, above 0 and at most 1
 * @param alpha of all looks together, between 0 and .5
 * @throws RangeError for shares that do not rise or an impossible alpha
 * @example spendingBoundaries([.5, 1], .05, spendByPower(2)) // the first look may err by .0125, the second by more than what is left
 */
export function spendingBoundaries(shares: readonly number[], alpha: number, spending: Spending): number[] {
  if (!(alpha > 0 && alpha < 0.5)) throw new RangeError(`expected an alpha between 0 and .5, but got ${alpha}`);
  shares.forEach((share, look) => {
    if (!(share > (shares[look - 1] ?? 0) && share <= 1 + 1e-12))
      throw new RangeError(`expected rising shares up to 1, but got ${shares.join(', ')}`);
  });
  let [spent, before] = [0, 0];
  // The density of the sum of those that went on, on points that are equally far apart.
  let points = Float64Array.of(0);
  let masses = Float64Array.of(1);
  return shares.map((share) => {
    const wanted = Math.max(0, spending(Math.min(1, share), alpha) - spent);
    const spread = Math.sqrt(share - before);
    const exit = (bound: number) => {
      let sum = 0;
      for (let at = 0; at < points.length; at++) sum += masses[at]! * normalUpperTail((bound - points[at]!) / spread);
      return sum;
    };
    let [low, high] = [-farthest * Math.sqrt(share), 2 * farthest * Math.sqrt(share)];
    for (let step = 0; step < 60; step++) {
      const middle = (low + high) / 2;
      if (exit(middle) > wanted) low = middle;
      else high = middle;
    }
    // Where nothing may be spent the bound lies beyond everything.
    const bound = high;
    const from = -farthest * Math.sqrt(share);
    const intervals = 2 * Math.ceil(Math.min(maxPoints, Math.max(minPoints, (8 * (bound - from)) / spread)) / 2);
    const width = (bound - from) / intervals;
    const next = Float64Array.from({ length: intervals + 1 }, (_, at) => from + at * width);
    const density = next.map((value) => {
      let sum = 0;
      for (let at = 0; at < points.length; at++) {
        const distance = (value - points[at]!) / spread;
        if (Math.abs(distance) < farthest) sum += masses[at]! * Math.exp(-0.5 * distance * distance);
      }
      return sum / (spread * Math.sqrt(2 * Math.PI));
    });
    // Simpson's rule.
    masses = density.map((value, at) => {
      const weight = at === 0 || at === intervals ? 1 : at % 2 === 1 ? 4 : 2;
      return (value * weight * width) / 3;
    });
    points = next;
    [spent, before] = [spent + wanted, share];
    return normalUpperTail(bound / Math.sqrt(share));
  });
}
