import type { AlignedWord } from '../../model/finding.ts';
import { type AlignedPlace, isError } from './aligned-place.ts';

/** How often one word was taken for another. */
export interface ConfusionPair {
  /** Null: nothing was said here, the word was inserted. */
  readonly reference: string | null;
  /** Null: the word was deleted. */
  readonly hypothesis: string | null;
  readonly count: number;
}

/** What went wrong by word, most frequent first; of equal counts in the order of the code units. */
export interface Confusions {
  readonly substitutions: readonly ConfusionPair[];
  readonly deletions: readonly ConfusionPair[];
  readonly insertions: readonly ConfusionPair[];
}

/**
 * Which words were taken for which, over any number of alignments, as in sclite's report on confusion pairs, insertions and
 * deletions. Deterministic: ties stand in the order of the words.
 *
 * @example
 * confusionPairs([align(['a', 'cat'], ['the', 'cat'])]).substitutions // [{ reference: 'a', hypothesis: 'the', count: 1 }]
 */
export function confusionPairs(alignments: Iterable<readonly AlignedPlace[]>): Confusions {
  const counts = new Map<string | null, Map<string | null, number>>();
  for (const aligned of alignments) {
    for (const place of aligned) {
      if (!isError(place)) continue;
      const { reference, hypothesis } = place;
      const row = counts.get(reference) ?? new Map<string | null, number>();
      counts.set(reference, row.set(hypothesis, (row.get(hypothesis) ?? 0) + 1));
    }
  }
  const pairs = [...counts]
    .flatMap(([reference, row]) => [...row].map(([hypothesis, count]) => ({ reference, hypothesis, count })))
    .sort(
      (a, b) =>
        b.count - a.count ||
        compareWords(a.reference ?? '', b.reference ?? '') ||
        compareWords(a.hypothesis ?? '', b.hypothesis ?? ''),
    );
  return {
    substitutions: pairs.filter(({ reference, hypothesis }) => reference !== null && hypothesis !== null),
    deletions: pairs.filter(({ hypothesis }) => hypothesis === null),
    insertions: pairs.filter(({ reference }) => reference === null),
  };
}

/** The same everywhere, unlike an order by language. */
function compareWords(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

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
