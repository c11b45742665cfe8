/** Sums by cluster (speaker), one index for the same cluster everywhere; 0 for a cluster that is not in them. */
export interface PartlyLabelledCounts {
  /** Of the transcribed recordings: word errors against the reference, and its words. */
  readonly errors: Float64Array;
  readonly words: Float64Array;
  /** Of the same recordings: what is known without a reference, such as edits against another recognizer's words. */
  readonly pseudoErrors: Float64Array;
  readonly pseudoWords: Float64Array;
  /** The same of all recordings, transcribed or not. */
  readonly allPseudoErrors: Float64Array;
  readonly allPseudoWords: Float64Array;
}

/** @throws RangeError for lengths that differ and sums that are not finite or below 0 */
export function checkCounts(counts: PartlyLabelledCounts): void {
  const length = counts.errors.length;
  for (const [name, sums] of Object.entries(counts) as [string, Float64Array][]) {
    if (sums.length !== length) throw new RangeError(`expected ${length} clusters in ${name}, but got ${sums.length}`);
    const wrong = sums.findIndex((sum) => !(sum >= 0 && Number.isFinite(sum)));
    if (wrong >= 0) throw new RangeError(`expected sums of 0 or more, but ${name} has ${sums[wrong]} at ${wrong}`);
  }
}
