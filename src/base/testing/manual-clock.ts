import type { Clock } from '../clock.ts';

/** A clock that stands still until it is told: for tests that must not sleep. */
export interface ManualClock extends Clock {
  /** Lets time pass: sleepers whose time has come wake up, in order, each with the time it waited for. */
  advance(ms: number): Promise<void>;
}

/** @param startMs what the clock shows first */
export function createManualClock(startMs = 0): ManualClock {
  let now = startMs;
  let sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  // What a sleeper does when it wakes may take several turns before it sleeps again.
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };

  return {
    monotonicMs: () => now,
    wallMs: () => now,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const sleeper = { at: now + ms, wake: resolve };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers = sleepers.filter((other) => other !== sleeper);
          reject(signal.reason);
        });
      });
    },
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (;;) {
        sleepers.sort((first, second) => first.at - second.at);
        const next = sleepers[0];
        if (!next || next.at > end) break;
        sleepers.shift();
        now = next.at;
        next.wake();
        await settle();
      }
      now = end;
    },
  };
}
