// Edges of words as Python's `\b` has them for text: letters, numbers of every kind and the underscore are in words,
// combining marks are not. JavaScript's own `\b` knows ASCII only.
const inWord = '[\\p{L}\\p{N}_]';

/** Source of a pattern that matches where a word begins, before a pattern that begins with a character of a word. */
export const wordStart = `(?<!${inWord})`;

/** Source of a pattern that matches where a word ends, after a pattern that ends with a character of a word. */
export const wordEnd = `(?!${inWord})`;

/** Source of a pattern that matches one character of white space, as Python's `\s` has it. */
export const blank = '[\\p{White_Space}\\x1c-\\x1f]';

/** A pattern for any of some words, standing alone. */
export function anyWord(words: Iterable<string>): RegExp {
  return new RegExp(`${wordStart}(?:${[...words].join('|')})${wordEnd}`, 'gu');
}
