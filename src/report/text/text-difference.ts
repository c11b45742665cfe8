import { visibleText } from '../../base/visible-text.ts';
import type { AlignedWord } from '../../model/finding.ts';
import { editOf } from '../prepare/edit-words.ts';

/**
 * An alignment on one line, in the marks of wdiff: `the [-cat-] {+hat+} sat`.
 */
export function textDifference(aligned: readonly AlignedWord[]): string {
  return aligned.map(wordText).join(' ');
}

function wordText(word: AlignedWord): string {
  const reference = visibleText(word.reference ?? '');
  const hypothesis = visibleText(word.hypothesis ?? '');
  switch (editOf(word)) {
    case 'same':
      return reference;
    case 'deletion':
      return `[-${reference}-]`;
    case 'insertion':
      return `{+${hypothesis}+}`;
    case 'substitution':
      return `[-${reference}-] {+${hypothesis}+}`;
  }
}
