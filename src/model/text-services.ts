import type { JsonObject } from '../base/json.ts';

/**
 * A model that turns sentences into vectors whose cosine says how near their meanings are. Handed in wherever meaning is
 * measured, so that scoring itself loads no model.
 */
export interface SentenceEmbedder {
  /** Which model, for the finding: its name, and whatever else decides the vectors (revision, file hash, pooling). */
  readonly model: JsonObject & { readonly name: string };
  /**
   * Languages the model was made for, as BCP 47 tags (`en`, `zh`, `pt-BR`). `en` covers `en-GB`; `pt-BR` does not cover
   * `pt`.
   */
  readonly languages: readonly string[];
  /**
   * One vector for each text, in their order, all of the same length. A vector depends on its own text alone, not on the
   * texts it is asked together with. Never called with an empty list or an empty text.
   */
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>;
  /** As `embed`, with what is to be known of each vector; asked in its place where it is there. */
  embedTexts?(texts: readonly string[]): Promise<readonly SentenceVector[]>;
}

/** The vector of one text; null with a reason where the model can read nothing in it. */
export interface SentenceVector {
  readonly vector: Float32Array | null;
  readonly reason?: string;
  /** What a reader of the vector must know: that the text was cut at the model's maximum length. */
  readonly note?: string;
}

/** How near the meanings of two texts are: a number that may not exist. */
export interface TextSimilarity {
  /** Cosine of their vectors, from -1 to 1; null always comes with a reason. */
  readonly value: number | null;
  readonly reason?: string;
  /** What a reader must know of it: that the model did not read all of a text. */
  readonly note?: string;
}

/**
 * Whether an embedder was made for a language: it declares the tag itself or one that it begins with (basic filtering of
 * RFC 4647, section 3.3.1; case does not matter).
 *
 * @example coversLanguage(['en', 'pt-BR'], 'en-GB') // true
 */
export function coversLanguage(languages: readonly string[], language: string): boolean {
  const asked = language.toLowerCase();
  return languages.some((declared) => {
    const range = declared.toLowerCase();
    return range !== '' && (asked === range || asked.startsWith(`${range}-`));
  });
}

/** What a grammar checker has against a sentence. */
export interface GrammarComplaint {
  /** The checker's own word for it: `Agreement`, `Spelling`. */
  readonly kind: string;
  /** Against the rules of the language, or only hard to read. */
  readonly about: 'correctness' | 'clarity';
  readonly message: string;
  /** The words of the sentence that it is about. */
  readonly words: string;
}
