import { incompleteBeta } from '../distributions/incomplete-beta.ts';
import { logBeta } from '../distributions/log-beta.ts';

export type Alternative = 'two-sided' | 'greater' | 'less';

/**
 * The exact binomial test: how probable it is that of `trials` as unlikely a number succeed, if each does with
 * `probability`. Two-sided: the outcomes that are at most as probable as the observed one (R's and scipy's rule). Both tails
 * by the incomplete beta function, so that the time does not grow with the trials.
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
  if (probability === 0 || probability === 1) {
    const certain = trials * probability;
    const atMost = successes >= certain;
    const atLeast = successes <= certain;
    return (alternative === 'greater' ? atLeast : alternative === 'less' ? atMost : atMost && atLeast) ? 1 : 0;
  }
  const atLeast = (count: number) => (count <= 0 ? 1 : incompleteBeta(probability, count, trials - count + 1));
  const atMost = (count: number) => (count >= trials ? 1 : incompleteBeta(1 - probability, trials - count, count + 1));
  if (alternative === 'greater') return atLeast(successes);
  if (alternative === 'less') return atMost(successes);

  const logMass = (count: number) =>
    count * Math.log(probability) +
    (trials - count) * Math.log1p(-probability) -
    logBeta(count + 1, trials - count + 1);
  // Equal masses may differ in the last digits.
  const likely = (count: number) => logMass(count) > logMass(successes) + 1e-7;
  const mode = Math.min(trials, Math.floor((trials + 1) * probability));
  if (!likely(mode)) return 1;
  // The outcomes that are more probable stand side by side around the mode: the other end is searched by halving.
  let [inside, outside] = [mode, successes < mode ? trials + 1 : -1];
  while (Math.abs(outside - inside) > 1) {
    const middle = Math.floor((inside + outside) / 2);
    if (likely(middle)) inside = middle;
    else outside = middle;
  }
  const [low, high] = successes < mode ? [successes, outside] : [outside, successes];
  return Math.min(1, (low < 0 ? 0 : atMost(low)) + (high > trials ? 0 : atLeast(high)));
}
