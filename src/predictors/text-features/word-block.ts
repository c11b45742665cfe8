import { type LogisticFit, logisticRegression } from '../../statistics/regression/logistic-regression.ts';
import { takeRows, timesColumns } from '../../statistics/regression/sparse-rows.ts';
import { type Collection, sentenceEdgeHash } from './collection.ts';
import { type FeatureBlock, wordScore } from './hashed-features.ts';
import {
  measureWord,
  neighbourWeight,
  nextWordFeature,
  previousWordFeature,
  type SpokenWords,
  textMeasureColumns,
  type WordTable,
  wordFeatureTable,
} from './word-table.ts';

/** How far coefficients are thought to lie from 0: the inverse of a normal prior's variance. */
const penalty = 4;
/** The whole begins where a half of it ended, and so is asked for more. */
const tolerance = { half: 1e-2, whole: 3e-3 } as const;
/** So many words must have been misheard, and as many not, nextWordFeature anything is learned of words. */
const minWords = 20;

/**
 * How likely all words of a text are to be heard, word by word: a logistic regression tells from a word, its stretches of letters and
 * phonemes, its neighbours and their rarity whether it is misheard, and the chances of all words together are one measure of the text
 * (log odds). From a text that was got wrong it learns which of its words were to blame, and that the others were not.
 *
 * What it says of tried texts comes from the other half of them, so that whoever learns from it is not told what it knows by heart.
 *
 * @param spoken tried texts, in their order; null where it is not known what became of the words
 * @param pool rows of the others
 * @param stage what is told beforehand: a text is determinable as likely as all words are heard, or fails as likely as not
 * @returns null where too little is known
 */
export function wordBlock(
  collection: Collection,
  spoken: readonly (SpokenWords | null)[],
  pool: Uint32Array,
  stage: 'determinable' | 'failing',
): FeatureBlock | null {
  const known = spoken.filter((one) => one !== null);
  if (known.length < spoken.length) return null;
  const heard = wordFeatureTable(collection, known);
  const missed = heard.outcomes.reduce((sum, outcome) => sum + outcome, 0);
  if (Math.min(missed, heard.outcomes.length - missed) < minWords) return null;

  const halves = [learnHalf(heard, 0), learnHalf(heard, 1)] as const;
  if (halves[0] === null || halves[1] === null) return null;
  const tried = new Float64Array(known.length);
  for (const [half, fit] of [halves[1], halves[0]].entries()) {
    const scores = new Float64Array(heard.outcomes.length);
    timesColumns(heard.table, fit.coefficients, fit.intercept, scores);
    for (let text = half; text < known.length; text += 2) {
      tried[text] = logOddsOfAll(scores.subarray(heard.firstRows[text], heard.firstRows[text + 1]));
    }
  }
  const whole = logisticRegression(heard.table, heard.outcomes, {
    penalty,
    tolerance: tolerance.whole,
    start: halves[0],
  });
  const scoreOf = textScores(collection, heard, whole);
  return {
    columns: 1,
    prior: {
      determinable: Float64Array.of(stage === 'determinable' ? 1 : 0),
      failing: Float64Array.of(stage === 'failing' ? -1 : 0),
    },
    penalty: 'few',
    row: (text) => ({ indexes: [0], values: [tried[text]!] }),
    addScores(coefficients, into) {
      for (let text = 0; text < pool.length; text++) into[text]! += coefficients[0]! * scoreOf(pool[text]!);
    },
  };
}

/** Learns from every second text; null where nothing can be learned. */
function learnHalf({ table, outcomes, firstRows }: WordTable, half: 0 | 1): LogisticFit | null {
  const rows: number[] = [];
  for (let text = half; text + 1 < firstRows.length; text += 2) {
    for (let row = firstRows[text]!; row < firstRows[text + 1]!; row++) rows.push(row);
  }
  const own = Float64Array.from(rows, (row) => outcomes[row]!);
  if (own.every((outcome) => outcome === own[0])) return null;
  return logisticRegression(takeRows(table, rows), own, { penalty, tolerance: tolerance.half });
}

/** What was learned of words says of texts, by their rows. */
function textScores(
  collection: Collection,
  { columnOf }: WordTable,
  { intercept, coefficients }: LogisticFit,
): (row: number) => number {
  const { words, texts } = collection;
  const coefficientOf = (hash: number) => {
    const column = columnOf(hash);
    return column === -1 ? 0 : coefficients[column]!;
  };
  // A word is summed up once, however many texts have it.
  const own = Float64Array.from(words, (word) => wordScore(word, coefficientOf));
  const standing = (mark: typeof nextWordFeature) => {
    const scores = Float64Array.from(words, ({ hash }) => neighbourWeight * coefficientOf(mark(hash)));
    return { scores, edge: neighbourWeight * coefficientOf(mark(sentenceEdgeHash)) };
  };
  const [behindIt, beforeIt] = [standing(previousWordFeature), standing(nextWordFeature)];
  const measured = new Float64Array(textMeasureColumns);
  return (row) => {
    const numbers = texts[row]!;
    const scores = new Float64Array(numbers.length);
    for (let place = 0; place < numbers.length; place++) {
      let score = intercept + own[numbers[place]!]!;
      score += place === 0 ? behindIt.edge : behindIt.scores[numbers[place - 1]!]!;
      score += place === numbers.length - 1 ? beforeIt.edge : beforeIt.scores[numbers[place + 1]!]!;
      measureWord(collection, numbers, place, measured);
      for (let measure = 0; measure < textMeasureColumns; measure++)
        score += coefficients[measure]! * measured[measure]!;
      scores[place] = score;
    }
    return logOddsOfAll(scores);
  };
}

/** Of a text without words this is its log odds, and nothing is surer. */
const surest = 20;

/** Log odds that no word is misheard, from the log odds that each is. */
function logOddsOfAll(scores: Float64Array): number {
  let logChance = 0;
  for (let place = 0; place < scores.length; place++) logChance -= Math.log1p(Math.exp(scores[place]!));
  return Math.max(-surest, Math.min(surest, logChance - Math.log(-Math.expm1(logChance))));
}
