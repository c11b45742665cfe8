import { basic } from './basic.ts';
import { english } from './english/english.ts';
import type { Normalizer } from './normalizer.ts';

/** Whether a BCP 47 tag is of English, spoken anywhere: `en`, `en-GB`, `EN_us`. */
export function isEnglish(language: string): boolean {
  return /^en(g|[-_]|$)/i.test(language);
}

const chosen = (language: string | undefined) => (language !== undefined && isEnglish(language) ? english : basic);

/**
 * Each text by its language: `english` for English, `basic` for every other, and where no language is known.
 *
 * @example
 * byLanguage.words("I don't", 'en-GB') // ['i', 'do', 'not']
 * byLanguage.words("Je n'ai", 'fr') // ['je', 'n', 'ai']
 */
export const byLanguage: Normalizer = {
  name: 'by-language',
  // Rises with either of the two.
  version: english.version + basic.version - 1,
  about: 'Each text by its language: english for English, basic for every other and where no language is known.',
  words: (text, language) => chosen(language).words(text),
  explain: (text, language) => chosen(language).explain(text),
};
