import {
  addCounts,
  type EditCounts,
  errorRate,
  errors,
  hypothesisLength,
  noEdits,
  referenceLength,
} from '../edit-counts.ts';

/** Means over utterances, each counting the same, however long. */
export interface MacroRates {
  readonly wer: number | null;
  readonly cer: number | null;
  readonly mer: number | null;
  readonly wil: number | null;
  readonly wip: number | null;
  /** Utterances that the means are taken over: those with words in the reference. */
  readonly utterances: number;
  /** Utterances left out because their reference is empty. */
  readonly leftOut: number;
  /** Why the means are null. */
  readonly reason?: string;
}

/** What many utterances came to. */
export interface CorpusScore {
  readonly utterances: number;
  readonly words: EditCounts;
  readonly characters: EditCounts;
  /**
   * Rates of the counts added up over all utterances, so that every word counts the same. What was inserted where the
   * reference is empty is among the errors.
   */
  readonly pooled: ErrorRates;
  readonly macro: MacroRates;
  /**
   * As `macro`, with each utterance's rate taken for 1 where it is greater. One utterance whose reference was cut short has
   * a word error rate of 10 when the rest is recognized rightly, and moves the mean of a hundred by .1.
   */
  readonly clippedMacro: MacroRates;
  /** Utterances with at least one error. */
  readonly sentenceErrors: number;
  /** Of all utterances, also those with an empty reference; null where there are none. */
  readonly sentenceErrorRate: number | null;
}

/** Adds up utterances as they come, in memory that does not grow. */
export interface ScoreTally {
  /** Adds one utterance; gives its own rates. */
  add(words: EditCounts, characters: EditCounts): ErrorRates;
  /** What has been added so far. */
  score(): CorpusScore;
}

/**
 * @example
 * const tally = createScoreTally();
 * tally.add(countEdits(['a', 'b'], ['a']), countCharacterEdits(['a', 'b'], ['a']));
 * tally.score().pooled.wer; // .5
 */
export function createScoreTally(): ScoreTally {
  let utterances = 0;
  let leftOut = 0;
  let sentenceErrors = 0;
  let words = noEdits;
  let characters = noEdits;
  const sums = { wer: 0, cer: 0, mer: 0, wil: 0, wip: 0 };
  const clipped = { ...sums };
  const names = Object.keys(sums) as (keyof typeof sums)[];

  const macro = (of: typeof sums): MacroRates => {
    const counted = utterances - leftOut;
    const mean = (sum: number) => (counted === 0 ? null : sum / counted);
    return {
      wer: mean(of.wer),
      cer: mean(of.cer),
      mer: mean(of.mer),
      wil: mean(of.wil),
      wip: mean(of.wip),
      utterances: counted,
      leftOut,
      ...(counted > 0 ? {} : { reason: noMeans(utterances) }),
    };
  };

  return {
    add(ofWords, ofCharacters) {
      utterances++;
      words = addCounts(words, ofWords);
      characters = addCounts(characters, ofCharacters);
      if (errors(ofWords) > 0) sentenceErrors++;
      const rates = errorRates(ofWords, ofCharacters);
      if (referenceLength(ofWords) === 0) {
        leftOut++;
      } else {
        for (const name of names) {
          sums[name] += rates[name]!;
          clipped[name] += Math.min(1, rates[name]!);
        }
      }
      return rates;
    },
    score: () => ({
      utterances,
      words,
      characters,
      pooled:
        utterances === 0 ? { ...errorRates(noEdits, noEdits), reason: noMeans(0) } : errorRates(words, characters),
      macro: macro(sums),
      clippedMacro: macro(clipped),
      sentenceErrors,
      sentenceErrorRate: utterances === 0 ? null : sentenceErrors / utterances,
    }),
  };
}

function noMeans(utterances: number): string {
  return utterances === 0 ? 'there are no utterances' : 'every reference is empty';
}

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
