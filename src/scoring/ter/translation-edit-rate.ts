import { alignWithinBeam } from './beam-alignment.ts';
import { bestShift, mostShiftCandidates } from './best-shift.ts';

/** Edits and reference words of one text or of many. */
export interface TerScore {
  /** Edits per word of the reference, 0 or more (sacreBLEU prints it times 100); null with `reason`. */
  readonly value: number | null;
  readonly reason?: string;
  /** Insertions, deletions, substitutions and shifts; of several references the fewest. */
  readonly edits: number;
  /** Words of the reference; of several the mean. */
  readonly referenceLength: number;
}

/**
 * Translation edit rate (M. Snover et al., "A study of translation edit rate with targeted human annotation", AMTA 2006):
 * like the word error rate, but moving a stretch of words counts as one edit. Finding the fewest edits is too hard, so the
 * search is that of Tercom as sacreBLEU 2.6.0 has it: shifts of at most 10 words over at most 50, the one that saves most
 * first, at most 1,000 tried; agrees with sacreBLEU, which lower-cases texts and splits them at white space.
 *
 * @param pairs words as they are to be compared; several references for a hypothesis are possible
 * @throws RangeError for a pair without a reference
 * @example translationEditRate([{ references: [['b', 'c', 'd', 'a']], hypothesis: ['a', 'b', 'c', 'd'] }]).edits // 1
 */
export function translationEditRate(
  pairs: Iterable<{ readonly references: readonly (readonly string[])[]; readonly hypothesis: readonly string[] }>,
): TerScore {
  let edits = 0;
  let referenceLength = 0;
  for (const { references, hypothesis } of pairs) {
    if (references.length === 0) throw new RangeError('expected at least one reference for TER, but got none');
    edits += references.reduce((fewest, words) => Math.min(fewest, countShiftedEdits(words, hypothesis)), Infinity);
    referenceLength += references.reduce((sum, words) => sum + words.length, 0) / references.length;
  }
  return referenceLength === 0
    ? { value: null, reason: 'the reference is empty', edits, referenceLength }
    : { value: edits / referenceLength, edits, referenceLength };
}

function countShiftedEdits(reference: readonly string[], hypothesis: readonly string[]): number {
  if (reference.length === 0) return hypothesis.length;
  const numbers = new Map<string, number>();
  const numbered = (words: readonly string[]) =>
    Int32Array.from(words, (word) => {
      const number = numbers.get(word) ?? numbers.size;
      numbers.set(word, number);
      return number;
    });
  const referenceNumbers = numbered(reference);
  let words: Int32Array = numbered(hypothesis);
  let shifts = 0;
  let tried = 0;
  for (;;) {
    const shift = bestShift(referenceNumbers, words, mostShiftCandidates - tried);
    tried += shift.tried;
    if (tried >= mostShiftCandidates || shift.saved <= 0) break;
    words = shift.words;
    shifts++;
  }
  return shifts + alignWithinBeam(referenceNumbers, words, null);
}
