import { type EditCounts, errors } from '../edit-counts.ts';

/**
 * Match error rate: the share of aligned places that are no match, from 0 to 1 (A. C. Morris, V. Maier and P. Green, "From
 * WER and RIL to MER and WIL", Interspeech 2004, section 3). Unlike the word error rate it stays below 1 when much is
 * inserted. Null where neither side has a word.
 *
 * @example matchErrorRate({ correct: 2, substitutions: 1, deletions: 0, insertions: 1 }) // .5
 */
export function matchErrorRate(counts: EditCounts): number | null {
  const places = counts.correct + errors(counts);
  return places === 0 ? null : errors(counts) / places;
}
