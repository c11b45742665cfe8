import type { JsonObject } from '../base/json.ts';
import type { Schema } from '../base/schema.ts';
import type { SentenceEmbedder } from '../model/text-services.ts';

/** What became of one text. */
export interface EmbeddedText {
  /** Of length 1, so that the scalar product of two is their cosine; null where the model can read nothing in the text. */
  readonly vector: Float32Array | null;
  /** Why there is no vector. */
  readonly reason?: string;
  /**
   * How many tokens the text has, those that frame it included; at least so many where it is cut before it is counted. Null where
   * nobody says it.
   */
  readonly tokens: number | null;
  /** How many of them the model read. */
  readonly tokensRead: number | null;
  /** What a reader of the vector must know: that the model did not read the whole text. */
  readonly note?: string;
}

/**
 * An opened model that turns sentences into vectors. `embed` gives what `embedTexts` gives, and a vector of zeros where that
 * has none, from which no similarity is computed.
 */
export interface Embedder extends SentenceEmbedder {
  /**
   * Everything that can change a vector: engine, versions, content hashes of the model's files, settings. Never names, local
   * paths or secrets.
   */
  readonly identity: JsonObject;
  /** How many numbers a vector has. */
  readonly dimensions: number;
  /** How many tokens of a text are read, those that frame it included; null where nobody says it. */
  readonly maxTokens: number | null;
  /**
   * One answer for each text, in their order; each depends on its own text alone, bit for bit. Empty texts are allowed.
   *
   * @throws what the signal was aborted with, between two texts
   */
  embedTexts(texts: readonly string[], signal?: AbortSignal): Promise<readonly EmbeddedText[]>;
  /** Gives back what it has loaded, where that is much, until it is asked again. */
  rest?(): Promise<void>;
  /** Gives back everything it opened. */
  close(): Promise<void>;
}

/** What members are given from outside. */
export interface EmbedderServices {
  /** Relative paths in options are meant from here. */
  readonly baseFolder: string;
  /** SHA-256 of a file's content, remembered. */
  fileHash(path: string): Promise<string>;
  /** The value of an environment variable, as far as it may be read. */
  environment(name: string): string | undefined;
}

/** One way of turning sentences into vectors: what a member's folder exports. */
export interface EmbedderKind<Options = unknown> {
  /** Kebab-case, the name of its folder, and `type` where it is named. */
  readonly name: string;
  readonly about: string;
  /** A strict zod object without `type`; every option described. */
  readonly options: Schema<Options>;
  /**
   * @throws EarwitnessError `bad-config` for a model that cannot be used, `missing-program` where the engine is not installed
   */
  open(options: Options, services: EmbedderServices): Promise<Embedder>;
  readiness(services: EmbedderServices): Promise<{ ready: boolean; found: string; install?: string }>;
}
