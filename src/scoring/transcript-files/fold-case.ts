/**
 * A text in lower case, character by character (Unicode's simple mappings), so that a word does not depend on its
 * neighbours: `toLowerCase` writes a Greek sigma at the end of a word otherwise, and a dotted capital I as two characters.
 * NIST's sclite without `-s` folds the letters of ASCII alone: `foldAsciiCase`.
 *
 * @example foldCase('ΛΌΓΟΣ') // 'λόγοσ'
 */
export function foldCase(text: string): string {
  return text.replace(/\p{Changes_When_Lowercased}/gu, (character) =>
    character === 'İ' ? 'i' : character.toLowerCase(),
  );
}
