/**
 * Where a continuous function is 0 between two points at which it has different signs, by R. P. Brent's method
 * ("Algorithms for minimization without derivatives", 1973, chapter 4): bisection, sped up by interpolation. NaN where
 * the signs do not differ.
 *
 * @param tolerance how near the answer must be, beside the precision of the numbers themselves
 * @example findRoot((x) => x * x - 2, 0, 2) // 1.4142135623730951
 */
export function findRoot(of: (x: number) => number, low: number, high: number, tolerance = 1e-12): number {
  let other = low;
  let best = high;
  let otherValue = of(other);
  let bestValue = of(best);
  if (otherValue === 0) return other;
  if (bestValue === 0) return best;
  if (!(otherValue < 0 !== bestValue < 0) || Number.isNaN(otherValue + bestValue)) return Number.NaN;
  let opposite = other;
  let oppositeValue = otherValue;
  let step = best - other;
  let stepBefore = step;
  for (let round = 0; round < 300; round++) {
    if (bestValue < 0 === oppositeValue < 0) {
      opposite = other;
      oppositeValue = otherValue;
      step = best - other;
      stepBefore = step;
    }
    if (Math.abs(oppositeValue) < Math.abs(bestValue)) {
      other = best;
      best = opposite;
      opposite = other;
      otherValue = bestValue;
      bestValue = oppositeValue;
      oppositeValue = otherValue;
    }
    const precision = 2 * Number.EPSILON * Math.abs(best) + tolerance / 2;
    const half = (opposite - best) / 2;
    if (Math.abs(half) <= precision || bestValue === 0) return best;
    if (Math.abs(stepBefore) < precision || Math.abs(otherValue) <= Math.abs(bestValue)) {
      step = half;
      stepBefore = half;
    } else {
      const ratio = bestValue / otherValue;
      let over: number;
      let under: number;
      if (other === opposite) {
        over = 2 * half * ratio;
        under = 1 - ratio;
      } else {
        const first = otherValue / oppositeValue;
        const second = bestValue / oppositeValue;
        over = ratio * (2 * half * first * (first - second) - (best - other) * (second - 1));
        under = (first - 1) * (second - 1) * (ratio - 1);
      }
      if (over > 0) under = -under;
      over = Math.abs(over);
      if (2 * over < Math.min(3 * half * under - Math.abs(precision * under), Math.abs(stepBefore * under))) {
        stepBefore = step;
        step = over / under;
      } else {
        step = half;
        stepBefore = half;
      }
    }
    other = best;
    otherValue = bestValue;
    best += Math.abs(step) > precision ? step : half > 0 ? precision : -precision;
    bestValue = of(best);
  }
  return best;
}

/**
 * The ends of a profile-likelihood interval: where the signed root of twice the loss of log-likelihood reaches `root`.
 *
 * @param logLikelihoodAt the greatest log-likelihood with the parameter held; NaN where it does not exist
 * @param best the parameter and the log-likelihood at the maximum
 * @param error about its standard error, to look for the ends with
 * @param options.least the parameter's lower bound, which the interval may only come near
 * @returns null for an end that is not reached
 */
export function profileLimits(
  logLikelihoodAt: (parameter: number) => number,
  best: { readonly parameter: number; readonly logLikelihood: number; readonly error: number },
  root: number,
  options: { readonly least?: number } = {},
): { readonly low: number | null; readonly high: number | null } {
  const known = new Map([[best.parameter, -root]]);
  const distance = (parameter: number): number => {
    let value = known.get(parameter);
    if (value === undefined) {
      value = Math.sqrt(Math.max(0, 2 * (best.logLikelihood - logLikelihoodAt(parameter)))) - root;
      known.set(parameter, value);
    }
    return value;
  };
  const end = (sign: -1 | 1): number | null => {
    let inside = best.parameter;
    let step = 1.05 * root * best.error;
    for (let tries = 0; tries < 40; tries++) {
      let outside = inside + sign * step;
      if (options.least !== undefined && outside <= options.least) outside = (inside + options.least) / 2;
      const beyond = distance(outside);
      if (Number.isNaN(beyond)) return null;
      if (beyond >= 0) {
        const found = findRoot(distance, inside, outside, 1e-6 * best.error);
        return Number.isNaN(found) ? null : found;
      }
      inside = outside;
      step *= tries < 3 ? 0.5 : 2;
    }
    return null;
  };
  return { low: end(-1), high: end(1) };
}
