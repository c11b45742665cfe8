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

/** CLDR's names of scripts without blanks between words; Lana is that of Northern Thai. */
const unspacedScripts = new Set(
  'Hans Hant Hani Hanb Jpan Hira Kana Hrkt Bopo Thai Laoo Khmr Mymr Tibt Lana'.split(' '),
);

/**
 * The script in which a language is usually written, or which its tag names; null where nobody knows.
 *
 * @param language BCP 47 tag, in any letter case, with hyphens or underscores, or an ISO 639-2 or -3 code
 * @returns ISO 15924 code, by CLDR's likely subtags
 * @example ['zh_TW', 'jpn', 'sr-Latn', 'und'].map(scriptOf) // ['Hant', 'Jpan', 'Latn', null]
 */
export function scriptOf(language: string): string | null {
  try {
    const locale = new Intl.Locale(language.replaceAll('_', '-'));
    // ICU says nothing for `und`, which CLDR's likely subtags take for English.
    const isKnown = !['und', '', undefined].includes(locale.language);
    return (isKnown ? locale.maximize().script : locale.script) ?? null;
  } catch {
    return null;
  }
}

/** Whether a language is written without blanks between words: Chinese, Japanese, Thai, Lao, Burmese, Khmer, Tibetan and others. */
export function isWrittenUnspaced(language: string): boolean {
  return unspacedScripts.has(scriptOf(language) ?? '');
}
