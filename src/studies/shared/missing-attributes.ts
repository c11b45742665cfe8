import { counted, named, percent } from './wording.ts';

/**
 * Who is in no group, because nobody knows to which they belong.
 *
 * @param missing attributes that make groups, and utterances without each
 * @param of all utterances
 */
export function missingAttributeWarnings(
  missing: readonly { readonly attribute: string; readonly utterances: number }[],
  of: number,
): string[] {
  return missing
    .filter(({ utterances }) => utterances > 0)
    .map(
      ({ attribute, utterances }) =>
        `${named(attribute)} is not known for ${counted(utterances, 'utterance')} (${percent(utterances, of)}): they are in no group of it.`,
    );
}
