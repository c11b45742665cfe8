import {
  boundedThresholds,
  type CurveGrid,
  curveGrid,
  dispersionOf,
  type GridAxes,
  type LevelCounts,
  type LevelTable,
  levelTables,
  likelyCurves,
  logLikelihoods,
  searchAxes,
  type ThresholdAim,
  type ThresholdQuestion,
  usualDispersion,
  weighCurves,
  weightedMean,
} from './curve-grid.ts';

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
interface CurvePosterior {
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

/** Curves less likely than this, against the likeliest, do not decide what is asked next. */
const negligible = 1e-6;

/** Levels that tell less than this, against the one that tells most, are not asked about. */
const minInformation = 0.6;

/**
 * The levels at which some more questions tell most about the threshold: those whose Fisher information about it, in units of
 * each curve's own steepness and expected over all likely curves, is at least .6 of the greatest, evenly spread. While little
 * is known they are far apart; later they lie within 1.5 logits of the threshold, which tells the slope too: narrower, and
 * few answers that part well by chance make the search crowd in a wrong place; wider, and answers are wasted. The
 * threshold stands in the middle also where the ceiling is low, because there the ceiling hardly moves it. Maximum
 * information in place of the psi method's (L. Kontsevich and C. Tyler, Vision Research 39, 1999) least entropy of all
 * parameters, because that one, tried here, spends half of its questions on the ceiling (see N. Prins, "The psi-marginal
 * adaptive method", Journal of Vision 13(7), 2013).
 *
 * @returns places in the levels of the space, `count` of them
 */
export function nextLevels(space: SearchSpace, { weights }: CurvePosterior, count: number): number[] {
  const { grid, weights: likely } = likelyCurves(space.grid, weights, negligible);
  const { levels } = space.aim;
  const thresholds = boundedThresholds(grid, space.aim);
  const information = levels.map((level) => {
    let told = 0;
    for (let cell = 0; cell < likely.length; cell++) {
      const fall = Math.exp(-grid.slopes[cell]! * Math.abs(level - thresholds[cell]!));
      told += (likely[cell]! * fall) / (1 + fall) ** 2;
    }
    return told;
  });
  const most = Math.max(...information);
  const worthwhile = [...levels.keys()].filter((place) => information[place]! >= minInformation * most);
  return firstLevels(worthwhile.length, count).map((place) => worthwhile[place]!);
}

/** Places for the first questions: the middles of `count` equal parts of all levels. */
export function firstLevels(levels: number, count: number): number[] {
  return Array.from({ length: count }, (_, part) => Math.floor(((part + 0.5) * levels) / count));
}
