import { isInLanguage, languageTag, undeterminedLanguage } from '../base/language-tag.ts';

/** Where the sound of an utterance comes from. */
export type SoundSource =
  /** A file, or the stretch of one between two times in seconds; of several channels one, counted from 1, or their mean. */
  | {
      readonly file: string;
      readonly startSeconds?: number;
      readonly endSeconds?: number;
      readonly channel?: number | 'mean';
    }
  /** A text to be spoken. `synthesizer` is the name it has in the config, `voice` one of the voices it lists. */
  | { readonly text: string; readonly synthesizer: string; readonly voice: string }
  /** Silence of this length. */
  | { readonly silenceSeconds: number };

/** One thing said (or to be said), and what is known about it. Plain data: it is stored with the run. */
export interface Utterance {
  /** Unique in its corpus, and the name by which `recorded` and `scripted` recognizers know it. */
  readonly id: string;
  /** Absent where only outputs of recognizers are known. */
  readonly sound?: SoundSource;
  /** The words that were said, as written down; absent if nobody has written them down. May be empty: nothing was said. */
  readonly reference?: string;
  /** BCP 47 tag, `en` or `en-GB`. */
  readonly language: string;
  /** Who speaks. Utterances of one speaker are not independent, so intervals and tests need this. */
  readonly speaker?: string;
  /** Attributes of the speaker or the recording: `sex`, `age`, `accent`, … any key. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly tags: readonly string[];
  /** Present where a study made it and no corpus has it. Such an utterance is kept with the run and never counted as collected. */
  readonly made?: {
    /** Id of the collected utterance whose voice speaks it, and whose corpus makes its sound. */
    readonly from: string;
    /** `shortened`: words were left out. `mutated`: words were swapped for others. */
    readonly how: 'shortened' | 'mutated';
  };
}

/**
 * What an utterance has under the name of an attribute: its own, or as `language` what it is spoken in. Undefined where it is not known.
 *
 * @example attributeOf({ language: 'zh-CN', attributes: { sex: 'female' } }, 'language') // 'zh-CN'
 */
export function attributeOf(
  { attributes, language }: Pick<Utterance, 'attributes'> & Partial<Pick<Utterance, 'language'>>,
  name: string,
): string | undefined {
  if (Object.hasOwn(attributes, name)) return attributes[name];
  return name === 'language' && language !== undeterminedLanguage ? language : undefined;
}

/**
 * Whether a value that an utterance has under a name is the wanted one; what it is spoken in may be within the wanted language.
 *
 * @param place where the wanted one is written, for an error
 * @throws EarwitnessError `bad-input` for a wanted language that is none
 * @example isWantedValue({ attributes: {} }, 'language', 'zh-CN', 'Chinese', 'where') // true
 */
export function isWantedValue(
  { attributes }: Pick<Utterance, 'attributes'>,
  name: string,
  value: string,
  wanted: string,
  place: string,
): boolean {
  if (name !== 'language' || Object.hasOwn(attributes, name)) return value === wanted;
  return isInLanguage(
    value,
    languageTag(wanted, () => place),
  );
}
