import type { Reason } from '../../model/reason.ts';
import { incompleteBeta, logBeta, logGamma, normalUpperTail } from '../distributions.ts';
import { requireFinite } from '../interval.ts';

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

/**
 * The sign test on paired differences (or any numbers): whether as many are above 0 as below. Zeros say nothing and are
 * left out; null where nothing is left. J. Arbuthnott (1710); exact.
 *
 * Of alike systems p was at most .05, in 10,000 simulations each (bench/calibration/tests.ts), in 0.7 % with 8 speakers, 3.9
 * with 20, 3.0 with 60: few counts are possible. It asks for the median, so that skewed differences with mean 0 are found
 * different (38 % with 20 speakers). Differences must be independent (200 utterances of 20 speakers: 22 %).
 *
 * @param alternative `greater`: more are above 0
 * @throws RangeError for differences that are not finite
 * @example signTest([.2, .1, -.1, .3]).pValue // .625
 */
export function signTest(
  differences: ArrayLike<number>,
  alternative: Alternative = 'two-sided',
): { readonly positive: number; readonly negative: number; readonly pValue: number | null; readonly reason?: Reason } {
  requireFinite(differences, 'differences');
  let positive = 0;
  let negative = 0;
  for (let index = 0; index < differences.length; index++) {
    if (differences[index]! > 0) positive++;
    else if (differences[index]! < 0) negative++;
  }
  if (positive + negative === 0) return { positive, negative, pValue: null, reason: { code: 'no-difference' } };
  return { positive, negative, pValue: binomialTest(positive, positive + negative, 0.5, alternative) };
}

/** Null with a reason where the two never disagree. */
export interface McNemarResult {
  readonly pValue: number | null;
  readonly test: string;
  readonly reason?: Reason;
}

/**
 * Whether two systems are right equally often on the same items, from the items on which just one is right: Q. McNemar,
 * Psychometrika 12 (1947).
 *
 * Of alike systems p was at most .05, in 10,000 simulations each (bench/calibration/tests.ts), exact in 2.2 % with 10
 * items on which they differ, 3.6 with 40, 4.3 with 160; mid-p in 4.2, 5.0 and 5.1 %; chi-square 4.2, 5.1 and 5.1 %; corrected as
 * exact. Where theory says it cannot hold: items must be independent. Where one system suited some of 20 speakers and the other
 * others, on the whole alike, it called 13 to 14 % different; there use `pairedPermutationTest` by speaker.
 *
 * @param form `exact` (default; its level is at most the nominal one), `mid-p` (closer to it: M. Fagerland et al., BMC
 * Medical Research Methodology 13, 2013), `chi-square`, `corrected` (with A. Edwards' correction, stopped at 0, as in R)
 * @throws RangeError for counts that are not whole
 * @example mcnemar(10, 3).pValue // .0923
 */
export function mcnemar(
  onlyFirstRight: number,
  onlySecondRight: number,
  form: 'exact' | 'mid-p' | 'chi-square' | 'corrected' = 'exact',
): McNemarResult {
  const test = `McNemar's test (${form})`;
  const items = onlyFirstRight + onlySecondRight;
  if (items === 0) return { pValue: null, test, reason: { code: 'no-difference' } };
  const exact = binomialTest(onlyFirstRight, items);
  if (form === 'exact') return { pValue: exact, test };
  if (form === 'mid-p') {
    const fewer = Math.min(onlyFirstRight, onlySecondRight);
    const ways = logGamma(items + 1) - logGamma(fewer + 1) - logGamma(items - fewer + 1);
    // Half of the observed outcome's own probability; where both sides are equal the exact value was cut at 1.
    const own = Math.exp(ways - items * Math.LN2);
    return { pValue: onlyFirstRight === onlySecondRight ? 1 : Math.min(1, exact - own), test };
  }
  const correction = form === 'corrected' ? 1 : 0;
  const distance = Math.max(0, Math.abs(onlyFirstRight - onlySecondRight) - correction);
  // The upper tail of chi-square with one degree of freedom.
  return { pValue: 2 * normalUpperTail(distance / Math.sqrt(items)), test };
}
