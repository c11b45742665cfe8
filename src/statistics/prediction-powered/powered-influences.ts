/** A rate from a sample, and what pseudo verdicts of all recordings say of the sample: each cluster's influence on both. */
export interface PoweredInfluences {
  /** Errors per word of the transcribed recordings. */
  readonly rate: number;
  /** Pseudo errors per pseudo word of all recordings less those of the transcribed: how much easier the sample is. */
  readonly shift: number;
  /** Of each cluster on the rate. */
  readonly ofRate: Float64Array;
  /** Of each cluster on the shift. */
  readonly ofShift: Float64Array;
  /** Each cluster's share of the transcribed words. */
  readonly shares: Float64Array;
  /** Clusters with a transcribed word, and how many of equal size they count as (Kish). */
  readonly labelled: number;
  readonly effective: number;
}

/** Influences by linearization (R. Woodruff, J. American Statistical Association 66, 1971); null without words in any of the three. */
export function poweredInfluences(counts: PartlyLabelledCounts): PoweredInfluences | null {
  const { errors, words, pseudoErrors, pseudoWords, allPseudoErrors, allPseudoWords } = counts;
  const total = (sums: Float64Array) => sums.reduce((sum, value) => sum + value, 0);
  const [allWords, sampled, everything] = [total(words), total(pseudoWords), total(allPseudoWords)];
  if (!(allWords > 0 && sampled > 0 && everything > 0)) return null;
  const rate = total(errors) / allWords;
  const [ofSample, ofAll] = [total(pseudoErrors) / sampled, total(allPseudoErrors) / everything];
  const shares = words.map((count) => count / allWords);
  const squares = shares.reduce((sum, share) => sum + share ** 2, 0);
  return {
    rate,
    shift: ofAll - ofSample,
    ofRate: errors.map((count, cluster) => (count - rate * words[cluster]!) / allWords),
    ofShift: allPseudoErrors.map(
      (count, cluster) =>
        (count - ofAll * allPseudoWords[cluster]!) / everything -
        (pseudoErrors[cluster]! - ofSample * pseudoWords[cluster]!) / sampled,
    ),
    shares,
    labelled: words.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0),
    effective: 1 / squares,
  };
}

/**
 * The weight of the shift that makes the variance least (lambda of PPI++), not below 0: pseudo verdicts that go against the errors
 * are not believed. 0 where pseudo verdicts do not vary, or by rounding alone: over next to nothing any weight would come out.
 */
export function tunedWeight({ ofRate, ofShift }: PoweredInfluences): number {
  let [products, squares] = [0, 0];
  for (let cluster = 0; cluster < ofRate.length; cluster++) {
    products += ofRate[cluster]! * ofShift[cluster]!;
    squares += ofShift[cluster]! ** 2;
  }
  return squares > rounding ** 2 ? Math.max(0, -products / squares) : 0;
}

/** Shares of pseudo errors differ by more where they differ at all. */
const rounding = 1e-12;

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
