import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';

/** A mark behind its letter that no letter of its own stands for, as é does for e and its accent. */
const spellingMark = /\p{L}\p{M}/u;
/** Those that follow Whisper, which drops marks. */
const droppers: ReadonlySet<string> = new Set(['basic', 'english', 'by-language']);

/**
 * Watches for texts whose vowels a normalizer takes away: Devanagari, Thai, Tamil, pointed Arabic and Hebrew write them as marks, which
 * Whisper's normalizers drop. A rate without them is lower than a reader of these scripts would say, over words that came apart.
 *
 * @example
 * const marks = watchLostMarks(basic);
 * marks.see('नमस्ते');
 * marks.hints() // one sentence
 */
export function watchLostMarks(normalizer: Normalizer): {
  see(reference: string): void;
  hints(): readonly string[];
} {
  const drops = droppers.has(normalizer.name);
  let seen = 0;
  let marked = 0;
  return {
    see(reference) {
      seen++;
      // Most texts have no mark at all: only the others are composed.
      if (drops && spellingMark.test(reference) && spellingMark.test(reference.normalize('NFKC'))) marked++;
    },
    hints: () =>
      marked === 0
        ? []
        : [
            `${marked} of ${seen} references write vowels as marks (as Hindi and Thai do), which the normalizer ${normalizer.name} drops as Whisper's does: they do not count, and words may come apart; --normalizer none keeps them, or name one of your own`,
          ],
  };
}
