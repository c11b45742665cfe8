import type { Clock } from '../base/clock.ts';
import { hashJson } from '../base/hash.ts';
import { createRate, createSemaphore, type Rate, type Semaphore } from './limits.ts';
import type { RecognizerSetup } from './setup.ts';

/** How one recognizer is asked. */
export interface Asking {
  readonly recognizer: RecognizerSetup;
  /** Hash of its identity: part of every key. */
  readonly identity: string;
  readonly permits: Semaphore;
  readonly rate: Rate;
  /** Somebody waits for the answer: a call past its time limit is made again only when the trial is to be kept. */
  readonly hasty?: true;
}

export function createAsking(recognizer: RecognizerSetup, clock: Clock): Asking {
  const { concurrency, rates } = recognizer.limits;
  return {
    recognizer,
    identity: hashJson(recognizer.identity),
    permits: createSemaphore(concurrency),
    rate: createRate(rates, clock),
  };
}
