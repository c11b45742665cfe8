import type { JsonObject } from '../base/json.ts';
import type { Schema } from '../base/schema.ts';

/** A text that has been spoken and recognized. */
export interface TriedText {
  readonly text: string;
  /** Whether any recognizer got it right, so that errors of the others are theirs and not the synthesizer's. */
  readonly determinable: boolean;
  /** Whether any recognizer failed; of a determinable text only, else null. */
  readonly failed: boolean | null;
  /**
   * How many of the recognizers failed, as a share of those that could: one was right. Of a determinable text only, else null.
   * Where every determinable text has it, `Prediction.failing` is about this share.
   */
  readonly failedShare?: number | null;
  /**
   * For each recognizer that answered the places, from 0, of the words (between blanks) that it misheard; none where it got the text
   * right. Absent where nobody knows.
   */
  readonly missed?: readonly (readonly number[])[];
}

/** What is expected of the texts of a pool, one number for each, in their order, from 0 to 1. */
export interface Prediction {
  /** The chance that any recognizer gets the text right. */
  readonly determinable: Float64Array;
  /**
   * The chance that any recognizer fails where the text is determinable; or, where the tried texts tell shares, that one of
   * those that can, whichever, does. Times `determinable` it is what is to be expected of trying the text: a failing text, or
   * failed tests by the number of recognizers but one.
   */
  readonly failing: Float64Array;
}

/** An opened model that tells from texts alone which of them are worth speaking. */
export interface Predictor {
  /**
   * Everything that can change a prediction: method, version, settings, content hashes of files. Never names, local paths or
   * secrets.
   */
  readonly identity: JsonObject;
  /**
   * Learns from the texts that were tried, anew with each call, and predicts the others. Depends on its arguments alone: what
   * is kept between calls saves time and changes no number. Where nothing can be learned (no text tried, or all alike) the
   * chances are still numbers, and may be all equal.
   *
   * @param tried in the order in which they were tried; the order changes no prediction by more than rounding
   * @param pool the texts that may be tried next
   * @param seed decides everything random
   * @throws what the signal was aborted with
   */
  predict(
    tried: readonly TriedText[],
    pool: readonly string[],
    seed: number,
    signal?: AbortSignal,
  ): Promise<Prediction>;
  /** Gives back what it has loaded, where that is much, until it is asked again. */
  rest?(): Promise<void>;
  /** Gives back everything it opened. */
  close(): Promise<void>;
}

/** What members are given from outside. */
export interface PredictorServices {
  /** Relative paths in options are meant from here. */
  readonly baseFolder: string;
  /** SHA-256 of a file's content, remembered. */
  fileHash(path: string): Promise<string>;
  /** The value of an environment variable, as far as it may be read. */
  environment(name: string): string | undefined;
}

/** One way of predicting failures: what a member's folder exports. */
export interface PredictorKind<Options = unknown> {
  /** Kebab-case, the name of its folder, and `type` where it is named. */
  readonly name: string;
  readonly about: string;
  /** A strict zod object without `type`; every option described. */
  readonly options: Schema<Options>;
  /** @throws EarwitnessError `bad-config` for files or models that cannot be used */
  open(options: Options, services: PredictorServices): Promise<Predictor>;
  readiness(
    services: PredictorServices,
  ): Promise<{ readonly ready: boolean; readonly found: string; readonly install?: string }>;
}
