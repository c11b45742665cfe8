import type { Normalizer } from './normalizer.ts';

/** A mark behind its letter that no letter of its own stands for, as é does for e and its accent. */
const spellingMark = /\p{L}\p{M}/u;

/** Sees references, and tells of those that lost marks. */
export interface LostMarks {
  see(reference: string, language?: string): void;
  /**
   * One sentence without its end, for people; null where nothing was lost.
   *
   * @param showsWord whether one of the words may be shown
   */
  told(showsWord: boolean): string | null;
}

/**
 * Watches for texts whose vowels a normalizer takes away: Devanagari, Thai, Tamil, pointed Arabic and Hebrew write them as marks, which
 * Whisper's normalizers drop. A rate without them is lower than a reader of these scripts would say, over words that came apart.
 *
 * @example
 * const marks = watchLostMarks(basic);
 * marks.see('नमस्ते');
 * marks.told(false) // '1 of 1 references write vowels as marks (as …), which the normalizer basic drops as …'
 */
export function watchLostMarks(normalizer: Normalizer): LostMarks {
  let seen = 0;
  let marked = 0;
  let example = '';
  return {
    see(reference, language) {
      seen++;
      // Most texts have no mark at all: only the others are composed.
      if (!spellingMark.test(reference) || !spellingMark.test(reference.normalize('NFKC'))) return;
      const word = reference.split(/\s+/).find((one) => spellingMark.test(one.normalize('NFKC'))) ?? reference;
      const left = normalizer.words(word, language);
      if (left.some((one) => /\p{M}/u.test(one))) return;
      marked++;
      if (example === '') example = `${word} becomes ${left.join(' ') || 'nothing'}`;
    },
    told: (showsWord) =>
      marked === 0
        ? null
        : `${marked} of ${seen} references write vowels as marks (as Hindi and Thai do), which the normalizer ${normalizer.name} drops as Whisper's does: they do not count, and words come apart${showsWord ? ` (${example})` : ''}`,
  };
}
