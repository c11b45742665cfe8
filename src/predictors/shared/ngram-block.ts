import { type Collection, edgeHash } from './collection.ts';
import type { FeatureBlock } from './feature-block.ts';
import { createHashColumns, type HashColumns, hashPair } from './feature-hash.ts';
import { stretchWeight, wordScore } from './word-features.ts';

/** How much a pair of words counts beside a word. */
const pairWeight = 0.5;

/**
 * Of a longer text everything counts less, by the square root of its words: what was learned of words by chance then adds up to the same
 * in texts of any length, and long ones are not chosen for it.
 */
const usualWords = 12;

const textWeight = (words: number) => Math.sqrt(usualWords / Math.max(usualWords, words));

/**
 * Which words, pairs of neighbouring words and stretches of letters and phonemes a text has, each as often as it occurs. Only
 * words of tried texts are columns, and pairs and stretches of at least two tried texts: of others nothing is known, or no more
 * than of their word. Stretches are weighted so that those of one word count together as much as the word, however long; a text
 * counts as one of twelve words, if it has more.
 *
 * @param tried rows of the tried texts
 * @param pool rows of the others
 */
export function ngramBlock(collection: Collection, tried: Uint32Array, pool: Uint32Array): FeatureBlock {
  const { texts, words, wordHashes } = collection;
  const columns = repeatedFeatures(collection, tried);
  const rows = Array.from(tried, (triedRow) => {
    const row = new Map<number, number>();
    const add = (hash: number, value: number) => {
      const column = columns.find(hash);
      if (column !== -1) row.set(column, (row.get(column) ?? 0) + value);
    };
    let before = edgeHash;
    for (const number of texts[triedRow]!) {
      const { hash, stretches } = words[number]!;
      add(hash, 1);
      add(hashPair(before, hash), pairWeight);
      for (const stretch of stretches) add(stretch, stretchWeight(stretches.length));
      before = hash;
    }
    const weight = textWeight(texts[triedRow]!.length);
    return {
      indexes: Uint32Array.from(row.keys()),
      values: Float64Array.from(row.values(), (value) => weight * value),
    };
  });

  return {
    columns: columns.count,
    penalty: 'many',
    row: (text) => rows[text]!,
    addScores(coefficients, into) {
      const scoreOf = (hash: number) => {
        const column = columns.find(hash);
        return column === -1 ? 0 : coefficients[column]!;
      };
      // A word is summed up once, however many texts have it.
      const wordScores = Float64Array.from(words, (word) => wordScore(word, scoreOf));
      for (let text = 0; text < pool.length; text++) {
        const numbers = texts[pool[text]!]!;
        let before = edgeHash;
        let sum = 0;
        for (let place = 0; place < numbers.length; place++) {
          const hash = wordHashes[numbers[place]!]!;
          sum += wordScores[numbers[place]!]! + pairWeight * scoreOf(hashPair(before, hash));
          before = hash;
        }
        into[text]! += textWeight(numbers.length) * sum;
      }
    },
  };
}

function repeatedFeatures({ texts, words, wordHashes }: Collection, tried: Uint32Array): HashColumns {
  const columns = createHashColumns();
  const seen = createHashColumns();
  const seenIn: number[] = [];
  tried.forEach((row, text) => {
    const see = (hash: number) => {
      const place = seen.add(hash);
      const first = seenIn[place];
      if (first === undefined) seenIn.push(text);
      else if (first !== text) columns.add(hash);
    };
    let before = edgeHash;
    for (const number of texts[row]!) {
      const hash = wordHashes[number]!;
      columns.add(hash);
      see(hashPair(before, hash));
      for (const stretch of words[number]!.stretches) see(stretch);
      before = hash;
    }
  });
  return columns;
}
