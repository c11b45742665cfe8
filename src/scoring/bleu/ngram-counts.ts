/** What a BLEU score is made of. Corpora add these up before any division (`addBleuCounts`). */
export interface BleuCounts {
  /** Tokens of the hypotheses. */
  readonly hypothesisLength: number;
  /** Tokens of the references, for each hypothesis the reference nearest in length (the shorter of two as near). */
  readonly referenceLength: number;
  /** N-grams of order 1, 2, … that are in a reference too, each at most as often as in the reference that has most. */
  readonly matches: readonly number[];
  /** N-grams of order 1, 2, … in the hypotheses. */
  readonly totals: readonly number[];
  /** Hypotheses too short for an n-gram of order 1, 2, …; NLTK counts one n-gram for each of them. */
  readonly tooShort: readonly number[];
}

/**
 * Counts n-grams for BLEU (K. Papineni et al., "BLEU: a method for automatic evaluation of machine translation", ACL
 * 2002, sections 2.1 and 2.2).
 *
 * @param references one or more token sequences
 * @param maxOrder longest n-gram, 1 or more
 * @throws RangeError without a reference, or where `maxOrder` is no whole number from 1
 */
export function countBleuNgrams(
  references: readonly (readonly string[])[],
  hypothesis: readonly string[],
  maxOrder: number,
): BleuCounts {
  if (references.length === 0) throw new RangeError('expected at least one reference for BLEU, but got none');
  if (!Number.isInteger(maxOrder) || maxOrder < 1) {
    throw new RangeError(`expected a longest n-gram of 1 or more words, but got ${maxOrder}`);
  }
  const numbers = new Map<string, number>();
  const numbered = (tokens: readonly string[]) =>
    tokens.map((token) => {
      const number = numbers.get(token) ?? numbers.size;
      numbers.set(token, number);
      return number;
    });
  // Each n-gram goes by a number of its own, made from that of its beginning and its last token: no strings are joined,
  // so that no token can be mistaken for a border.
  let hypothesisGrams = numbered(hypothesis);
  let referenceGrams = references.map(numbered);
  const lastTokens = { hypothesis: hypothesisGrams, references: referenceGrams };

  const matches: number[] = [];
  const totals: number[] = [];
  const tooShort: number[] = [];
  for (let order = 1; order <= maxOrder; order++) {
    if (order > 1) {
      const grams = new Map<number, number>();
      const lengthen = (beginnings: readonly number[], tokens: readonly number[]) =>
        Array.from({ length: Math.max(0, beginnings.length - 1) }, (_, index) => {
          const pair = beginnings[index]! * numbers.size + tokens[index + order - 1]!;
          const number = grams.get(pair) ?? grams.size;
          grams.set(pair, number);
          return number;
        });
      hypothesisGrams = lengthen(hypothesisGrams, lastTokens.hypothesis);
      referenceGrams = referenceGrams.map((grams, index) => lengthen(grams, lastTokens.references[index]!));
    }
    matches.push(clippedMatches(hypothesisGrams, referenceGrams));
    totals.push(hypothesisGrams.length);
    tooShort.push(hypothesisGrams.length === 0 ? 1 : 0);
  }
  return {
    hypothesisLength: hypothesis.length,
    referenceLength: nearestLength(references, hypothesis.length),
    matches,
    totals,
    tooShort,
  };
}

/**
 * The counts of two texts together.
 *
 * @throws RangeError where they were counted up to different orders
 */
export function addBleuCounts(a: BleuCounts, b: BleuCounts): BleuCounts {
  if (a.matches.length !== b.matches.length) {
    throw new RangeError(`expected counts of one longest n-gram, but got ${a.matches.length} and ${b.matches.length}`);
  }
  const add = (left: readonly number[], right: readonly number[]) => left.map((count, index) => count + right[index]!);
  return {
    hypothesisLength: a.hypothesisLength + b.hypothesisLength,
    referenceLength: a.referenceLength + b.referenceLength,
    matches: add(a.matches, b.matches),
    totals: add(a.totals, b.totals),
    tooShort: add(a.tooShort, b.tooShort),
  };
}

function clippedMatches(hypothesis: readonly number[], references: readonly (readonly number[])[]): number {
  const most = new Map<number, number>();
  for (const reference of references) {
    for (const [gram, count] of tally(reference)) most.set(gram, Math.max(count, most.get(gram) ?? 0));
  }
  let matches = 0;
  for (const [gram, count] of tally(hypothesis)) matches += Math.min(count, most.get(gram) ?? 0);
  return matches;
}

function tally(grams: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const gram of grams) counts.set(gram, (counts.get(gram) ?? 0) + 1);
  return counts;
}

function nearestLength(references: readonly (readonly string[])[], hypothesisLength: number): number {
  let nearest = references[0]!.length;
  for (const { length } of references) {
    const closer = Math.abs(length - hypothesisLength) - Math.abs(nearest - hypothesisLength);
    if (closer < 0 || (closer === 0 && length < nearest)) nearest = length;
  }
  return nearest;
}
