import { holm } from '../../statistics/significance/multiplicity.ts';

/**
 * P values corrected for all of them together, and how a report names that: over how many comparisons it was made, which those
 * without a test are none of.
 *
 * @param why they are not tested jointly, for readers who see that elsewhere
 * @example correctByHolm([0.01, null, 0.3], 'each asks trials of its own')
 * // { adjusted: [0.02, null, 0.3], correction: 'Holm correction over 2 (each asks trials of its own)' }
 */
export function correctByHolm(
  pValues: readonly (number | null)[],
  why: string,
): {
  readonly adjusted: readonly (number | null)[];
  readonly correction: string;
} {
  const tested = pValues.filter((pValue) => pValue !== null).length;
  return { adjusted: holm(pValues), correction: `Holm correction over ${tested}${tested > 1 ? ` (${why})` : ''}` };
}
