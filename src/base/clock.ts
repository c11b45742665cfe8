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
 * What a store or a bundle of somebody else's has in the place of a time: NaN where it is none that a calendar has.
 *
 * @example readTime(1e300) // NaN
 */
export function readTime(value: unknown): number {
  return typeof value === 'number' ? new Date(value).getTime() : Number.NaN;
}

/**
 * A moment as ISO 8601 writes it, in UTC; null for a number that is no time.
 *
 * @example isoTime(0) // '1970-01-01T00:00:00.000Z'
 */
export function isoTime(wallMs: number): string | null {
  const moment = new Date(wallMs);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

/**
 * A moment to the minute in UTC, for people, where it is said beside it that it is UTC.
 *
 * @example minuteInUtc(0) // '1970-01-01 00:00'
 */
export function minuteInUtc(wallMs: number): string {
  return isoTime(wallMs)?.slice(0, 16).replace('T', ' ') ?? 'unknown';
}

/**
 * A moment to the minute, for people.
 *
 * @example minuteText(0) // '1970-01-01 00:00 UTC'
 */
export function minuteText(wallMs: number): string {
  return isoTime(wallMs) === null ? 'at an unknown time' : `${minuteInUtc(wallMs)} UTC`;
}
