import type { AlignedWord } from '../../model/finding.ts';

/** A word that was taken for another, and how often. */
export interface Confusion {
  readonly reference: string;
  readonly hypothesis: string;
  readonly count: number;
}

/** So many different pairs are remembered; what is rare among them makes room. */
const maxPairs = 100_000;

/**
 * Counts which words were taken for which. In bounded memory: where there are more different pairs than can be remembered,
 * the rarest are forgotten, so that counts of rare ones may be too low.
 */
export function createConfusionCounts(): {
  add(aligned: readonly AlignedWord[]): void;
  top(most: number): readonly Confusion[];
} {
  let counts = new Map<string, number>();
  let rarest = 1;
  return {
    add(aligned) {
      for (const { reference, hypothesis } of aligned) {
        if (reference === null || hypothesis === null || reference === hypothesis) continue;
        const pair = JSON.stringify([reference, hypothesis]);
        counts.set(pair, (counts.get(pair) ?? 0) + 1);
        while (counts.size > maxPairs) {
          const limit = rarest++;
          counts = new Map([...counts].filter(([, count]) => count > limit));
        }
      }
    },
    top(most) {
      const sorted = [...counts].sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
      return sorted.slice(0, most).map(([pair, count]) => {
        const [reference, hypothesis] = JSON.parse(pair) as [string, string];
        return { reference, hypothesis, count };
      });
    },
  };
}
