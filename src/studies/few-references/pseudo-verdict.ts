import type { Word } from '../../model/observation.ts';
import { rover } from '../../scoring/agreement/rover.ts';
import { countEdits } from '../../scoring/alignment/count-edits.ts';
import { errors } from '../../scoring/edit-counts.ts';
import type { FewReferencesOptions } from './options.ts';

/** What a recognizer wrote of one recording. */
export interface Heard {
  readonly words: readonly string[];
  /** As it gave them, where it gave them. */
  readonly timed: readonly Word[] | undefined;
}

/** What stands for errors and words where there is no reference. */
export interface PseudoVerdict {
  readonly errors: number;
  readonly words: number;
}

/**
 * A verdict without a reference, by the transcripts of others or by what the recognizer says of itself.
 *
 * - distance: edits against each of the others and their words, both as means
 * - majority: edits against the words that most of the others have (`rover`)
 * - confidence: 1 less the confidence of each word, over the words; what was left out it cannot tell
 *
 * @param others what the judges wrote, without those that failed
 * @returns null where there is none: no judge answered, or no confidences were given
 */
export function pseudoVerdict(
  verdict: FewReferencesOptions['verdict'],
  own: Heard,
  others: readonly Heard[],
): PseudoVerdict | null {
  if (verdict === 'confidence') {
    const { timed } = own;
    if (timed === undefined || timed.some(({ confidence }) => confidence === undefined)) return null;
    return { errors: timed.reduce((sum, { confidence }) => sum + 1 - confidence!, 0), words: timed.length };
  }
  if (others.length === 0) return null;
  if (verdict === 'majority' && others.length > 1) {
    const { words } = rover(others);
    return { errors: errors(countEdits(words, own.words)), words: words.length };
  }
  const total = { errors: 0, words: 0 };
  for (const { words } of others) {
    total.errors += errors(countEdits(words, own.words)) / others.length;
    total.words += words.length / others.length;
  }
  return total;
}
