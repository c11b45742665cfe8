import type { JsonObject } from '../../base/json.ts';
import { RecognitionError } from '../contract.ts';
import { unusable } from '../shared/local-model-options.ts';

/** Whisper's names for languages whose BCP 47 tags say otherwise. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['nb', 'no'],
  ['jv', 'jw'],
  ['fil', 'tl'],
  ['iw', 'he'],
  ['in', 'id'],
  ['ji', 'yi'],
  ['cmn', 'zh'],
]);

/**
 * Codes of the languages that a Whisper model can be told; null for one that knows English alone and is told nothing.
 *
 * @param generation generation_config.json
 */
export function whisperLanguages(generation: JsonObject): readonly string[] | null {
  const { is_multilingual, lang_to_id } = generation;
  if (is_multilingual !== true || typeof lang_to_id !== 'object' || lang_to_id === null) return null;
  return Object.keys(lang_to_id).flatMap((token) => /^<\|([a-z]{2,3})\|>$/.exec(token)?.[1] ?? []);
}

/**
 * Whisper's code for a language.
 *
 * @param tag BCP 47
 * @returns null where the model does not know it
 * @example whisperLanguage('pt-BR', ['en', 'pt']) // 'pt'
 */
export function whisperLanguage(tag: string, known: readonly string[]): string | null {
  const primary = tag.toLowerCase().split(/[-_]/, 1)[0]!;
  const code = otherNames.get(primary) ?? primary;
  return known.includes(code) ? code : null;
}

/**
 * What the model is told for an utterance: nothing where it knows English alone.
 *
 * @throws RecognitionError `refused` for a language it does not know
 */
export function languageSetting(tag: string, known: readonly string[] | null): { readonly language?: string } {
  const language = whisperLanguage(tag, known ?? ['en']);
  if (language === null) {
    const knows = known === null ? 'English alone' : `${known.length} languages, but not this one`;
    throw new RecognitionError(
      'refused',
      `the utterance is in ${JSON.stringify(tag.slice(0, 40))}, but the model knows ${knows}`,
    );
  }
  return known === null ? {} : { language };
}

/** @throws EarwitnessError `bad-config` for a language or task that the model cannot be told */
export function checkLanguageOptions(
  { language, task }: { readonly language: string | undefined; readonly task: string | undefined },
  known: readonly string[] | null,
): void {
  if (known === null && task === 'translate') {
    throw unusable(
      'expected a multilingual model for "translate", but this one knows English alone; leave task out',
      undefined,
      'task',
    );
  }
  if (language !== undefined && whisperLanguage(language, known ?? ['en']) === null) {
    const there = known === null ? 'English alone' : known.slice(0, 10).join(', ');
    throw unusable(
      `expected a language that the model knows (${there}${known !== null && known.length > 10 ? ', …' : ''}), but got ${language}; correct it`,
      undefined,
      'language',
    );
  }
}
