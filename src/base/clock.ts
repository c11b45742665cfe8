/** Time as a service, so that tests never sleep. */
export interface Clock {
  /** Milliseconds since an arbitrary moment, never going back. */
  monotonicMs(): number;
  /** Milliseconds since 1970-01-01 UTC. */
  wallMs(): number;
  /** Resolves after so many milliseconds; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** What a timer can wait; of more it makes a millisecond. */
export const maxTimerMs = 2 ** 31 - 1;

/** The machine's clock. */
export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  wallMs: () => Date.now(),
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const until = performance.now() + ms;
      let timer: NodeJS.Timeout;
      const wait = () => {
        const left = until - performance.now();
        timer = setTimeout(left > maxTimerMs ? wait : done, Math.min(left, maxTimerMs));
      };
      const done = () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      wait();
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  },
};

/**
 * A moment to the minute, for people; a store of somebody else's may say anything.
 *
 * @example minuteText(0) // '1970-01-01 00:00 UTC'
 */
export function minuteText(wallMs: number): string {
  const moment = new Date(wallMs);
  if (Number.isNaN(moment.getTime())) return 'at an unknown time';
  return `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
