import { logGamma } from '../distributions/log-gamma.ts';

export type Alternative = 'two-sided' | 'greater' | 'less';

/**
 * The exact binomial test: how probable it is that of `trials` as unlikely a number succeed, if each does with
 * `probability`. Two-sided: the outcomes that are at most as probable as the observed one (R's and scipy's rule).
 *
 * @throws RangeError for counts that are not whole or do not fit, or a probability outside 0 to 1
 * @example binomialTest(3, 20) // .00258
 */
export function binomialTest(
  successes: number,
  trials: number,
  probability = 0.5,
  alternative: Alternative = 'two-sided',
): number {
  const whole = Number.isInteger(successes) && Number.isInteger(trials) && successes >= 0 && successes <= trials;
  if (!whole || !(probability >= 0 && probability <= 1)) {
    throw new RangeError(
      `expected successes of trials and a probability, but got ${successes}, ${trials}, ${probability}`,
    );
  }
  const mass = (count: number) => {
    if (probability === 0 || probability === 1) return count === trials * probability ? 1 : 0;
    const ways = logGamma(trials + 1) - logGamma(count + 1) - logGamma(trials - count + 1);
    return Math.exp(ways + count * Math.log(probability) + (trials - count) * Math.log1p(-probability));
  };
  // Equal masses may differ in the last digits.
  const atMost = mass(successes) * (1 + 1e-7);
  let sum = 0;
  for (let count = 0; count <= trials; count++) {
    const counted =
      alternative === 'greater'
        ? count >= successes
        : alternative === 'less'
          ? count <= successes
          : mass(count) <= atMost;
    if (counted) sum += mass(count);
  }
  return Math.min(1, sum);
}
