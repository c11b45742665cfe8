import { normalCdf } from '../distributions/normal.ts';

/**
 * The probability that a noncentral t variable is at most `t`: a normal variable around `noncentrality` over an independent
 * chi variable over the root of its degrees of freedom. The mean of the normal probability over the chi variable, summed
 * on a logarithmic scale, where sums over equal steps converge exponentially (F. Stenger, SIAM Review 23, 1981). Absolute
 * error below 1e-12 for |t| up to 100.
 *
 * @param degreesOfFreedom > 0, need not be whole
 */
export function noncentralTCdf(t: number, degreesOfFreedom: number, noncentrality: number): number {
  const half = degreesOfFreedom / 2;
  // Beyond these ends the density has fallen below e^-46 of its peak.
  const right = Math.sqrt(46 / degreesOfFreedom);
  const left = -(right + 46 / degreesOfFreedom + 0.5);
  const step = Math.min(1 / Math.sqrt(2 * degreesOfFreedom), 1 / (1 + Math.abs(t)), 0.5) / 3;
  let sum = 0;
  let total = 0;
  for (let place = Math.floor(left / step); place <= right / step; place++) {
    const logChi = place * step;
    const density = Math.exp(degreesOfFreedom * logChi - half * Math.expm1(2 * logChi));
    sum += density * normalCdf(t * Math.exp(logChi) - noncentrality);
    total += density;
  }
  // The density's own sum instead of its constant, which loses digits with many degrees of freedom.
  return sum / total;
}
