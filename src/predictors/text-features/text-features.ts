import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import { badConfig, messageOf } from '../../base/errors.ts';
import { nonEmpty } from '../../base/option-kinds.ts';
import { printable } from '../../base/printable.ts';
import type { PredictorKind, PredictorServices, TriedText } from '../contract.ts';
import { inOrderOfText } from '../shared/in-order-of-text.ts';
import { type Collection, createCollection, sentenceEdgeHash } from './collection.ts';
import {
  createHashColumns,
  type FeatureBlock,
  type HashColumns,
  hashPair,
  parsePronunciations,
  stretchWeight,
  wordScore,
} from './hashed-features.ts';
import { measureBlock, measureTexts } from './text-measures.ts';
import { predictStages, type StageBlocks, stagesVersion } from './two-stages.ts';
import { wordBlock } from './word-block.ts';
import type { SpokenWords } from './word-table.ts';

/** How much a pair of words counts beside a word. */
const pairWeight = 0.5;

/**
 * Of a longer text everything counts less, by the square root of its words: what was learned of words by chance then adds up to the same
 * in texts of any length, and long ones are not chosen for it.
 */
const usualWords = 12;

const textWeight = (words: number) => Math.sqrt(usualWords / Math.max(usualWords, words));

/** Raised whenever a feature changes. */
const textFeaturesVersion = 3;

const options = z.strictObject({
  dictionary: nonEmpty()
    .optional()
    .describe(
      'Pronouncing dictionary in the format of PocketSphinx, such as its cmudict-en-us.dict: adds phonemes and words it does not have to the features',
    ),
  texts: nonEmpty()
    .optional()
    .describe(
      'A file of further texts, one on each line, that are counted and never spoken: a few hundred texts do not tell which words are rare',
    ),
});

/**
 * What can be told from a text alone: its length, how rare its words are among the texts at hand, the words, pairs of words,
 * stretches of letters and, with a dictionary, of phonemes that it is made of. Two logistic regressions learn from it, one for
 * each stage of CrossASR, in a fraction of a second for 20,000 texts.
 */
export const textFeatures: PredictorKind<z.output<typeof options>> = {
  name: 'text-features',
  about: 'Length, rare words, stretches of words, letters and phonemes with logistic regression, trained in a moment',
  options,

  async open({ dictionary, texts }, services) {
    const pronunciations = dictionary === undefined ? null : await readPronunciations(dictionary, services);
    const further = texts === undefined ? null : await readFurtherTexts(texts, services);
    const featuresOf = createTextFeatures(pronunciations?.phonemes ?? null, further?.texts ?? []);
    return {
      identity: {
        ...{ method: 'text-features', features: textFeaturesVersion, stages: stagesVersion },
        ...{ dictionary: pronunciations?.hash ?? null, texts: further?.hash ?? null },
      },
      async predict(tried, pool, _seed, signal) {
        signal?.throwIfAborted();
        const known = inOrderOfText(tried);
        return predictStages(known, pool.length, featuresOf(known, pool));
      },
      async close() {},
    };
  },

  async readiness() {
    return { ready: true, found: 'built in' };
  },
};

/** @throws EarwitnessError `bad-config` for a file that cannot be read or holds no pronunciation */
async function readPronunciations(file: string, services: Files) {
  const { content, hash, shown } = await readOptionFile('dictionary', file, 'a pronouncing dictionary', services);
  const phonemes = parsePronunciations(content);
  if (phonemes.size === 0) {
    throw badConfig(
      `expected a word and its phonemes on each line of ${shown}, as in "vote V OW T", but no line is so; name a dictionary in the format of PocketSphinx`,
    );
  }
  return { phonemes, hash };
}

/**
 * The texts of a file, one on each line, lower-case as those of a search are.
 *
 * @throws EarwitnessError `bad-config` for a file that cannot be read or has no text
 */
async function readFurtherTexts(file: string, services: Files) {
  const { content, hash, shown } = await readOptionFile('texts', file, 'texts', services);
  const texts = content
    .split('\n')
    .map((line) => line.trim().toLowerCase())
    .filter((line) => line !== '');
  if (texts.length === 0) {
    throw badConfig(
      `expected a text on each line of ${shown}, but it has none; name a file with texts like those that are searched`,
    );
  }
  return { texts, hash };
}

type Files = Pick<PredictorServices, 'baseFolder' | 'fileHash'>;

/**
 * The content of a file that an option names, its hash, and its path as the config has it, fit to be printed.
 *
 * @param expected what is in it: `a pronouncing dictionary`
 * @throws EarwitnessError `bad-config` for a file that cannot be read
 */
async function readOptionFile(option: string, file: string, expected: string, { baseFolder, fileHash }: Files) {
  const path = resolve(baseFolder, file);
  const shown = printable(file);
  let content: string;
  try {
    content = await readFile(path, 'utf8');
  } catch (cause) {
    throw badConfig(
      `expected ${expected} at ${shown}, but it cannot be read (${printable(messageOf(cause))}); correct the path or leave the option ${option} out`,
      { cause },
    );
  }
  return { content, hash: await fileHash(path), shown };
}

/**
 * Makes the features of tried texts and of the pool. What is counted over all texts is kept until others are asked about: while a pool is tried
 * tried texts and pool together stay the same.
 *
 * @param pronunciations phonemes of words; null where no dictionary is used
 * @param further texts that count for how frequent words are, and for what is usual in a text
 */
function createTextFeatures(pronunciations: ReadonlyMap<string, string> | null, further: readonly string[]) {
  let kept: { readonly collection: Collection; readonly measures: Float64Array } | null = null;
  return (tried: readonly TriedText[], pool: readonly string[]): StageBlocks => {
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
    let before = sentenceEdgeHash;
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
        let before = sentenceEdgeHash;
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
    let before = sentenceEdgeHash;
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
