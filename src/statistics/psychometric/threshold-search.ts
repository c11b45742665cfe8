import { type CurveGrid, curveGrid, type GridAxes, searchAxes } from './curve-grid.ts';
import {
  type LevelCounts,
  type LevelTable,
  levelTables,
  logLikelihoods,
  weighCurves,
  weightedMean,
} from './curve-weights.ts';
import { dispersionOf, type ThresholdAim, type ThresholdQuestion, usualDispersion } from './threshold-questions.ts';

/** The curves that a search weighs against each other: the same for all searches over the same levels. */
export interface SearchSpace {
  readonly aim: ThresholdAim;
  readonly axes: GridAxes;
  readonly grid: CurveGrid;
  readonly table: (level: number) => LevelTable;
}

/**
 * Makes room for searches.
 *
 * @throws RangeError for fewer than two levels, levels that do not rise, a target that is no share
 */
export function searchSpace(aim: ThresholdAim): SearchSpace {
  const { levels, target } = aim;
  const rising = levels.every((level, place) => Number.isFinite(level) && (place === 0 || level > levels[place - 1]!));
  if (levels.length < 2 || !rising) throw new RangeError('expected at least two finite levels that rise');
  if (!(target > 0 && target < 1)) throw new RangeError(`expected a target between 0 and 1, but got ${target}`);
  const axes = searchAxes(levels[0]!, levels.at(-1)!);
  const grid = curveGrid(axes);
  return { aim, axes, grid, table: levelTables(grid) };
}

/** What the answers so far say of the curves. */
export interface CurvePosterior {
  /** By cell, adding up to 1. */
  readonly weights: Float64Array;
  readonly dispersion: number;
}

/**
 * How likely each curve is after some questions. Words of one clip are not independent: the log-likelihood is divided by
 * the dispersion of the right words (quasi-likelihood, R. Wedderburn, Biometrika 61, 1974).
 */
export function curvePosterior(space: SearchSpace, questions: readonly ThresholdQuestion[]): CurvePosterior {
  const pooled = poolQuestions(questions);
  const { logPriors } = space.grid;
  const logLikelihood = logLikelihoods(space.table, pooled, logPriors.length);
  const weightsFor = (dispersion: number) => weighCurves(logPriors, logLikelihood, dispersion);
  const around = weightsFor(usualDispersion(questions));
  const shares = new Map(pooled.map(({ level }) => [level, weightedMean(around, space.table(level).shares)]));
  const dispersion = dispersionOf(questions, (level) => shares.get(level)!);
  return { weights: weightsFor(dispersion), dispersion };
}

/** Adds up questions of the same level. */
export function poolQuestions(questions: readonly ThresholdQuestion[]): LevelCounts[] {
  const sums = new Map<number, { level: number; words: number; correct: number }>();
  for (const { level, words, correct } of questions) {
    const sum = sums.get(level) ?? { level, words: 0, correct: 0 };
    sum.words += words;
    sum.correct += correct;
    sums.set(level, sum);
  }
  return [...sums.values()];
}
