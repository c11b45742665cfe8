/** A word and how often it stands in the references. */
export interface WordCount {
  readonly word: string;
  readonly count: number;
}

/** Words of the references that a recognizer cannot write. */
export interface OutsideVocabulary {
  readonly recognizer: string;
  /** Words it knows, before normalization. */
  readonly vocabularySize: number;
  readonly tokensOutside: number;
  readonly typesOutside: number;
  /** Null where the references hold no words. */
  readonly tokenShare: number | null;
  readonly typeShare: number | null;
  readonly mostFrequent: readonly WordCount[];
}

/**
 * Compares the words of the references with what a recognizer can write. Its words are normalized like the references, so
 * that `don't` is known where the normalizer makes `don t` of it.
 *
 * @param counts how often each distinct word stands in the references
 * @param listed how many of the most frequent words outside are named
 */
export function outsideVocabulary(
  recognizer: string,
  vocabulary: ReadonlySet<string>,
  counts: ReadonlyMap<string, number>,
  words: (text: string) => readonly string[],
  listed: number,
): OutsideVocabulary {
  const known = new Set<string>();
  for (const entry of vocabulary) for (const word of words(entry)) if (counts.has(word)) known.add(word);
  let tokens = 0;
  const outside = new Map<string, number>();
  for (const [word, count] of counts) {
    tokens += count;
    if (!known.has(word)) outside.set(word, count);
  }
  const tokensOutside = [...outside.values()].reduce((sum, count) => sum + count, 0);
  return {
    recognizer,
    vocabularySize: vocabulary.size,
    tokensOutside,
    typesOutside: outside.size,
    tokenShare: tokens === 0 ? null : tokensOutside / tokens,
    typeShare: counts.size === 0 ? null : outside.size / counts.size,
    mostFrequent: mostFrequent(outside, listed),
  };
}

/** The most frequent words, and of equally frequent ones the first by code unit. */
export function mostFrequent(counts: ReadonlyMap<string, number>, listed: number): readonly WordCount[] {
  return [...counts]
    .map(([word, count]) => ({ word, count }))
    .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
    .slice(0, listed);
}
