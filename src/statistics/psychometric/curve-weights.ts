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
      table = { shares, logRight: shares.map(Math.log), logWrong: shares.map((share) => Math.log(1 - share)) };
      known.set(level, table);
    }
    return table;
  };
}

/** Adds the log-likelihood of right words of words at a level, divided by `dispersion`, to every cell. */
export function addLikelihood(
  logWeights: Float64Array,
  { logRight, logWrong }: LevelTable,
  correct: number,
  words: number,
  dispersion: number,
): void {
  const hits = correct / dispersion;
  const misses = (words - correct) / dispersion;
  for (let cell = 0; cell < logWeights.length; cell++) {
    logWeights[cell]! += hits * logRight[cell]! + misses * logWrong[cell]!;
  }
}

/** Weights that add up to 1. */
export function normalizedWeights(logWeights: Float64Array): Float64Array {
  let highest = Number.NEGATIVE_INFINITY;
  for (const value of logWeights) if (value > highest) highest = value;
  const weights = new Float64Array(logWeights.length);
  let sum = 0;
  for (let cell = 0; cell < weights.length; cell++) {
    weights[cell] = Math.exp(logWeights[cell]! - highest);
    sum += weights[cell]!;
  }
  for (let cell = 0; cell < weights.length; cell++) weights[cell]! /= sum;
  return weights;
}

/** The mean of some value of the cells. */
export function weightedMean(weights: Float64Array, values: Float64Array): number {
  let sum = 0;
  for (let cell = 0; cell < weights.length; cell++) sum += weights[cell]! * values[cell]!;
  return sum;
}
