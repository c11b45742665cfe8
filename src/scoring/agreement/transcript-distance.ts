import { countEdits } from '../alignment/align.ts';
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
