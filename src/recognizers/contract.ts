import type { Clip } from '../audio/clip.ts';
import { tooLongToWait } from '../base/foreign-data.ts';
import type { JsonObject } from '../base/json.ts';
import type { Schema } from '../base/schema.ts';
import type { LossGradient } from '../model/attack.ts';
import type { FailureKind, Price, StreamTiming, Transcript, Word } from '../model/observation.ts';

/** What a recognizer is asked. */
export interface RecognitionRequest {
  /** The sound, at whatever rate it has; absent for recognizers whose input is names. Never to be changed. */
  readonly clip?: Clip;
  readonly utteranceId: string;
  /** Of the utterance's file, counted from 1; absent where it has one, or all are meant. */
  readonly channel?: number;
  readonly conditionName: string;
  readonly repeat: number;
  /** BCP 47 tag. */
  readonly language: string;
  /** The key of the trial in its run, for what must outlive this process; absent where nobody runs anything. */
  readonly key?: string;
  /**
   * To be called, and awaited, as soon as it is known that an earlier call has paid for what this one waits for or fetches: once it is
   * noted, this one costs nothing, however it ends, and a kill changes nothing of that.
   */
  readonly alreadyPaid?: () => Promise<void>;
}

/** What a recognizer itself knows of how long a recognition took. */
export interface RecognitionTiming {
  /** Where the sound was fed as it is spoken. */
  readonly stream?: StreamTiming;
  /** Processor time of processes that it keeps itself, as in `ObservationTiming`; null where it cannot tell. */
  readonly processorSeconds?: number | null;
}

/** A transcript, and what is known of how long it took. */
export interface Recognition extends Transcript {
  readonly timing?: RecognitionTiming;
}

/** What a recognizer has heard so far of a sound that is still coming. */
export interface PartialTranscript {
  /** Everything from the start of the sound, as it stands now: later ones may take words back. */
  readonly text: string;
  readonly words?: readonly Word[];
  /** True of the last one alone: the sound has ended, and nothing will change any more. */
  readonly final: boolean;
  /** What the engine says beside it, of the final one. */
  readonly details?: JsonObject;
}

/** An opened engine. One recognition at a time unless its description says otherwise; each depends on its clip alone. */
export interface Recognizer {
  /**
   * @throws RecognitionError with the kind of failure; anything else thrown counts as kind `error`
   */
  recognize(request: RecognitionRequest, signal: AbortSignal): Promise<Recognition>;
  /**
   * Hears a sound while it is spoken. Depends on the chunks alone, not on when they come; takes the next chunk when it has
   * done with the last, and ends with exactly one final transcript, an empty one for no sound.
   *
   * @param chunks stretches that follow each other, at `streamSampleRate`
   * @throws RecognitionError as `recognize`; `sound` for a chunk at another rate
   */
  stream?(chunks: AsyncIterable<Clip>, signal: AbortSignal): AsyncIterable<PartialTranscript>;
  /** Hz of the chunks that `stream` takes. */
  readonly streamSampleRate?: number;
  /** Gives back everything it opened. */
  close(): Promise<void>;
}

/** What a recognizer is, known without loading its engine. */
export interface RecognizerDescription {
  /**
   * Everything that can change an answer: engine, versions, content hashes of model files, settings, for a service the
   * origin of its endpoint. Never names, local paths or secrets. It is part of every key.
   */
  readonly identity: JsonObject;
  readonly input: 'sound' | 'names';
  /** False: it can change behind its name (a hosted service, a program), so that every run gets an epoch of its own. */
  readonly pinned: boolean;
  /** How many calls one opened engine takes at once. */
  readonly concurrency: number;
  /**
   * How many of those calls it computes together, in one share of the processor. Whoever says so has processes of its own,
   * `concurrency / batch` of them, and is opened once.
   */
  readonly batch?: number;
  /** Whether recognitions use this machine's processor, and should share its cores. */
  readonly usesProcessor: boolean;
  /** Whether somebody else may charge for a call, also where no price is known: a hosted service. */
  readonly hosted?: boolean;
  /** For the budget, before a call is made. */
  readonly pricePerMinute?: Price;
  /** What a call is billed for, where that is more than its sound. */
  readonly billing?: Billing;
  /** Facts about the model: architecture, parameters, training hours, languages, … */
  readonly facts: JsonObject;
}

