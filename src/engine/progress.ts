import type { Clock } from '../base/clock.ts';
import type { OnEvent } from './events.ts';

const everyMs = 100;

/** Counts what has been settled in a batch and says how long the rest will take. */
export interface ProgressMeter {
  settled(lane: number | null, failed: boolean): void;
  finish(): void;
}

interface Lane {
  left: number;
  done: number;
}

/**
 * The time left is that of the slowest lane at its own pace since the batch began: lanes work side by side, and answers
 * that were stored before took no time and say nothing about it.
 *
 * @param open how many questions each lane still has to settle
 */
export function createProgressMeter(
  open: ReadonlyMap<number | null, number>,
  before: { readonly size: number; readonly answered: number; readonly reused: number },
  clock: Clock,
  on: OnEvent,
): ProgressMeter {
  const lanes = new Map([...open].map(([lane, left]): [number | null, Lane] => [lane, { left, done: 0 }]));
  const started = clock.monotonicMs();
  let told = Number.NEGATIVE_INFINITY;
  let { answered } = before;
  let failures = 0;

  const secondsLeft = (now: number): number | null => {
    const elapsed = (now - started) / 1000;
    let longest = 0;
    for (const { left, done } of lanes.values()) {
      if (left === 0) continue;
      if (done === 0) return null;
      longest = Math.max(longest, (elapsed / done) * left);
    }
    return longest;
  };
  const tell = (now: number) => {
    told = now;
    on({
      type: 'progress',
      size: before.size,
      answered,
      failed: failures,
      reused: before.reused,
      secondsLeft: secondsLeft(now),
    });
  };

  return {
    settled(lane, failed) {
      const counts = lanes.get(lane);
      if (counts) {
        counts.left--;
        counts.done++;
      }
      answered++;
      if (failed) failures++;
      const now = clock.monotonicMs();
      if (now - told >= everyMs) tell(now);
    },
    finish: () => tell(clock.monotonicMs()),
  };
}
