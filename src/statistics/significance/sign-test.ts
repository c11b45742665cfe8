import { requireFinite } from '../finite-values.ts';
import { type Alternative, binomialTest } from './binomial-test.ts';

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
): { readonly positive: number; readonly negative: number; readonly pValue: number | null; readonly reason?: string } {
  requireFinite(differences, 'differences');
  let positive = 0;
  let negative = 0;
  for (let index = 0; index < differences.length; index++) {
    if (differences[index]! > 0) positive++;
    else if (differences[index]! < 0) negative++;
  }
  if (positive + negative === 0) return { positive, negative, pValue: null, reason: 'there is no difference to count' };
  return { positive, negative, pValue: binomialTest(positive, positive + negative, 0.5, alternative) };
}
