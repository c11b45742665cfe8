import type { Clock } from '../base/clock.ts';
import { Pace } from '../base/pace.ts';
import type { PlannedQuestion, Store } from '../store/contract.ts';
import type { ConditionBook } from './conditions.ts';
import type { OnEvent } from './events.ts';

/** Counts sounds that take long to make, and says how long the rest will take. Each is known by the hash of its clip. */
export interface MakingMeter {
  /** So many are wanted from here on, those that were made before among them. */
  expect(sounds: number): void;
  /** How often the recognizer was asked for one, of so many times at most. */
  told(clip: string, what: string, done: number, of: number): void;
  /** It is made, or was made before. */
  made(clip: string): void;
  /** For all that are wanted: 0 where none is, null while nothing can be said. */
  secondsLeft(): number | null;
}

/**
 * The time left is that of all passes that are left at the pace of the last ones: every sound that nothing was told of yet is taken for one with as
 * many passes as the last.
 */
export function createMakingMeter(clock: Clock, on: OnEvent): MakingMeter {
  let sounds = 0;
  let made = new Set<string>();
  const leftOf = new Map<string, number>();
  let usual = 0;
  let pace: Pace | null = null;
  let each: number | null = null;
  const secondsLeft = (): number | null => {
    const wanted = Math.max(sounds - made.size, leftOf.size);
    if (wanted === 0) return 0;
    const begun = [...leftOf.values()].reduce((sum, left) => sum + left, 0);
    return each === null ? null : each * (begun + (wanted - leftOf.size) * usual);
  };
  return {
    expect(count) {
      sounds = count;
      made = new Set();
    },
    told(clip, what, done, of) {
      const now = clock.monotonicMs();
      if (pace === null) pace = new Pace(now);
      else pace.done(now);
      each = pace.secondsEach(now);
      usual = of;
      leftOf.set(clip, of - done);
      const sound = made.size + 1;
      on({
        ...{ type: 'making', what, sound, sounds: Math.max(sounds, sound), pass: done, passes: of },
        secondsLeft: secondsLeft(),
      });
    },
    made(clip) {
      leftOf.delete(clip);
      made.add(clip);
    },
    secondsLeft,
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
