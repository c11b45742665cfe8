/** How often each word was recognized. */
export type WordCounts = ReadonlyMap<string, number>;

/**
 * Word drops of AequeVox (Algorithm 2 and Table 9): how many times fewer a word is recognized under the parameter of a
 * transformation that hurts it most than in the original sound, at least 0. The words should be those that were said: a
 * transcript's own words leave out those never recognized.
 *
 * @param words words to be looked at, in the order of the result
 * @param transformed counts for each parameter of the transformation
 * @returns null without a parameter
 * @example wordDrops(['six'], new Map([['six', 4]]), [new Map([['six', 1]]), new Map([['six', 3]])]).get('six') // 3
 */
export function wordDrops(
  words: Iterable<string>,
  original: WordCounts,
  transformed: readonly WordCounts[],
): Map<string, number> | null {
  if (transformed.length === 0) return null;
  const drops = new Map<string, number>();
  for (const word of words) {
    const least = transformed.reduce((fewest, counts) => Math.min(fewest, counts.get(word) ?? 0), Infinity);
    drops.set(word, Math.max(0, (original.get(word) ?? 0) - least));
  }
  return drops;
}

/**
 * Words that a transformation hides (drop at least `threshold`) and those that it leaves alone (drop 0). Algorithm 2 of
 * AequeVox says greater than the threshold; the words its authors used need at least the threshold.
 *
 * @example sortByDrop(new Map([['six', 3], ['snow', 0]]), 3) // { nonRobust: ['six'], robust: ['snow'] }
 */
export function sortByDrop(
  drops: ReadonlyMap<string, number>,
  threshold: number,
): { readonly nonRobust: readonly string[]; readonly robust: readonly string[] } {
  if (!(threshold > 0)) throw new RangeError(`expected a threshold greater than 0, but got ${threshold}`);
  const entries = [...drops];
  return {
    nonRobust: entries.filter(([, drop]) => drop >= threshold).map(([word]) => word),
    robust: entries.filter(([, drop]) => drop === 0).map(([word]) => word),
  };
}
