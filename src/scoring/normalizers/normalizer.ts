/** A text on its way, as one step of a normalizer left it. */
export interface ExplainedStep {
  /** What the step does, in a few words. */
  readonly step: string;
  readonly text: string;
}

/**
 * A way of making texts comparable before they are scored: named and versioned, because it decides every number.
 */
export interface Normalizer {
  /** Kebab-case, the name of its file. */
  readonly name: string;
  /** Raised whenever some text comes out otherwise. */
  readonly version: number;
  /** One sentence for the list of normalizers. */
  readonly about: string;
  /** For one of the user's own: SHA-256 of the file it was loaded from. */
  readonly module?: string;
  /** Of `by-language`, whose texts came to several: the names of these. */
  readonly used?: readonly string[];
  /** Of one on which equal spellings were put: the one below, and the same spellings on another. */
  readonly spelled?: { readonly base: Normalizer; on(other: Normalizer): Normalizer };
  /**
   * Whether it takes single characters of Chinese, Japanese, Thai and the like for words: beside them no blank counts in a CER.
   *
   * @param language as that of `words`
   */
  readonly hasCharacterWords?: (language?: string) => boolean;
  /**
   * The words to be scored, none of them empty. Never throws, whatever the text.
   *
   * @param language BCP 47 tag of the text, for normalizers that ask: absent where nobody knows
   */
  words(text: string, language?: string): string[];
  /** What each step makes of the text, in order; steps that change nothing are among them. */
  explain(text: string, language?: string): readonly ExplainedStep[];
}

/** One step of a normalizer: what it does in a few words, and the doing; the language is absent where nobody knows it. */
export interface NormalizerStep {
  readonly step: string;
  readonly apply: (text: string, language?: string) => string;
}

/**
 * A normalizer from its steps, taken one after another; the last text is split into words.
 *
 * @param split how words are found in the last text; at white space by default
 * @param hasCharacterWords whether `split` gives characters of scripts without blanks between words; false by default
 * @example
 * makeNormalizer({ name: 'lower', version: 1, about: 'Lower case.', steps: [
 *   { step: 'lower case', apply: (text) => text.toLowerCase() },
 * ] }).words('Hello Variant') // ['hello', 'variant']
 */
export function makeNormalizer({
  name,
  version,
  about,
  steps,
  split = splitWords,
  hasCharacterWords = false,
}: {
  readonly name: string;
  readonly version: number;
  readonly about: string;
  readonly steps: readonly NormalizerStep[];
  readonly split?: (text: string) => string[];
  readonly hasCharacterWords?: boolean;
}): Normalizer {
  return {
    name,
    version,
    about,
    ...(hasCharacterWords && { hasCharacterWords: () => true }),
    words: (text, language) => split(steps.reduce((changed, { apply }) => apply(changed, language), text)),
    explain(text, language) {
      let changed = text;
      return steps.map(({ step, apply }) => {
        changed = apply(changed, language);
        return { step, text: changed };
      });
    },
  };
}

/**
 * What a finding says of its normalizer: name and version, of one of the user's own also what its file holds, and of `by-language` which
 * it used.
 *
 * @example normalizerIdentity(normalizerNamed('basic')) // { name: 'basic', version: 1 }
 */
export function normalizerIdentity({ name, version, module, used }: Normalizer): {
  readonly name: string;
  readonly version: number;
  readonly module?: string;
  readonly used?: readonly string[];
} {
  return { name, version, ...(module !== undefined && { module }), ...(used !== undefined && { used }) };
}

/**
 * White space as Python's `str.split()` and `\s` have it: Unicode's White_Space and the four separators U+001C to U+001F.
 * A byte order mark and zero-width characters are not among it.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the separators U+001C to U+001F are meant
export const whiteSpace = /[\p{White_Space}\x1c-\x1f]+/gu;

/** The stretches between white space. */
export function splitWords(text: string): string[] {
  return text.split(whiteSpace).filter((word) => word !== '');
}
