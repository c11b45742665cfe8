import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { ClipSums } from './clip-sums.ts';

/** Sounds with words among those that two recognizers both answered, by recording. */
export interface Pair {
  readonly first: number;
  readonly second: number;
  readonly counts: () => { readonly first: ClusteredCounts; readonly second: ClusteredCounts; readonly sounds: number };
}

/** Counts pairs of recognizers, sound by sound. */
interface SoundPairs {
  /** What a recognizer wrote for the sound in hand. */
  hear(recognizer: number, words: number): void;
  /** The sound in hand has been heard by everybody. */
  leave(unit: number): void;
  readonly pairs: readonly Pair[];
}

/** @param recognizers how many */
export function openSoundPairs(recognizers: number): SoundPairs {
  const numbers = Array.from({ length: recognizers }, (_, number) => number);
  const counted = numbers.flatMap((first) =>
    numbers.slice(first + 1).map((second) => ({ first, second, sums: [new ClipSums(), new ClipSums()] as const })),
  );
  const heard = new Map<number, number>();
  return {
    hear(recognizer, words) {
      heard.set(recognizer, words);
    },
    leave(unit) {
      for (const { first, second, sums } of counted) {
        const [one, other] = [heard.get(first), heard.get(second)];
        if (one === undefined || other === undefined) continue;
        sums[0].add(unit, { words: one, seconds: null, loops: 0 });
        sums[1].add(unit, { words: other, seconds: null, loops: 0 });
      }
      heard.clear();
    },
    pairs: counted.map(({ first, second, sums }) => ({
      first,
      second,
      counts: () => ({ first: sums[0].shares(), second: sums[1].shares(), sounds: sums[0].sounds }),
    })),
  };
}
