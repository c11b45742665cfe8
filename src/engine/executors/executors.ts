import type { Clock } from '../../base/clock.ts';
import type { Recognizer } from '../../recognizers/contract.ts';
import type { Executor, RecognizerAddress } from './contract.ts';
import { Host, untilOpened } from './host.ts';
import { answered, failed, failedWith } from './outcome.ts';

interface ChildProcessesOptions {
  /** The entry of a host process. */
  readonly entry: URL;
  /** How to open each recognizer of the run. */
  readonly addresses: Readonly<Record<string, RecognizerAddress>>;
  /** How many calls one opened engine of each takes at once. */
  readonly concurrency: Readonly<Record<string, number>>;
  readonly clock: Clock;
}

/**
 * Makes calls in processes of their own, one opened engine in each: a crash, a hang or no memory costs the trial in
 * hand. Processes are started when all there are of a recognizer are busy, kept for the next call, and started again
 * when they have died.
 */
export function childProcessesExecutor({ entry, addresses, concurrency, clock }: ChildProcessesOptions): Executor {
  const hosts = new Map<string, Host[]>();
  /** Recognizers whose engine could be opened. */
  const opened = new Set<string>();

  const freeHost = (recognizer: string): Host => {
    const known = hosts.get(recognizer) ?? [];
    if (known.some(({ wasOpened }) => wasOpened)) opened.add(recognizer);
    const alive = known.filter((host) => !host.dead);
    const limit = concurrency[recognizer] ?? 1;
    let host = alive.find(({ busy }) => busy < limit);
    if (!host) {
      const address = addresses[recognizer];
      if (!address) throw new Error(`no address for the recognizer ${recognizer}`);
      host = new Host(entry, address, clock, opened.has(recognizer));
      alive.push(host);
    }
    hosts.set(recognizer, alive);
    return host;
  };

  return {
    async run(job, clip, signal, alreadyPaid) {
      signal.throwIfAborted();
      return freeHost(job.recognizer).recognize(job, clip, signal, alreadyPaid);
    },
    async close() {
      await Promise.all([...hosts.values()].flat().map((host) => host.close()));
      hosts.clear();
    },
  };
}

/** Sends the calls of some recognizers to one executor and of the rest to another. */
export function dividedExecutor(apart: Executor, here: Executor, isApart: (recognizer: string) => boolean): Executor {
  return {
    run: (job, ...call) => (isApart(job.recognizer) ? apart : here).run(job, ...call),
    async close() {
      await Promise.all([apart.close(), here.close()]);
    },
  };
}

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
    async run(job, clip, signal, alreadyPaid) {
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
        const request = { ...job.request, ...(clip && { clip }), ...(alreadyPaid && { alreadyPaid }) };
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
