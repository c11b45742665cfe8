import type { SparseRows } from '../../statistics/regression/sparse-rows.ts';
import { type Collection, sentenceEdgeHash } from './collection.ts';
import { createHashColumns, hashPair, stretchWeight } from './hashed-features.ts';

/** A tried text of which is known what became of its words. */
export interface SpokenWords {
  /** Its row in the collection. */
  readonly row: number;
  /** Of each word the share of listeners that misheard it; null where nobody's word counts. */
  readonly misheard: Float64Array | null;
}

/** Rows for words that were heard, and what a word that was not is known by. */
export interface WordTable {
  readonly table: SparseRows;
  /** Of each word the share of listeners that misheard it. */
  readonly outcomes: Float64Array;
  /** Of each text the row of its first word, and behind the last text the number of rows. */
  readonly firstRows: Uint32Array;
  /** Column of a feature; -1 where no tried word has it. */
  columnOf(hash: number): number;
}

/** Number of columns before those of words. */
export const textMeasureColumns = 8;
/** How much a neighbour counts beside the word itself. */
export const neighbourWeight = 0.5;

/** The feature of standing behind a word, and of standing before one. */
export const previousWordFeature = (hash: number) => hashPair(0x9e3779b9, hash);
export const nextWordFeature = (hash: number) => hashPair(0x7f4a7c15, hash);

/** A row for each word of the texts that were heard: the measures, then what it is made of and stands beside. */
export function wordFeatureTable(collection: Collection, spoken: readonly SpokenWords[]): WordTable {
  const { texts, words } = collection;
  const columns = createHashColumns();
  const firstRows = new Uint32Array(spoken.length + 1);
  let size = 0;
  spoken.forEach(({ row, misheard }, text) => {
    firstRows[text + 1] = firstRows[text]! + (misheard?.length ?? 0);
    if (misheard === null) return;
    for (const number of texts[row]!) size += textMeasureColumns + 3 + words[number]!.stretches.length;
  });
  const rows = firstRows.at(-1)!;
  const starts = new Uint32Array(rows + 1);
  const indexes = new Uint32Array(size);
  const values = new Float64Array(size);
  const outcomes = new Float64Array(rows);
  const measured = new Float64Array(textMeasureColumns);
  let [at, line] = [0, 0];
  const add = (column: number, value: number) => {
    indexes[at] = column;
    values[at++] = value;
  };
  const addFeature = (hash: number, value: number) => add(textMeasureColumns + columns.add(hash), value);
  for (const { row, misheard } of spoken) {
    if (misheard === null) continue;
    const numbers = texts[row]!;
    const hashAt = (place: number) =>
      place < 0 || place >= numbers.length ? sentenceEdgeHash : words[numbers[place]!]!.hash;
    for (let place = 0; place < numbers.length; place++) {
      measureWord(collection, numbers, place, measured);
      for (let measure = 0; measure < textMeasureColumns; measure++) add(measure, measured[measure]!);
      const { hash, stretches } = words[numbers[place]!]!;
      addFeature(hash, 1);
      addFeature(previousWordFeature(hashAt(place - 1)), neighbourWeight);
      addFeature(nextWordFeature(hashAt(place + 1)), neighbourWeight);
      for (const stretch of stretches) addFeature(stretch, stretchWeight(stretches.length));
      outcomes[line] = misheard[place]!;
      starts[++line] = at;
    }
  }
  const columnOf = (hash: number) => {
    const column = columns.find(hash);
    return column === -1 ? -1 : textMeasureColumns + column;
  };
  const table = { rows, columns: textMeasureColumns + columns.count, starts, indexes, values };
  return { table, outcomes, firstRows, columnOf };
}

/** A pair that was never seen counts as so many of its second word, drawn at random. */
const pairPrior = 3;

/**
 * Measures a word where it stands, in units of about a deviation: how rare it is, how seldom it follows the word before it and the next
 * one follows it, its letters, whether it is strange, first or last, and how long the text is. What it counts itself is left out.
 */
export function measureWord(
  { words, wordHashes, wordCounts, wordCount, pairCount, texts }: Collection,
  numbers: Uint32Array,
  place: number,
  into: Float64Array,
): void {
  const number = numbers[place]!;
  const isEdge = (at: number) => at < 0 || at >= numbers.length;
  const countAt = (at: number) => (isEdge(at) ? texts.length : wordCounts[numbers[at]!]!);
  const hashAt = (at: number) => (isEdge(at) ? sentenceEdgeHash : wordHashes[numbers[at]!]!);
  const rarityAfter = (at: number) => {
    const others = Math.max(0, pairCount(hashAt(at - 1), hashAt(at)) - 1);
    const expected = others + (pairPrior * countAt(at)) / (wordCount + 1) + 0.01;
    return Math.log10((countAt(at - 1) + pairPrior) / expected) - 2;
  };
  const { letters, pronounced, foreign } = words[number]!;
  into[0] = Math.log10((wordCount + 1) / Math.max(0.5, wordCounts[number]! - 1)) - 3;
  into[1] = rarityAfter(place);
  into[2] = rarityAfter(place + 1);
  into[3] = letters / 5 - 1;
  into[4] = Number(!pronounced || foreign);
  into[5] = Number(place === 0);
  into[6] = Number(place === numbers.length - 1);
  into[7] = Math.log(numbers.length) - 2.7;
}
