import type { Clip } from '../../audio/clip.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Failure, StreamTiming, Transcript } from '../../model/observation.ts';

/** How to open a recognizer, as plain data that can cross to another process. */
export interface RecognizerAddress {
  /** Name of a member, or the path of a user's module. */
  readonly type: string;
  readonly options: Json;
  readonly baseFolder: string;
  readonly jobsFolder?: string;
}

/** One call to one recognizer, as plain data. */
export interface Job {
  /** The name of the recognizer in the run. */
  readonly recognizer: string;
  readonly request: {
    readonly utteranceId: string;
    readonly channel?: number;
    readonly conditionName: string;
    readonly repeat: number;
    readonly language: string;
    readonly key?: string;
  };
  /** After so long without an answer the call is given up, and an engine that does not stop is killed. */
  readonly timeLimitSeconds: number;
  /** An engine that is not open after so long is given up, and with it the run. */
  readonly openTimeLimitSeconds: number;
  /** Its entry in the journal, where it has one. */
  readonly attempt?: number;
}

/** How a call ended. Never an exception: a failure is data. */
export type Outcome = {
  /** Elapsed, by a clock. */
  readonly seconds: number;
  /** Of the processes that were at it; null or absent where it is not known. */
  readonly processorSeconds?: number | null;
} & (
  | {
      readonly transcript: Transcript;
      readonly stream?: StreamTiming;
      readonly failure?: undefined;
    }
  | {
      readonly transcript?: undefined;
      readonly stream?: undefined;
      readonly failure: Failure;
      /** Whether nothing was heard, so that nothing is charged. */
      readonly unheard?: boolean;
      /** Whether asking again can help. */
      readonly retryable: boolean;
      readonly retryAfterSeconds?: number | undefined;
      /** Whether nobody knows if the call was made, and it may have been paid. */
      readonly lost?: boolean;
    }
);

/** The call was not made, and nobody makes it any more. */
export class CallRecalled extends Error {}

/** A step as anybody can do it again who has the clip before: it needs nothing else, and its chance is seeded. */
export interface RecipeStep {
  /** A member's. */
  readonly perturbation: string;
  readonly version: number;
  readonly parameters: JsonObject;
  readonly seed: JsonObject;
}

/** How a clip is made of another. */
export interface ClipRecipe {
  readonly source: Clip;
  readonly steps: readonly RecipeStep[];
}

/** A clip to be heard. */
export interface HeardClip extends Clip {
  /** Where others can make the same samples; absent: they cannot. */
  readonly recipe?: ClipRecipe;
}

/** Those who make calls on other machines, in sum, as they say themselves. */
export interface CallMakers {
  /** Workers that take calls. */
  readonly working: number;
  /** Workers that would, and are paused or end. */
  readonly halted: number;
  /** Calls that they have in hand. */
  readonly inFlight: number;
  /** Calls that they answered a second of late; null: none of them says it yet. */
  readonly perSecond: number | null;
}

/** Where calls are made. Calls may be many at once; how many is the caller's business. */
export interface Executor {
  /**
   * @param clip null where the recognizer knows only names
   * @param alreadyPaid called while the call is under way, once it is known that an earlier one has paid; the call goes on when that is noted
   * @param recall aborted: a call that nobody has begun to make is not made any more
   * @throws only the signal's reason, CallRecalled, and errors that no trial is to blame for (an engine that cannot be opened at all)
   */
  run(
    job: Job,
    clip: HeardClip | null,
    signal: AbortSignal,
    alreadyPaid?: () => Promise<void>,
    recall?: AbortSignal,
  ): Promise<Outcome>;
  /**
   * Looks for calls that an earlier process left, where they outlive one: those that nobody has begun are not made any more.
   *
   * @param attempts their entries in the journal
   * @returns those that were not made
   */
  recallLeft?(attempts: readonly number[]): Promise<readonly number[]>;
  /** Ends what is still running and gives everything back. */
  close(): Promise<void>;
}
