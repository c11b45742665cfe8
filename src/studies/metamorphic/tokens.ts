import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';

export type Unit = 'words' | 'characters';

/** Languages written without blanks between words: Chinese, Japanese, Thai, Lao, Burmese, Khmer, Tibetan. */
const withoutBlanks = new Set(['zh', 'yue', 'wuu', 'hak', 'nan', 'cmn', 'ja', 'th', 'lo', 'my', 'km', 'bo']);

/** The language without region and script: results are kept apart by it. */
export function primaryLanguage(language: string): string {
  return language.toLowerCase().split('-', 1)[0]!;
}

/** What is compared in a language where nobody says: characters where blanks do not part words. */
export function unitOf(language: string, wanted: Unit | null): Unit {
  return wanted ?? (withoutBlanks.has(primaryLanguage(language)) ? 'characters' : 'words');
}

/** Normalized words of a transcript, or the code points of these without blanks. */
export function tokensOf(text: string, unit: Unit, normalizer: Normalizer, language?: string): string[] {
  const words = normalizer.words(text, language);
  return unit === 'words' ? words : [...words.join('')];
}
