/** How an alignment came out: counts first, rates last. */
export interface EditCounts {
  readonly correct: number;
  readonly substitutions: number;
  readonly deletions: number;
  readonly insertions: number;
}

/** The counts of nothing: where sums begin. */
export const noEdits: EditCounts = { correct: 0, substitutions: 0, deletions: 0, insertions: 0 };

/** The counts of two alignments together. */
export function addCounts(a: EditCounts, b: EditCounts): EditCounts {
  return {
    correct: a.correct + b.correct,
    substitutions: a.substitutions + b.substitutions,
    deletions: a.deletions + b.deletions,
    insertions: a.insertions + b.insertions,
  };
}

/** Words (or characters) of the reference. */
export function referenceLength(counts: EditCounts): number {
  return counts.correct + counts.substitutions + counts.deletions;
}

/** Words (or characters) of the hypothesis. */
export function hypothesisLength(counts: EditCounts): number {
  return counts.correct + counts.substitutions + counts.insertions;
}

/** Substitutions, deletions and insertions together. */
export function errors(counts: EditCounts): number {
  return counts.substitutions + counts.deletions + counts.insertions;
}

/**
 * Errors per word of the reference: the word error rate of word counts, the character error rate of character counts.
 * Greater than 1 where more was inserted than there was to hear; null for an empty reference, of which no rate exists
 * (a caller who pools should add up counts and not rates).
 *
 * @example errorRate(countEdits(['a', 'b'], ['a'])) // .5
 */
export function errorRate(counts: EditCounts): number | null {
  const length = referenceLength(counts);
  return length === 0 ? null : errors(counts) / length;
}
