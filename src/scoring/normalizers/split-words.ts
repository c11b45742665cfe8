/**
 * White space as Python's `str.split()` and `\s` have it: Unicode's White_Space and the four separators U+001C to U+001F.
 * A byte order mark and zero-width characters are not among it.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the separators U+001C to U+001F are meant
export const whiteSpace = /[\p{White_Space}\x1c-\x1f]+/gu;

/** The stretches between white space. */
export function splitWords(text: string): string[] {
  return text.split(whiteSpace).filter((word) => word !== '');
}
