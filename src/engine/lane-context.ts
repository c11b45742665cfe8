import type { Clock } from '../base/clock.ts';
import { hashJson } from '../base/hash.ts';
import type { Utterance } from '../model/utterance.ts';
import type { AttemptEnd, Journal, NewAnswer, NewAttempt } from '../store/contract.ts';
import type { ClipMaker } from './clips.ts';
import type { ConditionBook } from './conditions.ts';
import { type Budget, createRate, createSemaphore, type Rate, type Semaphore, shareSemaphore } from './limits.ts';
import type { MakingMeter } from './making-meter.ts';
import type { RecognizerSetup, RunSetup } from './setup.ts';

/** Journals calls and keeps answers, many together in one transaction: what is waiting is written in the next turn. */
interface GroupCommit {
  /** Resolves with the call's number when it is safely journaled: only then may it be made. */
  begin(attempt: NewAttempt): Promise<number>;
  /** Resolves when the end of a call, and the answer if it gave one, are safely kept. */
  end(end: AttemptEnd | null, answer: NewAnswer | null): Promise<void>;
}

interface Waiting<Entry, Result> {
  readonly entry: Entry;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export function createGroupCommit(store: Journal, runId: string): GroupCommit {
  let begins: Waiting<NewAttempt, number>[] = [];
  let ends: Waiting<{ end: AttemptEnd | null; answer: NewAnswer | null }, void>[] = [];
  let scheduled = false;

  const flush = () => {
    scheduled = false;
    const [starting, ending] = [begins, ends];
    begins = [];
    ends = [];
    try {
      const numbers = store.record(runId, {
        begin: starting.map(({ entry }) => entry),
        end: ending.flatMap(({ entry }) => entry.end ?? []),
        answers: ending.flatMap(({ entry }) => entry.answer ?? []),
      });
      for (const { resolve } of ending) resolve();
      starting.forEach(({ resolve }, index) => {
        resolve(numbers[index]!);
      });
    } catch (error) {
      for (const { reject } of [...ending, ...starting]) reject(error);
    }
  };
  const schedule = () => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(flush);
  };

  return {
    begin(entry) {
      schedule();
      return new Promise((resolve, reject) => {
        begins.push({ entry, resolve, reject });
      });
    },
    end(end, answer) {
      schedule();
      return new Promise((resolve, reject) => {
        ends.push({ entry: { end, answer }, resolve, reject });
      });
    },
  };
}

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
  /** Aborted with it, but not where a budget is used up: until that is, what waits for somebody to make it is still wanted. */
  readonly recall: AbortSignal;
}

/** What the batches of a run share. */
export type RunContext = Omit<LaneContext, 'settled' | 'breakOff' | 'stop' | 'recall' | 'batch' | 'inFlight'>;
