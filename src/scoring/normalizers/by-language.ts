import { basic, basicCharacters, basicMarks } from './basic.ts';
import { chinese } from './chinese/chinese.ts';
import { english } from './english/english.ts';
import type { Normalizer } from './normalizer.ts';

/** Primary subtags of languages that part words by blanks and write vowels as marks: the scripts of India, Nepal and Sri Lanka. */
const vowelsAsMarks = new Set(
  'as asm awa bgc bho bn ben brx doi gom gu guj hi hin hne kn kan kok mag mai ml mal mr mar mwr ne nep npi or ori ory pa pan raj sa san sck si sin ta tam te tel tcy'.split(
    ' ',
  ),
);

/** Chinese in characters; of the others, Japanese, Thai, Lao, Burmese, Khmer and Tibetan are written without blanks between words too. */
const inChinese = new Set('zh zho chi cmn yue wuu hak nan gan hsn'.split(' '));
const withoutBlanks = new Set('ja jpn th tha lo lao my mya bur km khm bo bod tib'.split(' '));

/**
 * The normalizer of a language: `english` for English, spoken anywhere; `chinese` for Chinese; `basic-characters` for other languages
 * without blanks between words; `basic-marks` for the languages of South Asia that write vowels as marks; `basic` for every other, and
 * where none is known.
 *
 * @param language BCP 47 tag, in any letter case, with hyphens or underscores: `en-GB`, `hi_IN`
 */
export function normalizerOf(language: string | undefined): Normalizer {
  const [primary = ''] = (language ?? '').toLowerCase().split(/[-_]/, 1);
  if (primary === 'en' || primary === 'eng') return english;
  if (inChinese.has(primary)) return chinese;
  if (withoutBlanks.has(primary)) return basicCharacters;
  return vowelsAsMarks.has(primary) ? basicMarks : basic;
}

/**
 * What `byLanguage` came to, for the name beside a rate: the only one that was used, or itself where several were.
 *
 * @param used of `normalizerOf`, for all texts
 * @example normalizerAlone(new Set([normalizerOf('en'), normalizerOf('en-IN')])).name // 'english'
 */
export function normalizerAlone(used: ReadonlySet<Normalizer>): Normalizer {
  return used.size > 1 ? byLanguage : ([...used][0] ?? normalizerOf(undefined));
}

/**
 * The words of a normalizer, and in the end what it came to: itself, or of `byLanguage` what `normalizerAlone` says.
 *
 * @example
 * const { words, settled } = watched(byLanguage);
 * words("I don't", 'en-GB');
 * settled().name // 'english'
 */
export function watched(normalizer: Normalizer): {
  words(text: string, language: string): string[];
  settled(): Normalizer;
} {
  const used = new Set<Normalizer>();
  return {
    words(text, language) {
      used.add(normalizerOf(language));
      return normalizer.words(text, language);
    },
    settled: () => (normalizer.name === byLanguage.name ? normalizerAlone(used) : normalizer),
  };
}

/**
 * Each text by its language, as `normalizerOf` has it.
 *
 * @example
 * byLanguage.words("I don't", 'en-GB') // ['i', 'do', 'not']
 * byLanguage.words("Je n'ai", 'fr') // ['je', 'n', 'ai']
 * byLanguage.words('दुनिया', 'hi') // ['दुनिया']
 * byLanguage.words('你好', 'zh') // ['你', '好']
 */
export const byLanguage: Normalizer = {
  name: 'by-language',
  // Rises with each of them, and with what is treated by which.
  version: english.version + basic.version + basicMarks.version + chinese.version + basicCharacters.version - 1,
  about:
    'Each text by its language: english, chinese, basic-characters (Japanese, Thai, …), basic-marks (Hindi, Tamil, …), else basic.',
  hasCharacterWords: (language) => normalizerOf(language).hasCharacterWords?.() ?? false,
  words: (text, language) => normalizerOf(language).words(text),
  explain: (text, language) => normalizerOf(language).explain(text),
};
