import { type EditCounts, errorRate } from '../edit-counts.ts';

/**
 * Word accuracy: 1 less the word error rate, so that insertions count against it and it can be negative (NIST's sclite,
 * HTK's `Acc`; the share of words that are correct is another measure). Null for an empty reference.
 *
 * @example wordAccuracy({ correct: 2, substitutions: 1, deletions: 0, insertions: 1 }) // 1/3
 */
export function wordAccuracy(counts: EditCounts): number | null {
  const rate = errorRate(counts);
  return rate === null ? null : 1 - rate;
}
