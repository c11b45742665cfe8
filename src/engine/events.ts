import type { CallMakers } from './executors/contract.ts';

/** What happens in a run, for whoever shows it. Plain data, so that it can cross a thread. */
export type EngineEvent =
  /** Begun, or gone on with: `answered` of the `trials` that are planned so far are kept. */
  | {
      readonly type: 'run';
      readonly id: string;
      readonly resumed: boolean;
      /** It had ended before. */
      readonly finished: boolean;
      readonly lostCalls: number;
      readonly answered: number;
      readonly trials: number;
    }
  /** What is to be asked is fixed: `hash` is what somebody may note to be sure of that later. */
  | { readonly type: 'plan'; readonly hash: string; readonly frozenAtMs: number }
  | { readonly type: 'batch'; readonly study: string; readonly about: string; readonly size: number | null }
  | { readonly type: 'planned'; readonly questions: number; readonly size: number | null }
  /** Recognizers are asked one trial each before the rest. */
  | { readonly type: 'preflight'; readonly recognizers: number }
  | Progress
  /** Who makes the calls where others do, told every few seconds. */
  | ({ readonly type: 'workers' } & CallMakers)
  | { readonly type: 'analysing'; readonly study: string }
  /** All is answered, and `share` of `what` is computed; null seconds are left while nothing can be said. */
  | {
      readonly type: 'computing';
      readonly study: string;
      readonly what: string;
      readonly share: number;
      readonly secondsLeft: number | null;
    }
  /** All studies are done, and what they found is put together; how much of it is done where that takes long. */
  | { readonly type: 'reporting'; readonly what: string; readonly share?: number; readonly secondsLeft?: number | null }
  | Making
  | Fitting
  /** A recognizer is asked nothing for so long, because its service asked for that, and why: its own words. */
  | { readonly type: 'waiting'; readonly recognizer: string; readonly seconds: number; readonly why: string }
  | { readonly type: 'preparing'; readonly message: string }
  | { readonly type: 'warning'; readonly message: string };

/** How far the batch in hand is: by its trials, and once they are answered by what is measured; where it has none, by all it asks. */
export interface Progress {
  readonly type: 'progress';
  readonly of: 'questions' | 'trials' | 'measurements';
  readonly size: number;
  readonly answered: number;
  readonly failed: number;
  /** Taken from answers stored before. */
  readonly reused: number;
  /** By the slowest recognizer's pace so far, and no less than what sounds take that are made slowly; null while nothing can be said. */
  readonly secondsLeft: number | null;
}

/** How far a sound is that takes long to make. */
export interface Making {
  readonly type: 'making';
  /** The perturbation. */
  readonly what: string;
  /** Which one it is, of how many; those that were made before count. */
  readonly sound: number;
  readonly sounds: number;
  /** How often the recognizer was asked for it, of so many times at most. */
  readonly pass: number;
  readonly passes: number;
  /** For all of them; null while nothing can be said. */
  readonly secondsLeft: number | null;
}

/** How far that is which is made once for all clips of some conditions, before the first of them. */
export interface Fitting {
  readonly type: 'fitting';
  readonly what: string;
  /** Through the recognizer: done, and of how many at most. */
  readonly passes: number;
  readonly maxPasses: number;
  /** At most, by the pace so far; null while nothing can be said. */
  readonly secondsLeft: number | null;
}

export type OnEvent = (event: EngineEvent) => void;
