import { logGamma } from './log-gamma.ts';

/** What Stirling's formula leaves out of log gamma, for x of at least 10: NIST Handbook 5.11.1. */
function stirlingRest(x: number): number {
  const inverseSquare = 1 / (x * x);
  return (
    (1 / 12 -
      inverseSquare *
        (1 / 360 - inverseSquare * (1 / 1260 - inverseSquare * (1 / 1680 - (inverseSquare * 1) / 1188)))) /
    x
  );
}

/**
 * The natural logarithm of the beta function for positive arguments. The three log gammas are not simply added up, since
 * for large arguments their digits would cancel (A. DiDonato and A. Morris, "Algorithm 708", ACM TOMS 18, 1992).
 *
 * @example Math.exp(logBeta(2, 3)) // 1/12
 */
export function logBeta(a: number, b: number): number {
  const small = Math.min(a, b);
  const large = Math.max(a, b);
  if (large < 10) return logGamma(small) + logGamma(large) - logGamma(small + large);
  const rest = stirlingRest(large) - stirlingRest(small + large);
  const share = small / (small + large);
  if (small < 10) {
    return logGamma(small) + rest + small - small * Math.log(small + large) + (large - 0.5) * Math.log1p(-share);
  }
  const corrections = stirlingRest(small) + rest + Math.log(2 * Math.PI) / 2 - Math.log(large) / 2;
  return corrections + (small - 0.5) * Math.log(share) + large * Math.log1p(-share);
}
