import type { JsonObject } from '../base/json.ts';

/** A word as the recognizer gave it. Times are seconds from the start of the sound that it heard. */
export interface Word {
  readonly text: string;
  readonly startSeconds?: number;
  readonly endSeconds?: number;
  /** From 0 to 1. */
  readonly confidence?: number;
}

/** What a recognizer answers. The transcript is kept as it came; scoring happens later. */
export interface Transcript {
  readonly text: string;
  readonly words?: readonly Word[];
  /** Anything else worth keeping, small. */
  readonly details?: JsonObject;
  /** What this one call cost, where the recognizer says. */
  readonly price?: Price;
}

/** An amount of money, in a currency's ISO 4217 code. */
export interface Price {
  readonly amount: number;
  readonly currency: string;
}

/**
 * Why there is no transcript.
 * - `sound`: the sound cannot be read or made
 * - `crash`: the recognizer's process died (twice); `timeout`: no answer in time
 * - `refused`: the recognizer said no (bad request, no key, unsupported); `unavailable`: it could not be reached or was
 *   too busy, and still so after the retries; `garbage`: its answer could not be understood
 * - `unknown-utterance`: a recognizer that knows only names does not know this one
 * - `error`: anything else, see the message
 * - `inapplicable`: the condition cannot be applied to the clip (noise at a ratio to silence): true of both, whoever is asked
 */
export const recognizerFailureKinds = [
  'sound',
  'crash',
  'timeout',
  'refused',
  'unavailable',
  'garbage',
  'unknown-utterance',
  'error',
] as const;

/** The same, and what no recognizer may say of itself, because nobody blames it for that. */
export const failureKinds = [...recognizerFailureKinds, 'inapplicable'] as const;

/** One of `failureKinds`. */
export type FailureKind = (typeof failureKinds)[number];

/** What people are told of each; the code is for programs. */
export const failuresInWords: Readonly<Record<FailureKind, string>> = {
  sound: 'audio not read or made',
  crash: 'crashed',
  timeout: 'timed out',
  refused: 'refused',
  unavailable: 'not reached',
  garbage: 'answer not understood',
  'unknown-utterance': 'clip not known',
  error: 'error',
  inapplicable: 'condition not applicable',
};

/** Whether a text is the code of one of them. */
export const isFailureKind = (text: string): text is FailureKind => Object.hasOwn(failuresInWords, text);

export interface Failure {
  readonly kind: FailureKind;
  readonly message: string;
}

/**
 * How a sound went that was fed as it is spoken. Deduct what was waited for from a call's seconds and the engine's own
 * remain: a sound fed in real time takes at least as long as itself.
 */
export interface StreamTiming {
  /** From the start of the sound to the first partial transcript with a word in it; null where none came before the end. */
  readonly firstPartialSeconds: number | null;
  /** From the end of the sound to the final transcript. */
  readonly finalLatencySeconds: number;
  /** How long the engine waited for sound that was not yet spoken. */
  readonly waitedSeconds: number;
}

/**
 * Why no processor time is known: it was computed `elsewhere` (a service, a graphics processor), or it was `unmeasured`: by a server, in
 * the process of the run itself beside other work, by programs on other systems than Linux, or by an earlier version.
 */
export type NoProcessorTime = 'elsewhere' | 'unmeasured';

/** How long it took. Everything that differs from run to run lives in an object of this name. */
export interface ObservationTiming {
  /** Seconds of a clock, elapsed until the answer: more on a busy machine. Waiting for permits is not counted. */
  readonly seconds: number;
  /**
   * Seconds of the processor (user and system) of the processes that recognized, with all their threads and children. Of clips that one process
   * computed together, an equal share. Null where it is not known; absent where there is no answer.
   */
  readonly processorSeconds?: number | null;
  /** Where `processorSeconds` is null. */
  readonly noProcessorTime?: NoProcessorTime;
  /** How many calls were made, retries included. */
  readonly calls: number;
  /** Of a recognizer in streaming mode. */
  readonly stream?: StreamTiming;
}

/**
 * Processor time as it is kept of an answer. What a graphics processor or a service computes takes next to nothing of this machine's processor: the
 * time of that would mislead.
 *
 * @param seconds null where it was not measured
 */
export function processorTime(
  seconds: number | null,
  usesProcessor: boolean,
): Pick<ObservationTiming, 'processorSeconds' | 'noProcessorTime'> {
  if (!usesProcessor) return { processorSeconds: null, noProcessorTime: 'elsewhere' };
  return seconds === null ? { processorSeconds: null, noProcessorTime: 'unmeasured' } : { processorSeconds: seconds };
}

/** What a trial gave: a transcript or a failure. Raw forever. */
export type Observation = {
  readonly timing: ObservationTiming;
  /** Seconds of sound that were heard; null where the recognizer knows only names. */
  readonly soundSeconds: number | null;
} & (
  | { readonly transcript: Transcript; readonly failure?: undefined }
  | { readonly transcript?: undefined; readonly failure: Failure }
);
