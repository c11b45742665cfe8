/** Sums of the same numbers in another order differ by some 1e-15 of what was added; differences that matter by far more than this. */
const relative = 1e-9;

/**
 * How far a statistic of rearranged data may lie nearer than the observed one and count as equal to it. What is equal on paper
 * (the mirror image of the observed arrangement above all) differs in the last digits, and p would be up to half of what it is.
 *
 * @param scale how large the numbers are whose sum or difference the statistic is: 1 where it is in standard errors
 * @returns 0 for infinite statistics
 * @example arranged >= observed - tieSlack(observed) // as far out as the observed
 */
export function tieSlack(observed: number, scale = 1): number {
  return Number.isFinite(observed) ? relative * (scale + Math.abs(observed)) : 0;
}
