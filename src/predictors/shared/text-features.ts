import type { TriedText } from '../contract.ts';
import { type Collection, createCollection } from './collection.ts';
import type { FeatureBlock } from './feature-block.ts';
import { ngramBlock } from './ngram-block.ts';
import { measureBlock, measureTexts } from './text-measures.ts';
import type { StageBlocks } from './two-stages.ts';
import { wordBlock } from './word-block.ts';
import type { SpokenWords } from './word-table.ts';

/** Makes the features of tried texts and of the pool. */
export type TextFeatures = (tried: readonly TriedText[], pool: readonly string[]) => StageBlocks;

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
    const triedTexts = tried.map(({ text }) => text);
    const all = [...triedTexts, ...pool, ...further];
    if (kept === null || !holdsExactly(kept.collection, all)) {
      const collection = createCollection(all, pronunciations);
      kept = { collection, measures: measureTexts(collection) };
    }
    const { collection, measures } = kept;
    const rowsOf = (texts: readonly string[]) => Uint32Array.from(texts, (text) => collection.rowOf.get(text)!);
    const [triedRows, poolRows] = [rowsOf(triedTexts), rowsOf(pool)];
    const measured = measureBlock(measures, triedRows, poolRows);
    const byText = [measured, ngramBlock(collection, triedRows, poolRows)];
    const best = tried.map((text, place) => spokenWords(collection, triedRows[place]!, text, [0, 1]));
    const others = tried.map((text, place) => spokenWords(collection, triedRows[place]!, text, [1]));
    const byWord = (block: FeatureBlock | null) =>
      block === null ? byText : [block, withoutPrior(measured), byText[1]!];
    return {
      determinable: byWord(wordBlock(collection, best, poolRows, 'determinable')),
      failing: byWord(wordBlock(collection, others, poolRows, 'failing')),
    };
  };
}

/** What is expected of long texts and rare words beforehand is in the chances of words already. */
function withoutPrior({ prior: _, ...block }: FeatureBlock): FeatureBlock {
  return block;
}

/**
 * What became of the words for some of those who listened, whoever heard most of the text first. Null where the words between blanks are
 * not those that are counted, as in scripts without blanks.
 */
function spokenWords(
  { texts }: Collection,
  row: number,
  { text, missed }: TriedText,
  [from, to]: readonly [number, number?],
): SpokenWords | null {
  const words = texts[row]!.length;
  if (missed === undefined || words !== text.split(' ').length) return null;
  const listeners = missed.toSorted((a, b) => a.length - b.length).slice(from, to);
  if (listeners.length === 0) return { row, misheard: null };
  const misheard = new Float64Array(words);
  for (const places of listeners) for (const place of places) misheard[place]! += 1 / listeners.length;
  return { row, misheard: misheard.map((share) => Math.min(1, share)) };
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
