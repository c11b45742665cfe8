import { longestTag, undeterminedLanguage } from '../../base/language-tag.ts';
import { isWrittenUnspaced, scriptOf } from '../../base/scripts.ts';
import { basicCharacters, basicTurkic, basicUnpointed, plain } from './basic.ts';
import { chinese } from './chinese/chinese.ts';
import type { Normalizer } from './normalizer.ts';
import { plainEnglish } from './plain-english/plain-english.ts';

const inChinese = new Set(['Hans', 'Hant', 'Hani', 'Hanb', 'Bopo']);
const pointed = new Set(['Arab', 'Hebr', 'Syrc']);
/** Written in Latin letters with ı and İ. */
const turkic = new Set(['tr', 'az', 'gag', 'crh', 'tt', 'ba', 'kk']);

const ofLanguages: readonly Normalizer[] = [plainEnglish, plain, basicUnpointed, basicTurkic, basicCharacters, chinese];

const found = new Map<string, Normalizer>();
/** Tags come from lists of others' making: no more than so many are kept. */
const maxKept = 10_000;

/**
 * What counts texts of a language wherever nobody names a normalizer: `plain-english` for English, spoken anywhere; `chinese` for Chinese in characters; `basic-characters` for other
 * languages without blanks between words; by its script or language `basic-unpointed` or `basic-turkic`; `plain` for every
 * other, and where none is known.
 *
 * @param language BCP 47 tag, in any letter case, with hyphens or underscores: `en-GB`, `hi_IN`
 */
export function normalizerOf(language: string | undefined): Normalizer {
  const tag = language ?? '';
  const known = found.get(tag);
  if (known !== undefined) return known;
  const normalizer = findNormalizer(tag);
  if (found.size < maxKept) found.set(tag, normalizer);
  return normalizer;
}

function findNormalizer(tag: string): Normalizer {
  const script = scriptOf(tag);
  if (script === null) return plain;
  const { language } = new Intl.Locale(tag.replaceAll('_', '-'));
  if (language === 'en') return plainEnglish;
  if (inChinese.has(script)) return chinese;
  if (isWrittenUnspaced(tag)) return basicCharacters;
  if (pointed.has(script)) return basicUnpointed;
  if (script === 'Latn' && turkic.has(language)) return basicTurkic;
  return plain;
}

/**
 * What `byLanguage` came to, for the name beside a rate: the only one that was used, or itself, with their names, where several were.
 *
 * @param used of `normalizerOf`, for all texts
 * @example normalizerAlone(new Set([normalizerOf('en'), normalizerOf('en-IN')])).name // 'plain-english'
 */
export function normalizerAlone(used: ReadonlySet<Normalizer>): Normalizer {
  if (used.size > 1) return { ...byLanguage, used: Array.from(used, ({ name }) => name).sort() };
  return [...used][0] ?? normalizerOf(undefined);
}

/**
 * What `byLanguage` comes to for texts of these languages: as `normalizerAlone`, but texts of one language are counted alike. Those of
 * which nobody says the language are taken for the one that the others are in, and a tag that names another script than the language is
 * usually written in (`zh-Latn-pinyin`, which voices have) does not make words of the one and characters of the other.
 *
 * @example normalizerOfLanguages(['zh', 'zh-CN', 'und']).name // 'chinese'
 */
export function normalizerOfLanguages(languages: Iterable<string>): Normalizer {
  const tags = [...languages];
  const stated = tags.filter((tag) => primary(tag) !== undeterminedLanguage);
  const [first, ...others] = new Set(stated.map(primary));
  const alone = normalizerAlone(new Set((others.length > 0 || stated.length === 0 ? tags : stated).map(normalizerOf)));
  return first !== undefined && others.length === 0 && mixesUnits(alone) ? normalizerOf(first) : alone;
}

function primary(tag: string): string {
  return longestTag(tag).split('-', 1)[0]!;
}

/** Whether a normalizer asks for the language of each text, with equal spellings or without. */
export function goesByLanguage(normalizer: Pick<Normalizer, 'name' | 'spelled'>): boolean {
  return (normalizer.spelled?.base ?? normalizer).name === byLanguage.name;
}

const isOfCharacters = (name: string) => name === chinese.name || name === basicCharacters.name;

/** Whether some texts were counted in characters, and others in words: a rate over all of them is of both. */
export function mixesUnits({ used = [] }: Pick<Normalizer, 'used'>): boolean {
  return used.some(isOfCharacters) && !used.every(isOfCharacters);
}

/** Whether characters are words in some texts, so that no blank beside them counts in a CER. */
export function countsCharacters(normalizer: Normalizer): boolean {
  const { used, hasCharacterWords } = normalizer;
  return used?.some(isOfCharacters) ?? (!goesByLanguage(normalizer) && hasCharacterWords !== undefined);
}

/** Whether words that were counted by the normalizer of this name and version are counted so by this one, if it may be by what it takes for a language. */
export function countsAs(normalizer: Normalizer, { name, version }: Pick<Normalizer, 'name' | 'version'>): boolean {
  const own = name.split('+', 1)[0];
  const same = [normalizer.spelled?.base ?? normalizer, ...(goesByLanguage(normalizer) ? ofLanguages : [])];
  return same.some((one) => one.name === own && one.version === version);
}

/** What `by-language` came to, with the equal spellings that were put on it. */
export function spelledAs({ spelled }: Normalizer, settled: Normalizer): Normalizer {
  return spelled === undefined ? settled : spelled.on(settled);
}

/**
 * The words of a normalizer, and in the end what it came to: itself, or of `byLanguage` what `normalizerAlone` says.
 *
 * @example
 * const { words, settled } = watched(byLanguage);
 * words("I don't", 'en-GB');
 * settled().name // 'plain-english'
 */
export function watched(normalizer: Normalizer): {
  words(text: string, language?: string): string[];
  settled(): Normalizer;
} {
  const used = new Set<Normalizer>();
  return {
    words(text, language) {
      used.add(normalizerOf(language));
      return normalizer.words(text, language);
    },
    settled: () => (goesByLanguage(normalizer) ? spelledAs(normalizer, normalizerAlone(used)) : normalizer),
  };
}

/**
 * Each text by its language, as `normalizerOf` has it.
 *
 * @example
 * byLanguage.words("I don't", 'en-GB') // ['i', 'do', 'not']
 * byLanguage.words("Je n'ai", 'fr') // ['je', 'n', 'ai']
 * byLanguage.words('दुनिया', 'hi') // ['दुनिया']
 * byLanguage.words('İstanbul', 'tr') // ['istanbul']
 * byLanguage.words('你好', 'zh') // ['你', '好']
 */
export const byLanguage: Normalizer = {
  name: 'by-language',
  // Rises with each of them, and with what is treated by which.
  version: ofLanguages.reduce((sum, { version }) => sum + version, 5),
  about:
    'Each text by its language: plain-english, chinese, basic-characters (Japanese, Thai, …), basic-unpointed (Arabic, …), basic-turkic, else plain.',
  hasCharacterWords: (language) => normalizerOf(language).hasCharacterWords?.() ?? false,
  words: (text, language) => normalizerOf(language).words(text, language),
  explain: (text, language) => normalizerOf(language).explain(text, language),
};
