import { findRoot } from './find-root.ts';

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
