import { hashPair, type WordFeatures, wordFeatures } from './hashed-features.ts';

/** Texts as numbers of words, with how frequent words and pairs of words are in all of them. */
export interface Collection {
  /** Row of each text. */
  readonly rowOf: ReadonlyMap<string, number>;
  /** Numbers of the words of each text, in their order. */
  readonly texts: readonly Uint32Array[];
  readonly words: readonly WordFeatures[];
  /** Hash of each word, for loops over all texts. */
  readonly wordHashes: Uint32Array;
  /** How often each word occurs. */
  readonly wordCounts: Uint32Array;
  /** All words of all texts. */
  readonly wordCount: number;
  /** How often a word follows another, by the hash of the two: a few pairs share a count. */
  readonly pairCount: (first: number, second: number) => number;
}

const pairBits = 22;

/** Stands before the first word of a text and after the last. */
export const sentenceEdgeHash = 0;

/**
 * Reads the words of texts and counts them. Depends on the set of texts, not on their order.
 *
 * @param pronunciations phonemes of words; null where no dictionary is used
 */
export function createCollection(
  texts: Iterable<string>,
  pronunciations: ReadonlyMap<string, string> | null,
): Collection {
  const rowOf = new Map([...new Set(texts)].sort().map((text, row) => [text, row]));
  const numberOf = new Map<string, number>();
  const words: WordFeatures[] = [];
  const numbers = [...rowOf.keys()].map((text) =>
    Uint32Array.from(textWords(text), (word) => {
      const known = numberOf.get(word);
      if (known !== undefined) return known;
      numberOf.set(word, words.length);
      words.push(wordFeatures(word, pronunciations));
      return words.length - 1;
    }),
  );

  const wordHashes = Uint32Array.from(words, ({ hash }) => hash);
  const wordCounts = new Uint32Array(words.length);
  const pairs = new Uint32Array(1 << pairBits);
  const place = (first: number, second: number) => hashPair(first, second) >>> (32 - pairBits);
  let wordCount = 0;
  for (const text of numbers) {
    wordCount += text.length;
    let before = sentenceEdgeHash;
    for (let index = 0; index < text.length; index++) {
      wordCounts[text[index]!]!++;
      const hash = wordHashes[text[index]!]!;
      pairs[place(before, hash)]!++;
      before = hash;
    }
  }
  return {
    rowOf,
    texts: numbers,
    words,
    wordHashes,
    wordCounts,
    wordCount,
    pairCount: (first, second) => pairs[place(first, second)]!,
  };
}

/** Scripts that put no blanks between words: each of their letters stands for one. */
const words =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/**
 * The words of a text, lower-case: what stands between blanks, and each letter of scripts that write none.
 *
 * @example textWords('Two words 你好') // ['two', 'words', '你', '好']
 */
export function textWords(text: string): string[] {
  return text.toLowerCase().match(words) ?? [];
}
