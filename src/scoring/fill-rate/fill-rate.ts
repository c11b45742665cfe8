/** How many of the transcripts that should be the same are the same. */
export interface FillRate {
  /** Share of pairs whose words are the same in the same order, from 0 to 1; null without pairs. */
  readonly value: number | null;
  readonly reason?: string;
  readonly satisfied: number;
  readonly pairs: number;
}

/**
 * Fill rate as SR-MT reports it (Y. Wang, K. Ben and X. Zhang, "SR-MT", MET 2022, section 4.3; its repository's program):
 * the share of sentences whose transcript after a change of sound is word for word that of the source. Nothing is folded:
 * tokens are compared as they come, and two empty transcripts are the same. Both transcripts may come from the same clean
 * sound, which tells how much of it is the recognizer's own unsteadiness.
 *
 * @param pairs tokens (words, or characters) of both transcripts
 * @example fillRate([[['a', 'b'], ['a', 'b']], [['a', 'b'], ['a']]]).value // .5
 */
export function fillRate(pairs: Iterable<readonly [source: readonly string[], followUp: readonly string[]]>): FillRate {
  let satisfied = 0;
  let count = 0;
  for (const [source, followUp] of pairs) {
    count++;
    if (source.length === followUp.length && source.every((token, index) => token === followUp[index])) satisfied++;
  }
  return count === 0
    ? { value: null, reason: 'there are no pairs', satisfied, pairs: count }
    : { value: satisfied / count, satisfied, pairs: count };
}
