import type { AlignedWord } from '../../model/finding.ts';

/** One place of an alignment; `leftOut` marks an optional word that the other side lacks, which is no error. */
export interface AlignedPlace extends AlignedWord {
  readonly leftOut?: true;
}

/** Whether the words of a place differ, and should not. */
export function isError({ reference, hypothesis, leftOut }: AlignedPlace): boolean {
  return reference !== hypothesis && !leftOut;
}

/** Whether nobody said the word of a place. */
export function isInsertion({ reference, leftOut }: AlignedPlace): boolean {
  return reference === null && !leftOut;
}
