import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { RelationOptions } from './options.ts';

/** What must hold between the tokens of a clip and those of the changed clip. */
export type OutputRelation = RelationOptions['output'];

/**
 * The tokens that the changed clip should have: those of the clip, so many times, or followed by those of the utterance
 * that was appended.
 *
 * @param appended tokens of the appended utterance; for other relations not looked at
 */
export function expectedTokens(
  relation: OutputRelation,
  source: readonly string[],
  appended: readonly string[] | null,
): readonly string[] {
  if (typeof relation === 'string') return source;
  if ('repeated' in relation) return Array.from({ length: relation.repeated }, () => source).flat();
  return [...source, ...(appended ?? [])];
}

/** Whether a follow-up is what was expected; `contains` lets words come before and after. */
export function holds(relation: OutputRelation, expected: readonly string[], followUp: readonly string[]): boolean {
  return relation === 'contains' ? containsRun(followUp, expected) : same(expected, followUp);
}

/** Whether two texts have the same tokens in the same order. */
export function same(first: readonly string[], second: readonly string[]): boolean {
  return first.length === second.length && first.every((token, index) => token === second[index]);
}

/** Knuth, Morris and Pratt (1977): time grows with both lengths, and not with their product. */
function containsRun(tokens: readonly string[], run: readonly string[]): boolean {
  if (run.length === 0) return true;
  const borders = new Int32Array(run.length);
  for (let place = 1, border = 0; place < run.length; place++) {
    while (border > 0 && run[place] !== run[border]) border = borders[border - 1]!;
    if (run[place] === run[border]) border++;
    borders[place] = border;
  }
  let matched = 0;
  for (const token of tokens) {
    while (matched > 0 && token !== run[matched]) matched = borders[matched - 1]!;
    if (token === run[matched]) matched++;
    if (matched === run.length) return true;
  }
  return false;
}

/** The relation in a sentence. */
export function relationInWords(relation: OutputRelation): string {
  if (relation === 'equal') return 'the same words';
  if (relation === 'contains') return 'the same words, with others before or after them';
  if ('repeated' in relation) return `the same words, ${relation.repeated} times`;
  return `the same words, and then those of utterance ${relation.followedBy.slice(0, 80)}`;
}

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
