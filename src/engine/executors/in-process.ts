import type { Clock } from '../../base/clock.ts';
import type { Recognizer } from '../../recognizers/contract.ts';
import type { Executor } from './contract.ts';
import { untilOpened } from './host.ts';
import { answered, failed, failedWith } from './outcome.ts';

/**
 * Makes calls in this process: for tests, and for recognizers that cannot crash it. A call past its time limit is given
 * up, but an engine that ignores the signal goes on in the background.
 *
 * @param open opens a recognizer by its name in the run; called once for each
 */
export function inProcessExecutor(open: (recognizer: string) => Promise<Recognizer>, clock: Clock): Executor {
  const openings = new Map<string, Promise<Recognizer>>();
  const opened = new Set<Recognizer>();
  let closed = false;
  // What opens when nobody waits for it any more is closed again.
  const keep = async (recognizer: Recognizer) => {
    if (closed) await recognizer.close();
    else opened.add(recognizer);
  };

  return {
    async run(job, clip, signal) {
      signal.throwIfAborted();
      let opening = openings.get(job.recognizer);
      if (!opening) {
        opening = open(job.recognizer);
        opening.then(keep, () => {});
        openings.set(job.recognizer, opening);
      }
      const recognizer = await untilOpened(job, opening, signal);
      signal.throwIfAborted();
      const started = clock.monotonicMs();
      const elapsed = () => (clock.monotonicMs() - started) / 1000;
      const timeUp = new AbortController();
      const either = AbortSignal.any([signal, timeUp.signal]);
      const timer = setTimeout(() => timeUp.abort(new Error('time is up')), job.timeLimitSeconds * 1000);
      let giveUp: () => void = () => {};
      try {
        const stopped = new Promise<never>((_, reject) => {
          giveUp = () => reject(either.reason);
          either.addEventListener('abort', giveUp, { once: true });
        });
        const request = clip ? { ...job.request, clip } : job.request;
        return answered(await Promise.race([recognizer.recognize(request, either), stopped]), elapsed());
      } catch (error) {
        signal.throwIfAborted();
        if (timeUp.signal.aborted) {
          return failed('timeout', `no answer within ${job.timeLimitSeconds} s`, elapsed(), { retryable: true });
        }
        return failedWith(error, elapsed());
      } finally {
        clearTimeout(timer);
        either.removeEventListener('abort', giveUp);
      }
    },
    async close() {
      closed = true;
      for (const recognizer of opened) await recognizer.close();
      opened.clear();
      openings.clear();
    },
  };
}
