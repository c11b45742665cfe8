import type { Clock } from '../base/clock.ts';
import { hashJson } from '../base/hash.ts';
import type { Utterance } from '../model/utterance.ts';
import type { ClipMaker } from './clips.ts';
import type { ConditionBook } from './conditions.ts';
import type { GroupCommit } from './group-commit.ts';
import { type Budget, createRate, createSemaphore, type Rate, type Semaphore, shareSemaphore } from './limits.ts';
import type { MakingMeter } from './making-meter.ts';
import type { RecognizerSetup, RunSetup } from './setup.ts';

/** How one recognizer is asked. */
export interface Asking {
  readonly recognizer: RecognizerSetup;
  /** Hash of its identity: part of every key. */
  readonly identity: string;
  readonly permits: Semaphore;
  readonly rate: Rate;
  /** Permits for this machine's processor: calls of one batch share one. */
  readonly processor: Semaphore;
  /** Somebody waits for the answer: a call past its time limit is made again only when the trial is to be kept. */
  readonly hasty?: true;
}

/** @param processor permits for this machine's processor */
export function createAsking(recognizer: RecognizerSetup, processor: Semaphore, clock: Clock): Asking {
  const { concurrency, rates, batch = 1 } = recognizer.limits;
  return {
    recognizer,
    identity: hashJson(recognizer.identity),
    permits: createSemaphore(concurrency),
    rate: createRate(rates, clock),
    processor: batch === 1 ? processor : shareSemaphore(processor, batch),
  };
}

/**
 * Lets the event loop turn once. A loop over what is in memory waits for nothing, so without this nobody could stop it,
 * and timers, messages and finalizers would wait until its end.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** What the lanes of a batch share. */
export interface LaneContext {
  readonly setup: RunSetup;
  readonly batch: number;
  /** How each recognizer of the run is asked, in their order. */
  readonly askings: readonly Asking[];
  readonly clips: ClipMaker;
  readonly conditions: ConditionBook;
  /** How long sounds still take that are made slowly. */
  readonly making: Pick<MakingMeter, 'secondsLeft'>;
  readonly commit: GroupCommit;
  readonly budget: Budget;
  utterance(position: number): Utterance;
  /** How long the run has been at work, over all its sessions. */
  elapsedSeconds(): number;
  /** Questions that are being asked, by key: recognizers of one identity under two names share their answers. */
  readonly inFlight: Map<string, Promise<boolean>>;
  /** Told of every question as it is settled. */
  settled(recognizer: number | null, failed: boolean): void;
  /** Stops every lane at once: something is wrong that no trial is to blame for. What is in flight is kept. */
  breakOff(error: unknown): void;
  /** Aborted when any lane meets an error that no trial is to blame for, or the user stops the run. */
  readonly stop: AbortSignal;
}

/** What the batches of a run share. */
export type RunContext = Omit<LaneContext, 'settled' | 'breakOff' | 'stop' | 'batch' | 'inFlight'>;
