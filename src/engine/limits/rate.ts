import type { Clock } from '../../base/clock.ts';

/** Never more than so many calls in any stretch of time of the given length. */
export interface Rate {
  /** Counts a call that is made now, or says how many milliseconds to wait before asking for it again; 0: it may be made. */
  take(): number;
  /** Resolves when the next call may be made. */
  wait(signal: AbortSignal): Promise<void>;
  /** Nobody calls for so long: what a service asks for with `Retry-After`. */
  pause(seconds: number): void;
}

export interface RateLimit {
  readonly calls: number;
  readonly perSeconds: number;
}

/** Timers take no longer waits than 2^31 - 1 ms: beyond it they end at once. */
const longestWaitMs = 86_400_000;

/** @param limits all of them hold; none: only pauses do */
export function createRate(limits: readonly RateLimit[], clock: Clock): Rate {
  // The moments of the last calls, as many as the limit counts: the oldest must be out of the window.
  const windows = limits.map((limit) => ({ ...limit, moments: [] as number[] }));
  let pausedUntil = 0;

  const earliest = (): number => {
    let moment = pausedUntil;
    for (const { calls, perSeconds, moments } of windows) {
      const oldest = moments[moments.length - calls];
      if (oldest !== undefined) moment = Math.max(moment, oldest + perSeconds * 1000);
    }
    return moment;
  };

  return {
    take() {
      const now = clock.monotonicMs();
      const wait = earliest() - now;
      if (wait > 0) return Math.min(wait, longestWaitMs);
      for (const window of windows) {
        window.moments.push(now);
        if (window.moments.length > window.calls) window.moments.shift();
      }
      return 0;
    },
    async wait(signal) {
      for (let wait = this.take(); wait > 0; wait = this.take()) await clock.sleep(wait, signal);
    },
    pause(seconds) {
      pausedUntil = Math.max(pausedUntil, clock.monotonicMs() + seconds * 1000);
    },
  };
}
