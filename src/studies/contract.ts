import type { Json, JsonObject } from '../base/json.ts';
import type { Schema } from '../base/schema.ts';
import type { Finding } from '../model/finding.ts';
import type { Failure, Observation } from '../model/observation.ts';
import type { TextSimilarity } from '../model/text-services.ts';
import type { ClipMeasurement, Condition, Trial } from '../model/trial.ts';
import type { Utterance } from '../model/utterance.ts';
import type { Ladder } from '../perturbations/contract.ts';
import type { TriedText } from '../predictors/contract.ts';
import type { Normalizer } from '../scoring/normalizers/normalizer.ts';

/** Something a study wants to know. */
export type Question =
  | { readonly ask: 'recognition'; readonly trial: Trial }
  | {
      readonly ask: 'measurement';
      readonly utterance: Utterance;
      readonly condition: Condition;
      readonly draw: number;
      /** Names of measures of quality (of `StudyContext.quality`) that the clip is measured with as well. */
      readonly quality?: readonly string[];
    }
  | {
      /** How near the meanings of two texts are. */
      readonly ask: 'similarity';
      /** Name of one of `StudyContext.embedders`. */
      readonly embedder: string;
      /** Whom the texts are about, and whose language they are in. */
      readonly utterance: Utterance;
      readonly reference: string;
      readonly hypothesis: string;
      /** Also in languages that the embedder does not declare. */
      readonly anyLanguage: boolean;
    }
  | {
      /** Which texts are worth speaking, learned from those that were tried. */
      readonly ask: 'prediction';
      /** Name of one of `StudyContext.predictors`. */
      readonly predictor: string;
      readonly tried: readonly TriedText[];
      readonly pool: readonly string[];
      /** Decides everything random in the prediction. */
      readonly seed: number;
    }
  | {
      /**
       * How long the run has been at work. The answer is journaled, so that a run that goes on hears what it heard before. To be
       * asked alone, once what it is to cover has been answered.
       */
      readonly ask: 'elapsed';
    };

/** The answer to one question, which comes back with it. */
export type Answer =
  | { readonly ask: 'recognition'; readonly trial: Trial; readonly observation: Observation }
  | {
      readonly ask: 'measurement';
      readonly utterance: Utterance;
      readonly condition: Condition;
      readonly draw: number;
      readonly quality?: readonly string[];
      /** With `quality` for each measure that was asked for. */
      readonly measurement: ClipMeasurement | null;
      /** Why there is none. */
      readonly failure?: Failure;
    }
  | (Extract<Question, { readonly ask: 'similarity' }> & {
      readonly similarity: TextSimilarity;
      /** The model that measured, as its embedder describes it. */
      readonly model: JsonObject;
    })
  | (Extract<Question, { readonly ask: 'prediction' }> & {
      /** For each text of the pool: the chance that any recognizer gets it right. */
      readonly determinable: Float64Array;
      /** For each text of the pool: the chance that any recognizer fails where it is determinable. */
      readonly failing: Float64Array;
      /** How long it took when it was made. */
      readonly seconds: number;
      /** What predicted: the predictor's identity. */
      readonly model: JsonObject;
    })
  | {
      readonly ask: 'elapsed';
      /** Since the run began, the time left out during which it was stopped. */
      readonly seconds: number;
    };

/** Questions that may be answered in any order. Made lazily: a million of them take no memory. */
export interface Batch {
  /** For the progress display: `clean and 16 conditions`; empty for what nobody waits for. */
  readonly about: string;
  /** How many there are, for the time left; null where that is not known. */
  readonly size: number | null;
  /** Can be opened again, and gives the same questions in the same order. */
  questions(): AsyncIterable<Question>;
}

/** What studies are told of a recognizer that plain data can say: a run's plan and a bundle keep all of it. */
export interface ToldOfRecognizer {
  readonly name: string;
  readonly input: 'sound' | 'names';
  readonly facts: JsonObject;
  readonly pricePerMinute: { readonly amount: number; readonly currency: string } | null;
  /** Whether sounds can be made against it by its gradient; absent: they cannot. */
  readonly differentiable?: true;
}

