import { addCounts, type EditCounts, errors, noEdits, referenceLength } from '../edit-counts.ts';
import { type ErrorRates, errorRates } from './error-rates.ts';

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
