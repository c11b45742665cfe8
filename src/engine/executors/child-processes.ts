import type { Clock } from '../../base/clock.ts';
import type { Executor, RecognizerAddress } from './contract.ts';
import { Host } from './host.ts';

export interface ChildProcessesOptions {
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
    async run(job, clip, signal) {
      signal.throwIfAborted();
      return freeHost(job.recognizer).recognize(job, clip, signal);
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
    run: (job, clip, signal) => (isApart(job.recognizer) ? apart : here).run(job, clip, signal),
    async close() {
      await Promise.all([apart.close(), here.close()]);
    },
  };
}
