import { type Collection, createCollection } from './collection.ts';
import type { FeatureBlock } from './feature-block.ts';
import { ngramBlock } from './ngram-block.ts';
import { measureBlock, measureTexts } from './text-measures.ts';

/** Makes the features of tried texts and of the pool. */
export type TextFeatures = (tried: readonly string[], pool: readonly string[]) => readonly FeatureBlock[];

/** Raised whenever a feature changes. */
export const textFeaturesVersion = 3;

/**
 * Features of texts by themselves. What is counted over all texts is kept until others are asked about: while a pool is tried
 * tried texts and pool together stay the same.
 *
 * @param pronunciations phonemes of words; null where no dictionary is used
 * @param further texts that count for how frequent words are, and for what is usual in a text
 */
export function createTextFeatures(
  pronunciations: ReadonlyMap<string, string> | null,
  further: readonly string[],
): TextFeatures {
  let kept: { readonly collection: Collection; readonly measures: Float64Array } | null = null;
  return (tried, pool) => {
    const all = [...tried, ...pool, ...further];
    if (kept === null || !holdsExactly(kept.collection, all)) {
      const collection = createCollection(all, pronunciations);
      kept = { collection, measures: measureTexts(collection) };
    }
    const { collection, measures } = kept;
    const rowsOf = (texts: readonly string[]) => Uint32Array.from(texts, (text) => collection.rowOf.get(text)!);
    const [triedRows, poolRows] = [rowsOf(tried), rowsOf(pool)];
    return [measureBlock(measures, triedRows, poolRows), ngramBlock(collection, triedRows, poolRows)];
  };
}

function holdsExactly({ rowOf }: Collection, texts: readonly string[]): boolean {
  const seen = new Uint8Array(rowOf.size);
  let different = 0;
  for (const text of texts) {
    const row = rowOf.get(text);
    if (row === undefined) return false;
    if (seen[row] === 0) different++;
    seen[row] = 1;
  }
  return different === rowOf.size;
}
