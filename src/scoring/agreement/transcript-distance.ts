import { countEdits } from '../alignment/count-edits.ts';
import { errors } from '../edit-counts.ts';

/** How far apart the transcripts of two recognizers are. Counts first: pairs are pooled, not averaged. */
export interface TranscriptDistance {
  /** Edits per word of the longer transcript, from 0 (the same words) to 1 (none in common); null without pairs. */
  readonly value: number | null;
  readonly reason?: string;
  /** Least substitutions, deletions and insertions that turn one into the other. */
  readonly edits: number;
  /** Words of the longer transcript of each pair, added up. */
  readonly words: number;
  readonly pairs: number;
  /** Pairs with the same words. */
  readonly identical: number;
}

/**
 * The distance between two recognizers where no reference is known: edits over the words of the longer transcript, both
 * added up over the pairs (AequeVox: S. S. Rajan, S. Udeshi and S. Chattopadhyay, FASE 2022, Algorithm 1, as its program
 * has it; its text reads as if ratios were averaged). Symmetric. Two empty transcripts are the same: a distance of 0.
 *
 * Words are compared as strings: normalize them first, or differences of writing count as disagreement.
 *
 * @example transcriptDistance([[['the', 'cat'], ['the', 'cat', 'sat']]]).value // 1/3
 */
export function transcriptDistance(
  pairs: Iterable<readonly [readonly string[], readonly string[]]>,
): TranscriptDistance {
  let edits = 0;
  let words = 0;
  let count = 0;
  let identical = 0;
  for (const [one, other] of pairs) {
    const between = errors(countEdits(one, other));
    edits += between;
    words += Math.max(one.length, other.length);
    count++;
    if (between === 0) identical++;
  }
  const counts = { edits, words, pairs: count, identical };
  if (count === 0) return { value: null, reason: 'there is no pair of transcripts', ...counts };
  return { value: words === 0 ? 0 : edits / words, ...counts };
}

/** What one recognizer wrote: the words of each utterance, null where it gave no transcript. */
export interface RecognizerTranscripts {
  readonly recognizer: string;
  readonly transcripts: readonly (readonly string[] | null)[];
}

/** Who agrees with whom. */
export interface AgreementMatrix {
  /** As they came; rows and columns of `distances` are in this order. */
  readonly recognizers: readonly string[];
  /** Distance between two recognizers over the utterances that both transcribed; symmetric. */
  readonly distances: readonly (readonly TranscriptDistance[])[];
  /**
   * For each recognizer its distance to all others, counts pooled: the one far from everybody is suspect, though all can
   * share an error.
   */
  readonly toOthers: readonly TranscriptDistance[];
}

/**
 * Distances between all pairs of recognizers over the same utterances (`transcriptDistance`). 1 less the distance is their
 * agreement.
 *
 * @throws RangeError where recognizers have different numbers of utterances, or two the same name
 */
export function agreementMatrix(recognizers: readonly RecognizerTranscripts[]): AgreementMatrix {
  const names = recognizers.map(({ recognizer }) => recognizer);
  if (new Set(names).size < names.length)
    throw new RangeError('expected each recognizer once, but one name came twice');
  const utterances = recognizers[0]?.transcripts.length ?? 0;
  for (const { transcripts } of recognizers) {
    if (transcripts.length !== utterances) {
      throw new RangeError(
        `expected transcripts of the same ${utterances} utterances (null where there is none), but got ${transcripts.length}`,
      );
    }
  }
  const distances: TranscriptDistance[][] = recognizers.map(() => []);
  for (const [row, one] of recognizers.entries()) {
    for (const [column, other] of recognizers.entries()) {
      distances[row]!.push(column < row ? distances[column]![row]! : transcriptDistance(common(one, other)));
    }
  }
  return {
    recognizers: names,
    distances,
    toOthers: distances.map((row, self) => pooled(row.filter((_, column) => column !== self))),
  };
}

function* common(one: RecognizerTranscripts, other: RecognizerTranscripts) {
  for (const [index, words] of one.transcripts.entries()) {
    const otherWords = other.transcripts[index]!;
    if (words !== null && otherWords !== null) yield [words, otherWords] as const;
  }
}

function pooled(distances: readonly TranscriptDistance[]): TranscriptDistance {
  const total = (count: (one: TranscriptDistance) => number) => distances.reduce((sum, one) => sum + count(one), 0);
  const counts = {
    edits: total(({ edits }) => edits),
    words: total(({ words }) => words),
    pairs: total(({ pairs }) => pairs),
    identical: total(({ identical }) => identical),
  };
  if (counts.pairs === 0) return { value: null, reason: 'there is no other transcript', ...counts };
  return { value: counts.words === 0 ? 0 : counts.edits / counts.words, ...counts };
}
