import type { Utterance } from '../../model/utterance.ts';
import type { ReadAttribute } from './attributes.ts';
import { SlicedCounts } from './sliced-counts.ts';

/** Trials that failed and trials that were asked, by group and speaker; as large as these are many. */
export interface GroupTrials {
  /** What is added from here on belongs to this utterance. */
  enter(utterance: Utterance): void;
  add(recognizer: number, failed: boolean): void;
  readonly slices: SlicedCounts;
}

/** @param groupBy attributes that make groups; null: every attribute with 2 to 8 values */
export function createGroupTrials(groupBy: readonly string[] | null, read: ReadAttribute): GroupTrials {
  const slices = new SlicedCounts(groupBy);
  let met = new Set<number>();
  return {
    enter(utterance) {
      const names = groupBy ?? Object.keys(utterance.attributes);
      const values = names.flatMap((name) => {
        const value = read(utterance, name);
        return value === null ? [] : [[name, value] as const];
      });
      slices.enter({ ...utterance, attributes: Object.fromEntries(values) });
      met = new Set();
    },
    add(recognizer, failed) {
      slices.add(recognizer, failed ? 1 : 0, 1, 1, met.has(recognizer) ? 0 : 1);
      met.add(recognizer);
    },
    slices,
  };
}