/** A recognizer as studies see it. */
export interface StudyRecognizer extends ToldOfRecognizer {
  /** Lower-case words it can write, where known. */
  readonly vocabulary: ReadonlySet<string> | null;
}

/** A measure of quality as studies see it. */
export interface StudyQuality {
  readonly name: string;
  /** Its values by name, and what each means. */
  readonly values: Readonly<Record<string, string>>;
  /** Whether it compares with the clean clip. */
  readonly needsClean: boolean;
}

/** What a study is given. It reads no file and no clock. */
export interface StudyContext {
  /** Can be opened again. */
  utterances(): AsyncIterable<Utterance>;
  readonly utteranceCount: number;
  readonly recognizers: readonly StudyRecognizer[];
  /** Ladders that conditions may name: the config's own first, then those that come with the program. */
  readonly ladders: readonly Ladder[];
  /**
   * Whether a perturbation (by its name) draws random numbers: where none does, another draw is the same sound and need not
   * be asked for. Where this is absent, any may.
   */
  isRandom?(perturbation: string): Promise<boolean>;
  /**
   * A normalizer by its name, or a user's own by the path of its module. Where this is absent, there are only those that come
   * with the program.
   *
   * @throws EarwitnessError `bad-config` where there is none
   */
  normalizer?(name: string): Promise<Normalizer>;
  /** What says who spoke, and so where a reader can name speakers and groups: a corpus (if absent), files, or arguments of a call from Python. */
  readonly speakersFrom?: 'corpus' | 'files' | 'python';
  /** The measures of quality that the config names; absent where it names none. */
  readonly quality?: readonly StudyQuality[];
  /** Names of the embedders of the config; absent where it has none. */
  readonly embedders?: readonly string[];
  /** Names of the predictors of failures; absent where there is none. */
  readonly predictors?: readonly string[];
  /**
   * The text of a file that the options name, meant from the config's folder: for tables beside the corpus. Absent where
   * there is no config.
   *
   * @throws EarwitnessError `bad-input` where it cannot be read
   */
  readText?(path: string): Promise<string>;
  /**
   * Names of the sounds of a collection (by the name that the config gives it, or a folder by its path), in its order. Absent where
   * there is no config.
   *
   * @throws EarwitnessError where there is no such collection
   */
  soundNames?(collection: string): Promise<readonly string[]>;
  /** Of the run. Everything random in a study is seeded from this and from what it belongs to. */
  readonly seed: number;
  /**
   * Told while something takes long to compute, as often as one likes: how much of it is done. Absent where nobody looks on.
   *
   * @param what `comparing recognizers`
   */
  computing?(what: string, done: number, of: number): void;
  /** What the studies before it in the config concluded, each with its name in the report; absent before any is asked. */
  readonly findings?: readonly Finding[];
}

/**
 * A question about recognizers: an asynchronous generator that asks for batches and receives answers, in the order
 * asked, streaming. It may read the answers of a batch only until it asks for the next.
 *
 * @example
 * async function* run(options, context) {
 *   const answers = yield { about: 'clean', size: null, questions };
 *   for await (const answer of answers) …
 *   return finding;
 * }
 */
export interface Study<Options = Json> {
  readonly name: string;
  /** Raised when a finding from the same answers changes. */
  readonly version: number;
  readonly about: string;
  /** A strict zod object without `type`, every option described and with a default. */
  readonly options: Schema<Options>;
  /**
   * Whether the utterances have what the options name: asked before any study of a run asks anything.
   *
   * @throws EarwitnessError where they have not
   */
  check?(options: Options, context: StudyContext): Promise<void>;
  /** Whether it draws its own few of the utterances there are: nobody should speak the others for its sake. Absent: it does not. */
  asksOfFew?(options: Options): boolean;
  run(options: Options, context: StudyContext): AsyncGenerator<Batch, Finding, AsyncIterable<Answer>>;
}
