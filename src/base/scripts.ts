/** Characters of scripts that are written without blanks between words, for a class of a regular expression with the flag `u`. */
export const unspaced = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}ー々`;

const one = new RegExp(`^[${unspaced}]\\p{M}*$`, 'u');
/** Before the first of them, Thai. */
const first = 0x0e00;

/**
 * Whether a word is a single character of such a script, with its marks: a unit that a normalizer made, and no word that blanks part.
 *
 * @example [isUnspaced('京'), isUnspaced('北京'), isUnspaced('a')] // [true, false, false]
 */
export function isUnspaced(word: string): boolean {
  return word.charCodeAt(0) >= first && one.test(word);
}
