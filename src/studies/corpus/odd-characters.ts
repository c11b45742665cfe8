/** What is found wrong with the characters of a reference, in words; characters that must not be shown by their number. */
export type OddCharacters = readonly string[];

const controls = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const invisible = /[\u00ad\u180e\u200b\u2060-\u2064\ufeff]/u;
/** Joiners belong to the spelling of Persian and many Indian languages, and to nothing written in Latin letters. */
const strayJoiner = /(?:^|[\p{Script=Latin}\d\s])[\u200c\u200d]/u;
const markup = /<\/?[A-Za-z!][^<>]{0,200}>|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});/iu;
/** UTF-8 that was read as Latin-1 or Windows-1252, and characters that were lost on the way. */
const misread = /[ÃÂ][\u0080-\u00bf]|â€|\ufffd/u;
const word = /[\p{L}\p{M}]+/gu;
/** Scripts whose letters look alike: a word with letters of two of them was misread or made to deceive. */
const alike = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u];

/**
 * Characters that do not belong into a transcript: control characters, invisible ones, markup, signs of a wrong
 * encoding, words with letters of several look-alike scripts.
 *
 * @example oddCharacters('a\u200Bb') // ['the invisible character U+200B']
 */
export function oddCharacters(text: string): OddCharacters {
  const found: string[] = [];
  const control = controls.exec(text);
  if (control !== null) found.push(`the control character ${codePoint(control[0])}`);
  const hidden = invisible.exec(text)?.[0] ?? strayJoiner.exec(text)?.[0].at(-1);
  if (hidden !== undefined) found.push(`the invisible character ${codePoint(hidden)}`);
  if (markup.test(text)) found.push('markup (<…> or &…;)');
  if (misread.test(text)) found.push('signs of a wrong encoding');
  for (const [letters] of text.matchAll(word)) {
    if (alike.filter((script) => script.test(letters)).length < 2) continue;
    found.push('a word with letters of several scripts');
    break;
  }
  return found;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
