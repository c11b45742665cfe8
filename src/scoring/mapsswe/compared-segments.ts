import type { AlignedWord } from '../../model/finding.ts';

/** A stretch of an utterance in which at least one of two systems errs. */
export interface ComparedSegment {
  readonly firstErrors: number;
  readonly secondErrors: number;
  /** Of the reference words: where the first error may lie, counted from 0. */
  readonly start: number;
  /** The reference word after the last error; as `start` where words were only inserted. */
  readonly end: number;
}

/** So many reference words right in both systems end a segment. */
export const defaultBoundaryWords = 2;

/**
 * Cuts an utterance into the segments that the matched-pairs test (`mapsswe` of `earwitness/statistics`) compares: a segment
 * begins with an error of either system, and ends where `boundaryWords` reference words in a row are right in both, nothing
 * inserted between them, or with the utterance. So errors in one segment do not depend on those in the next (L. Gillick
 * and S. Cox, ICASSP 1989, section 4). With two words, and alignments by sclite's weights, the segments are those of NIST's
 * sc_stats.
 *
 * @param first one utterance as the first system heard it, aligned with its reference
 * @param second the same utterance as the second heard it; the segments of many utterances are put one after another
 * @throws RangeError where the two are not aligned with as many reference words, or `boundaryWords` is not whole and above 0
 * @example comparedSegments(align(reference, one), align(reference, other))
 */
export function comparedSegments(
  first: readonly AlignedWord[],
  second: readonly AlignedWord[],
  boundaryWords = defaultBoundaryWords,
): ComparedSegment[] {
  if (!(Number.isInteger(boundaryWords) && boundaryWords > 0)) {
    throw new RangeError(`expected a whole number of boundary words above 0, but got ${boundaryWords}`);
  }
  const systems = [errorsByWord(first), errorsByWord(second)] as const;
  const words = systems[0].wrong.length;
  if (words !== systems[1].wrong.length) {
    throw new RangeError(
      `expected alignments with the same reference, but it has ${words} words in one and ${systems[1].wrong.length} in the other`,
    );
  }
  const segments: ComparedSegment[] = [];
  const found = [0, 0];
  let right = 0;
  let start = -1;
  let end = 0;
  const add = (firstErrors: number, secondErrors: number, from: number, to: number) => {
    if (firstErrors + secondErrors === 0) return false;
    found[0]! += firstErrors;
    found[1]! += secondErrors;
    if (start < 0) start = from;
    end = to;
    right = 0;
    return true;
  };
  const close = () => {
    if (start >= 0) segments.push({ firstErrors: found[0]!, secondErrors: found[1]!, start, end });
    found.fill(0);
    start = -1;
  };
  for (let word = 0; word <= words; word++) {
    add(systems[0].inserted[word]!, systems[1].inserted[word]!, word, word);
    if (word === words) break;
    const wrong = add(systems[0].wrong[word]!, systems[1].wrong[word]!, word, word + 1);
    if (!wrong && ++right >= boundaryWords) close();
  }
  close();
  return segments;
}

/** Words inserted before each reference word (and after the last), and whether each was deleted or substituted. */
function errorsByWord(aligned: readonly AlignedWord[]): { inserted: number[]; wrong: number[] } {
  const inserted = [0];
  const wrong: number[] = [];
  for (const { reference, hypothesis } of aligned) {
    if (reference === null) inserted[inserted.length - 1]!++;
    else {
      wrong.push(reference === hypothesis ? 0 : 1);
      inserted.push(0);
    }
  }
  return { inserted, wrong };
}
