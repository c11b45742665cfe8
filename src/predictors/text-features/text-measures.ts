import { type Collection, sentenceEdgeHash } from './collection.ts';
import type { FeatureBlock } from './hashed-features.ts';

/**
 * What is measured, and how the chances are thought to change with one deviation of it before anything is tried (in units of
 * log odds): a text with more and rarer words is less often determinable, as every recognizer errs in it, and where it is
 * determinable the weaker ones have more words to fail on. Round numbers, learned from no data; the first batch outweighs them.
 */
const measures = {
  words: { determinable: -0.3, failing: 0.3 },
  wordsLogarithm: { determinable: 0, failing: 0.7 },
  letters: { determinable: 0, failing: 0 },
  sounds: { determinable: 0, failing: 0 },
  rarity: { determinable: -0.3, failing: 0.2 },
  greatestRarity: { determinable: -0.4, failing: 0 },
  rareWords: { determinable: 0, failing: 0 },
  wordsSeenOnce: { determinable: -0.2, failing: 0 },
  pairRarity: { determinable: 0, failing: 0 },
  notPronounced: { determinable: -0.4, failing: 0 },
  foreign: { determinable: -0.2, failing: 0 },
  longWords: { determinable: 0, failing: 0 },
} as const;
type Measure = keyof typeof measures;
const measureNames = Object.keys(measures) as Measure[];
const columns = measureNames.length;

/** Words seen less often than this in a million are rare. */
const rarePerMillion = 20;

/**
 * How hard a text is to speak and to recognize, in a few numbers: how long it is, how rare its words and pairs of words are
 * among the other texts, how long and how strange its words. Sums over words, not means, because each word is one more chance
 * to err; put in units of their deviation over all texts. A row for each text of the collection.
 */
export function measureTexts(collection: Collection): Float64Array {
  const { texts, words, wordHashes, wordCounts, wordCount, pairCount } = collection;
  const rarities = Float64Array.from(wordCounts, (count) => Math.log10((wordCount + 1) / (count - 0.5)));
  const table = new Float64Array(texts.length * columns);
  texts.forEach((text, row) => {
    let [letters, sounds, rarity, greatestRarity, rareWords, wordsSeenOnce] = [0, 0, 0, 0, 0, 0];
    let [pairRarity, notPronounced, foreign, longWords] = [0, 0, 0, 0];
    let before = sentenceEdgeHash;
    for (let place = 0; place < text.length; place++) {
      const number = text[place]!;
      const word = words[number]!;
      letters += word.letters;
      sounds += word.sounds;
      // How often the others have it: its own occurrence tells nothing.
      const others = wordCounts[number]! - 1;
      rarity += rarities[number]!;
      greatestRarity = Math.max(greatestRarity, rarities[number]!);
      if (others * 1e6 < rarePerMillion * wordCount) rareWords++;
      if (others === 0) wordsSeenOnce++;
      const pairs = pairCount(before, wordHashes[number]!) - 1;
      pairRarity += Math.log10((others + 1) / (pairs + 0.5));
      before = wordHashes[number]!;
      if (!word.pronounced) notPronounced++;
      if (word.foreign) foreign++;
      if (word.letters > 9) longWords++;
    }
    const values: Record<Measure, number> = {
      words: text.length,
      wordsLogarithm: Math.log(Math.max(1, text.length)),
      letters,
      sounds,
      rarity,
      greatestRarity,
      rareWords,
      wordsSeenOnce,
      pairRarity,
      notPronounced,
      foreign,
      longWords,
    };
    for (let column = 0; column < columns; column++) table[row * columns + column] = values[measureNames[column]!];
  });
  standardize(table);
  return table;
}

/**
 * The measures as features.
 *
 * @param measured as `measureTexts` gives them
 * @param tried rows of the tried texts
 * @param pool rows of the others
 */
export function measureBlock(measured: Float64Array, tried: Uint32Array, pool: Uint32Array): FeatureBlock {
  const indexes = Uint32Array.from({ length: columns }, (_, column) => column);
  const priorOf = (stage: 'determinable' | 'failing') =>
    Float64Array.from(measureNames, (name) => measures[name][stage]);
  return {
    columns,
    prior: { determinable: priorOf('determinable'), failing: priorOf('failing') },
    penalty: 'few',
    row: (text) => ({ indexes, values: measured.subarray(tried[text]! * columns, (tried[text]! + 1) * columns) }),
    addScores(coefficients, into) {
      for (let text = 0; text < into.length; text++) {
        const start = pool[text]! * columns;
        let sum = 0;
        for (let column = 0; column < columns; column++) sum += coefficients[column]! * measured[start + column]!;
        into[text]! += sum;
      }
    },
  };
}

/** Each column less its mean, in units of its deviation; zeros where all are alike. */
function standardize(table: Float64Array): void {
  const rows = table.length / columns;
  for (let column = 0; column < columns; column++) {
    let [sum, squares] = [0, 0];
    for (let place = column; place < table.length; place += columns) sum += table[place]!;
    const mean = sum / rows;
    for (let place = column; place < table.length; place += columns) squares += (table[place]! - mean) ** 2;
    const deviation = Math.sqrt(squares / rows);
    for (let place = column; place < table.length; place += columns) {
      table[place] = deviation > 1e-9 ? (table[place]! - mean) / deviation : 0;
    }
  }
}
