import { type EditCounts, errorRate, errors, hypothesisLength, referenceLength } from '../edit-counts.ts';

/** Rates of one alignment, or of many whose counts were added up. */
export interface ErrorRates {
  /** Word error rate, 0 or more. */
  readonly wer: number | null;
  /** Character error rate, 0 or more. */
  readonly cer: number | null;
  /** Match error rate, 0 to 1. */
  readonly mer: number | null;
  /** Word information lost, 0 to 1. */
  readonly wil: number | null;
  /** Word information preserved, 0 to 1. */
  readonly wip: number | null;
  /** 1 less the word error rate. */
  readonly wordAccuracy: number | null;
  /** Why some of them are null. */
  readonly reason?: string;
}

/**
 * The rates that follow from counts of words and of characters. Word error rate, character error rate and word accuracy do
 * not exist for an empty reference (jiwer gives the number of insertions there, which is a count and no rate); the
 * others not where both sides are empty.
 *
 * @param characters counts of the characters with the blanks between the words, as `countCharacterEdits` gives them: the
 * character error rate of jiwer. NIST's sclite leaves the blanks out.
 * @example errorRates(countEdits(['a', 'b'], ['a']), countCharacterEdits(['a', 'b'], ['a'])).wer // .5
 */
export function errorRates(words: EditCounts, characters: EditCounts): ErrorRates {
  const reason =
    referenceLength(words) > 0
      ? null
      : hypothesisLength(words) > 0
        ? 'the reference is empty'
        : 'reference and hypothesis are empty';
  return {
    wer: errorRate(words),
    cer: errorRate(characters),
    mer: matchErrorRate(words),
    wil: wordInformationLost(words),
    wip: wordInformationPreserved(words),
    wordAccuracy: wordAccuracy(words),
    ...(reason === null ? {} : { reason }),
  };
}

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

/**
 * Word accuracy: 1 less the word error rate, so that insertions count against it and it can be negative (NIST's sclite,
 * HTK's `Acc`; the share of words that are correct is another measure). Null for an empty reference.
 *
 * @example wordAccuracy({ correct: 2, substitutions: 1, deletions: 0, insertions: 1 }) // 1/3
 */
export function wordAccuracy(counts: EditCounts): number | null {
  const rate = errorRate(counts);
  return rate === null ? null : 1 - rate;
}

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
