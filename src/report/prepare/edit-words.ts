import type { AlignedWord } from '../../model/finding.ts';
import { counted } from '../format/sample-size.ts';

/** What became of one word. */
export type Edit = 'same' | 'substitution' | 'deletion' | 'insertion';

/** Which edit an aligned pair stands for. */
export function editOf(word: AlignedWord): Edit {
  if (word.reference === null) return 'insertion';
  if (word.hypothesis === null) return 'deletion';
  return word.reference === word.hypothesis ? 'same' : 'substitution';
}

/**
 * The edits of an alignment in words, without saying any of its words.
 *
 * @example describeEdits([{ reference: 'a', hypothesis: null }]) // '1 error in 1 word: 1 deletion'
 */
export function describeEdits(aligned: readonly AlignedWord[]): string {
  const counts = { same: 0, substitution: 0, deletion: 0, insertion: 0 };
  for (const word of aligned) counts[editOf(word)]++;
  const parts = (['substitution', 'deletion', 'insertion'] as const)
    .filter((edit) => counts[edit] > 0)
    .map((edit) => counted(counts[edit], edit));
  const words = counted(counts.same + counts.substitution + counts.deletion, 'word');
  if (parts.length === 0) return `no error in ${words}`;
  return `${counts.substitution + counts.deletion + counts.insertion} errors in ${words}: ${parts.join(', ')}`.replace(
    /^1 errors/,
    '1 error',
  );
}

/** The words that were said, from an alignment. */
export function referenceWords(aligned: readonly AlignedWord[]): readonly string[] {
  return aligned.flatMap((word) => (word.reference === null ? [] : [word.reference]));
}
