import { type EditCounts, errorRate, hypothesisLength, referenceLength } from '../edit-counts.ts';
import { matchErrorRate } from './match-error-rate.ts';
import { wordAccuracy } from './word-accuracy.ts';
import { wordInformationLost, wordInformationPreserved } from './word-information.ts';

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
