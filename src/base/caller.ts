// How sentences name what they advise. Whoever starts a run, the command or a program in Python, calls the same things by other names, and the
// sentences are made deep within, by engines and lanes that know nothing of either.
import { AsyncLocalStorage } from 'node:async_hooks';

/** What sentences call what a reader can do about them. */
export interface CallerNames {
  /** Begins a new run. */
  readonly newRun: string;
  /** Lets everything fail. */
  readonly allMayFail: string;
  /** Lets more fail than now. */
  readonly moreMayFail: string;
  /** Asks again what failed, and nothing else; null where there is no such way. */
  readonly retryFailed: string | null;
  /** Ends a sentence: how answers of a recognizer are kept that cannot tell by itself whether it has changed. */
  keepAnswers(recognizer: string, epoch: string): string;
}

export const namesOfCommand: CallerNames = {
  newRun: '--new',
  allMayFail: '--max-failed 1',
  moreMayFail: '--max-failed',
  retryFailed: '--retry-failed',
  keepAnswers: (_, epoch) =>
    `If it has not, set \`epoch: ${epoch}\` in its entry of the config to reuse those answers now and later`,
};

const names = new AsyncLocalStorage<CallerNames>();

/** The names of whoever called; those of the command if nobody said others. */
export function callerNames(): CallerNames {
  return names.getStore() ?? namesOfCommand;
}

/** Does something, and whatever it calls, with names of the caller's own. */
export function namedBy<Result>(own: CallerNames, work: () => Result): Result {
  return names.run(own, work);
}
