/** A stream of random 32-bit words; its state is changed by drawing. */
export interface WordSource {
  state: number;
  /** Odd: which of the generator's sequences. */
  stream: number;
}

/**
 * The next 32 random bits: PCG-RXS-M-XS-32 (M. O'Neill, "PCG: a family of simple fast space-efficient statistically good
 * algorithms for random number generation", 2014).
 */
export function nextWord(source: WordSource): number {
  const state = (Math.imul(source.state, 747796405) + source.stream) | 0;
  source.state = state;
  const mixed = Math.imul((state >>> ((state >>> 28) + 4)) ^ state, 277803737);
  return (mixed >>> 22) ^ mixed;
}

/**
 * A whole number from 0 to `bound - 1`, each alike likely: the upper half of a word times the bound, thrown away where that
 * would favour some number (D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29, 2019).
 *
 * @param bound from 1 to 65,535
 */
export function nextIndex(source: WordSource, bound: number): number {
  const favoured = 65_536 % bound;
  for (;;) {
    const product = Math.imul(nextWord(source) >>> 16, bound);
    if ((product & 65_535) >= favoured) return product >>> 16;
  }
}
