import type { CurveGrid } from './curve-grid.ts';
import { sharesAt } from './curve-grid.ts';

/** What the cells of a grid say of one level. */
export interface LevelTable {
  readonly shares: Float64Array;
  readonly logRight: Float64Array;
  readonly logWrong: Float64Array;
}

/** Tables of a grid by level, each made when it is first asked for. */
export function levelTables(grid: CurveGrid): (level: number) => LevelTable {
  const known = new Map<number, LevelTable>();
  return (level) => {
    let table = known.get(level);
    if (table === undefined) {
      const shares = sharesAt(grid, level);
      table = { shares, logRight: new Float64Array(shares.length), logWrong: new Float64Array(shares.length) };
      for (let cell = 0; cell < shares.length; cell++) {
        table.logRight[cell] = Math.log(shares[cell]!);
        table.logWrong[cell] = Math.log(1 - shares[cell]!);
      }
      known.set(level, table);
    }
    return table;
  };
}

/** Right words of words at one level. */
export interface LevelCounts {
  readonly level: number;
  readonly words: number;
  readonly correct: number;
}

/** The log-likelihood of answers in every cell, as if all words were independent. */
export function logLikelihoods(table: (level: number) => LevelTable, answers: Iterable<LevelCounts>, cells: number) {
  const sums = new Float64Array(cells);
  for (const { level, words, correct } of answers) {
    const { logRight, logWrong } = table(level);
    const wrong = words - correct;
    for (let cell = 0; cell < cells; cell++) sums[cell]! += correct * logRight[cell]! + wrong * logWrong[cell]!;
  }
  return sums;
}

/** Weights that add up to 1: prior times likelihood, whose logarithm is divided by the dispersion. */
export function weighCurves(logPriors: Float64Array, logLikelihood: Float64Array, dispersion: number): Float64Array {
  const weights = new Float64Array(logPriors.length);
  let highest = Number.NEGATIVE_INFINITY;
  for (let cell = 0; cell < weights.length; cell++) {
    weights[cell] = logPriors[cell]! + logLikelihood[cell]! / dispersion;
    if (weights[cell]! > highest) highest = weights[cell]!;
  }
  let sum = 0;
  for (let cell = 0; cell < weights.length; cell++) {
    weights[cell] = Math.exp(weights[cell]! - highest);
    sum += weights[cell]!;
  }
  for (let cell = 0; cell < weights.length; cell++) weights[cell]! /= sum;
  return weights;
}

/** The weights that the curves would have without some of the answers. */
export function weightsWithout(weights: Float64Array, logLikelihood: Float64Array, dispersion: number): Float64Array {
  const without = new Float64Array(weights.length);
  let lowest = Number.POSITIVE_INFINITY;
  for (const value of logLikelihood) if (value < lowest) lowest = value;
  let sum = 0;
  for (let cell = 0; cell < weights.length; cell++) {
    without[cell] = weights[cell]! * Math.exp((lowest - logLikelihood[cell]!) / dispersion);
    sum += without[cell]!;
  }
  for (let cell = 0; cell < weights.length; cell++) without[cell]! /= sum;
  return without;
}

/** The mean of some value of the cells. */
export function weightedMean(weights: Float64Array, values: Float64Array): number {
  let sum = 0;
  for (let cell = 0; cell < weights.length; cell++) sum += weights[cell]! * values[cell]!;
  return sum;
}