/** The seconds that a service counts for a sound: no fewer than so many, in whole steps. */
export interface Billing {
  readonly minSeconds: number;
  readonly stepSeconds: number;
}

/** Whether a member would work on this machine. */
export interface Readiness {
  readonly ready: boolean;
  /** What was found (`libpocketsphinx 0.8, Debian's en-us model`) or what is missing. */
  readonly found: string;
  /** How to get what is missing: a line to type. */
  readonly install?: string;
}

/** What members are given from outside. */
export interface RecognizerServices {
  /** Relative paths in options are meant from here (the folder of the config). */
  readonly baseFolder: string;
  /** An environment variable; the only place keys come from. */
  environment(name: string): string | undefined;
  /** SHA-256 of a file's content, remembered. */
  fileHash(path: string): Promise<string>;
  /** Told what takes long, such as a download: one line of text, every few seconds. Nobody listens where it is absent. */
  progress?(text: string): void;
  /** Folder for what was begun at a service and must be found again by the next process; absent: nothing is resumed. */
  readonly jobsFolder?: string;
}

/** One way of recognizing speech: what a member's folder exports. */
export interface RecognizerKind<Options = unknown> {
  /** Kebab-case, the name of its folder, and `type` in the config. */
  readonly name: string;
  readonly about: string;
  /** A strict zod object without `type`; every option described. */
  readonly options: Schema<Options>;
  /** `process`: a native engine that may crash or hang, and lives in a process of its own. `none`: it cannot. */
  readonly isolation: 'process' | 'none';
  /**
   * Where an entry of a config stands for several recognizers (all systems of a table): each of them, by the name that it has
   * in the run, with the options that make it alone. Null, and for members of users: the entry is one, under its own name.
   *
   * @throws EarwitnessError where they cannot be told, or two would have one name
   */
  several?(
    options: Options,
    services: RecognizerServices,
  ): Promise<readonly { readonly name: string; readonly options: Options }[] | null>;
  describe(options: Options, services: RecognizerServices): Promise<RecognizerDescription>;
  /**
   * The members of the identity that are known from options and files alone, where `describe` starts a program to know all. Absent: `describe`
   * starts none.
   *
   * @throws EarwitnessError where a file is missing
   */
  restingIdentity?(options: Options, services: RecognizerServices): Promise<JsonObject>;
  open(options: Options, services: RecognizerServices): Promise<Recognizer>;
  readiness(services: RecognizerServices): Promise<Readiness>;
  /**
   * How its loss changes with the sound, for sounds that are made against it. Absent: nobody can look into it.
   *
   * @throws EarwitnessError `bad-config` where the network of these options cannot be differentiated
   */
  gradient?(options: Options, services: RecognizerServices): Promise<LossGradient>;
  /** Lower-case words it can possibly write, where that is known. */
  vocabulary?(options: Options, services: RecognizerServices): Promise<ReadonlySet<string>>;
}

/**
 * A failure with its kind, and whether asking again can help. Who asks to be left alone for longer than a run waits is not asked again: the
 * message says so.
 *
 * @example throw new RecognitionError('refused', 'too many requests', { retryable: true, retryAfterSeconds: 2 })
 */
export class RecognitionError extends Error {
  readonly kind: FailureKind;
  readonly retryable: boolean;
  /** What the service asked for (`Retry-After`). */
  readonly retryAfterSeconds: number | undefined;
  /** Whether nothing was heard, so that nothing is charged: no server, no access, no socket. */
  readonly unheard: boolean;

  constructor(
    kind: FailureKind,
    message: string,
    options: { retryable?: boolean; retryAfterSeconds?: number; unheard?: boolean; cause?: unknown } = {},
  ) {
    const tooLong = tooLongToWait(options.retryAfterSeconds);
    super(`${message}${tooLong ?? ''}`, { cause: options.cause });
    this.name = 'RecognitionError';
    this.kind = kind;
    this.retryable = (options.retryable ?? false) && tooLong === null;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.unheard = options.unheard ?? false;
  }
}
