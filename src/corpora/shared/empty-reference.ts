import { oneOf } from '../../base/option-kinds.ts';

/** The option by which a corpus says what an empty reference means. */
export const emptyReference = oneOf(['not transcribed', 'silence'])
  .optional()
  .describe(
    'What an empty reference means: not transcribed, and nothing is held against it; or silence: nobody speaks there, and what is recognized counts as added words. Default: not transcribed, counted in a warning.',
  );

/** @example emptyReferencesWarning(2, '18 rows have') // '2 of 18 rows have an empty reference: not transcribed. …' */
export function emptyReferencesWarning(empty: number, ofAll: string): string {
  return `${empty} of ${ofAll} an empty reference, which counts as not transcribed; if nobody speaks there, set emptyReference: silence`;
}
