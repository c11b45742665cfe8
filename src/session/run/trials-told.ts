import type { Clock } from '../../base/clock.ts';
import { ShareLeft } from '../../base/pace.ts';
import type { OnEvent } from '../../engine/events.ts';
import type { RunReader } from '../../store/contract.ts';

/** What is soon done need not be told, and nobody sees it more often. */
const [untoldMs, betweenMs] = [5000, 250];

/**
 * The same store, which tells how far it is with the trials that somebody goes through.
 *
 * @param what is being done with them, as it is told
 */
export function withTrialsTold<Store extends Pick<RunReader, 'batches' | 'trials'>>(
  store: Store,
  what: string,
  clock: Clock,
  on: OnEvent,
): Store {
  return {
    ...store,
    *trials(run) {
      const pace = new ShareLeft();
      const begunMs = clock.monotonicMs();
      pace.secondsLeft(0, begunMs);
      let toldMs = begunMs + untoldMs - betweenMs;
      const all = store.batches(run).reduce((sum, { size }) => sum + size, 0);
      let done = 0;
      for (const trial of store.trials(run)) {
        yield trial;
        if (++done % 1000 > 0) continue;
        const ms = clock.monotonicMs();
        if (ms - toldMs < betweenMs) continue;
        toldMs = ms;
        // Some are asked by several studies, and gone through once.
        const share = done / Math.max(done, all);
        on({ type: 'reporting', what, share, secondsLeft: pace.secondsLeft(share, ms) });
      }
    },
  };
}
