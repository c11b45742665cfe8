import type { Clock } from '../base/clock.ts';
import { hashJson } from '../base/hash.ts';
import { createRate, createSemaphore, type Rate, type Semaphore, shareSemaphore } from './limits.ts';
import type { RecognizerSetup } from './setup.ts';

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
