import { type Alternative, binomialTest } from './binomial-test.ts';

/**
 * The sign test on paired differences (or any numbers): whether as many are above 0 as below. Zeros say nothing and are
 * left out; null where nothing is left. J. Arbuthnott (1710); exact.
 *
 * @param alternative `greater`: more are above 0
 */
export function signTest(
  differences: ArrayLike<number>,
  alternative: Alternative = 'two-sided',
): { readonly positive: number; readonly negative: number; readonly pValue: number | null; readonly reason?: string } {
  let positive = 0;
  let negative = 0;
  for (let index = 0; index < differences.length; index++) {
    if (differences[index]! > 0) positive++;
    else if (differences[index]! < 0) negative++;
  }
  if (positive + negative === 0) return { positive, negative, pValue: null, reason: 'there is no difference to count' };
  return { positive, negative, pValue: binomialTest(positive, positive + negative, 0.5, alternative) };
}
