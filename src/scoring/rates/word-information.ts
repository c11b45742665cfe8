import { type EditCounts, hypothesisLength, referenceLength } from '../edit-counts.ts';

/**
 * Word information preserved, from 0 to 1: the share of reference words that were matched times the share of hypothesis
 * words that were (A. C. Morris, V. Maier and P. Green, "From WER and RIL to MER and WIL", Interspeech 2004, section 4: an
 * approximation to the mutual information of reference and hypothesis). 0 where one side is empty and the other not:
 * nothing is preserved. Null where neither side has a word.
 *
 * @example wordInformationPreserved({ correct: 2, substitutions: 1, deletions: 0, insertions: 1 }) // 2/3 x 2/4
 */
export function wordInformationPreserved(counts: EditCounts): number | null {
  const reference = referenceLength(counts);
  const hypothesis = hypothesisLength(counts);
  if (reference === 0 && hypothesis === 0) return null;
  return counts.correct === 0 ? 0 : (counts.correct / reference) * (counts.correct / hypothesis);
}

/**
 * Word information lost: what `wordInformationPreserved` leaves of 1, from 0 to 1; null where neither side has a word.
 *
 * @example wordInformationLost({ correct: 2, substitutions: 1, deletions: 0, insertions: 1 }) // 2/3
 */
export function wordInformationLost(counts: EditCounts): number | null {
  const preserved = wordInformationPreserved(counts);
  return preserved === null ? null : 1 - preserved;
}
