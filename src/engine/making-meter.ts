import type { Clock } from '../base/clock.ts';
import type { PlannedQuestion, Store } from '../store/contract.ts';
import type { ConditionBook } from './conditions.ts';
import type { OnEvent } from './events.ts';

/** Counts sounds that take long to make, and says how long the rest will take. */
export interface MakingMeter {
  /** So many are wanted from here on, those that were made before among them. */
  expect(sounds: number): void;
  /** One of them is there or is begun, by the hash of its clip. */
  seen(clip: string): void;
  /** How often the recognizer was asked for the one in hand, of so many times at most. */
  told(what: string, done: number, of: number): void;
}

/**
 * The time left is that of all passes that are left at the pace since the first: every sound that was not seen yet is taken for one that is to be
 * made, with as many passes as the one in hand.
 */
export function createMakingMeter(clock: Clock, on: OnEvent): MakingMeter {
  let sounds = 0;
  let seen = new Set<string>();
  let firstMs: number | null = null;
  let passes = 0;
  return {
    expect(count) {
      sounds = count;
      seen = new Set();
    },
    seen(clip) {
      seen.add(clip);
    },
    told(what, done, of) {
      const now = clock.monotonicMs();
      firstMs ??= now;
      const pace = passes === 0 ? null : (now - firstMs) / 1000 / passes;
      passes++;
      const left = of - done + Math.max(0, sounds - seen.size) * of;
      const sound = Math.max(1, seen.size);
      on({
        ...{ type: 'making', what, sound, sounds: Math.max(sounds, sound), pass: done, passes: of },
        secondsLeft: pace === null ? null : pace * left,
      });
    },
  };
}

const pageSize = 4096;

/** How many sounds that take long to make the open questions of a batch are about. */
export async function countCostlySounds(
  {
    store,
    runId,
    recognizers,
    conditions,
  }: {
    readonly store: Pick<Store, 'conditions' | 'open'>;
    readonly runId: string;
    readonly recognizers: readonly unknown[];
    readonly conditions: ConditionBook;
  },
  batch: number,
): Promise<number> {
  const costly = new Set<number>();
  for (const index of store.conditions(runId).keys()) {
    if ((await conditions.heard(index)?.catch(() => null))?.costly) costly.add(index);
  }
  const sounds = new Set<string>();
  for (const recognizer of costly.size === 0 ? [] : [null, ...recognizers.keys()]) {
    let page: readonly PlannedQuestion[] = [];
    do {
      page = store.open(runId, batch, { recognizer, after: page.at(-1)?.position ?? -1, limit: pageSize });
      for (const { utterance, condition, draw } of page) {
        if (costly.has(condition)) sounds.add(`${utterance} ${condition} ${draw}`);
      }
    } while (page.length > 0);
  }
  return sounds.size;
}
