import { grouped } from '../../base/number-format.ts';
import type { Reason } from '../../model/reason.ts';
import { defaultMinimumClusters } from '../bootstrap/cluster-spread.ts';
import { studentQuantile } from '../distributions.ts';
import type { Interval } from '../interval.ts';
import { findRoot } from '../optimization/find-root.ts';
import {
  type CurveGrid,
  closerAxes,
  curveGrid,
  levelTables,
  likelyCurves,
  logLikelihoods,
  sharesAt,
  type ThresholdQuestion,
  weighCurves,
  weightedMean,
  weightsWithout,
} from './curve-grid.ts';
import { type Jackknife, jackknifeError } from './jackknife.ts';
import { curvePosterior, poolQuestions, type SearchSpace } from './threshold-search.ts';

/** The level at which a share of words is right, and the curve it was read from. */
export interface ReceptionThreshold {
  /** Null with a reason where the share is never or always reached. */
  readonly threshold: Interval;
  /** Why there is none: the share at the easiest level is below it, or that at the hardest above. */
  readonly outside: 'never' | 'always' | null;
  /** Mean of the likely curves: rise of the logit for each unit of level, and the share right at the best. */
  readonly slope: number;
  readonly ceiling: number;
  /** How much more than independent words the answers scatter, 1 or more. */
  readonly dispersion: number;
  /** The share of right words at a level. */
  readonly shareAt: (level: number) => Interval;
  /** For comparisons; null without a threshold. */
  readonly jackknife: Jackknife | null;
}

export interface ReceptionThresholdOptions {
  /** Confidence level, .95 by default. */
  readonly level?: number;
  /** Fewer clusters get no interval; 10 by default. */
  readonly minimumClusters?: number;
}

/** In units of the range of levels. */
const tolerance = 1e-9;

/**
 * The level at which a share of the words is right, from questions at any levels, asked by `nextLevels` or in a grid: where
 * the expected share, the mean over all curves weighted by their likelihood, is the target. (The mean of the curves' own
 * thresholds would follow the few that lie far away, wherever ceilings below the target are possible.)
 *
 * The interval is that of the levels at which the expected share does not differ from the target (`thresholdEnds`), by
 * Student's t with the standard error of the jackknife over clusters (speakers), who are left out whole in turn (B. Efron and
 * C. Stein, "The jackknife estimate of variance", Annals of Statistics 9, 1981): so it holds for words of a clip that are
 * right or wrong together, for clips whose thresholds differ, and for speakers. Degrees of freedom: the number of clusters
 * of equal size that say as much (Kish), less 1. For differences the jackknife's thresholds are one step of Newton's away.
 * How well it covers: docs/threshold.md, made by bench/threshold.ts.
 *
 * @example
 * const space = searchSpace({ levels, target: 0.5, of: 'said' });
 * receptionThreshold(space, questions).threshold // { value: -3.1, low: -3.8, high: -2.5, … }
 */
export function receptionThreshold(
  space: SearchSpace,
  questions: readonly ThresholdQuestion[],
  options: ReceptionThresholdOptions = {},
): ReceptionThreshold {
  const { level = 0.95, minimumClusters = defaultMinimumClusters } = options;
  const { levels, target, of } = space.aim;
  const hardest = levels[0]!;
  const mildest = levels.at(-1)!;
  const { weights, grid, dispersion } = closerPosterior(space, questions);
  const table = levelTables(grid);

  const clusters = groupBy(questions);
  const sizes = clusters.map((own) => own.reduce((sum, { words }) => sum + words, 0));
  const freedom = Math.max(1, effectiveNumber(sizes) - 1);
  const deviate = studentQuantile((1 + level) / 2, freedom);
  const leftOut = clusters.map((own) =>
    weightsWithout(weights, logLikelihoods(table, own, weights.length), dispersion),
  );
  const method = `jackknife over ${grouped(clusters.length)} clusters, t with ${freedom.toFixed(1)} degrees of freedom`;
  const needed = Math.max(2, minimumClusters);
  const tooFew: Reason | null =
    clusters.length < needed ? { code: 'few-units', need: needed, have: [clusters.length] } : null;

  const shareAt = (at: number): Interval => {
    const shares = sharesAt(grid, at);
    const logitOf = (by: Float64Array) => {
      const share = weightedMean(by, shares);
      return Math.log(share / (1 - share));
    };
    const shareOf = (logit: number) => 1 / (1 + Math.exp(-logit));
    const value = logitOf(weights);
    if (tooFew !== null) return { value: shareOf(value), low: null, high: null, level, reason: tooFew, method };
    const half = deviate * jackknifeError(leftOut.map(logitOf));
    return { value: shareOf(value), low: shareOf(value - half), high: shareOf(value + half), level, method };
  };
  /** By cell, how far the share at a level is above the one that is looked for. */
  const excessAt = (at: number) => {
    const shares = sharesAt(grid, at);
    return shares.map((share, cell) => share - target * (of === 'said' ? 1 : grid.ceilings[cell]!));
  };
  const meanExcess = (at: number) => weightedMean(weights, excessAt(at));
  const outside = meanExcess(mildest) < 0 ? ('never' as const) : meanExcess(hardest) > 0 ? ('always' as const) : null;
  const known = {
    outside,
    slope: weightedMean(weights, grid.slopes),
    ceiling: weightedMean(weights, grid.ceilings),
    dispersion,
    shareAt,
  };
  const without = (value: number | null, reason: Reason): Interval => ({
    value,
    low: null,
    high: null,
    level,
    reason,
    method,
  });
  if (questions.length === 0)
    return { ...known, threshold: without(null, { code: 'nothing-answered' }), jackknife: null };
  if (outside !== null)
    return {
      ...known,
      threshold: without(null, { code: `${outside}-reached`, share: target, ofClean: of === 'clean' }),
      jackknife: null,
    };

  const value = findRoot(meanExcess, hardest, mildest, tolerance * (mildest - hardest));
  const steepness = weightedMean(weights, risesAt(grid, value));
  const excess = excessAt(value);
  const replicates = new Map(
    clusters.map((own, place) => [own[0]!.cluster, value - weightedMean(leftOut[place]!, excess) / steepness] as const),
  );
  const jackknife: Jackknife = { value, replicates, effective: freedom + 1 };
  if (tooFew !== null) return { ...known, threshold: without(value, tooFew), jackknife };
  const ends = thresholdEnds({ weights, leftOut }, excessAt, { value, hardest, mildest }, deviate);
  const threshold = ends === null ? without(value, { code: 'beyond-asked' }) : { value, ...ends, level, method };
  return { ...known, threshold, jackknife };
}

/** Curves on a finer grid around the likely ones. */
function closerPosterior(space: SearchSpace, questions: readonly ThresholdQuestion[]) {
  const { weights, dispersion } = curvePosterior(space, questions);
  const closer = curveGrid(closerAxes(space.axes, space.grid, weights));
  const logLikelihood = logLikelihoods(levelTables(closer), poolQuestions(questions), closer.midpoints.length);
  const likely = likelyCurves(closer, weighCurves(closer.logPriors, logLikelihood, dispersion));
  return { ...likely, dispersion };
}

/** How much the share of right words rises in each cell for each unit of level. */
function risesAt(grid: CurveGrid, level: number): Float64Array {
  return sharesAt(grid, level).map((share, cell) => grid.slopes[cell]! * share * (1 - share / grid.ceilings[cell]!));
}

function groupBy(questions: readonly ThresholdQuestion[]): ThresholdQuestion[][] {
  const groups = new Map<string, ThresholdQuestion[]>();
  for (const question of questions) {
    const group = groups.get(question.cluster);
    if (group === undefined) groups.set(question.cluster, [question]);
    else group.push(question);
  }
  return [...groups.values()];
}

/** In units of the range of levels. */
const closeEnough = 1e-6;

/** The curves as they are weighed, with all answers and without those of each cluster in turn. */
interface WeighedCurves {
  readonly weights: Float64Array;
  readonly leftOut: readonly Float64Array[];
}

/**
 * The levels at which the expected share is just so far from the target that it differs, as E. Fieller's interval for ratios
 * ("Some problems in interval estimation", Journal of the Royal Statistical Society B 16, 1954): longer where the
 * steepness is uncertain too, and not always symmetric.
 *
 * @param excessAt by curve, how far the share at a level is above the target
 * @param value where the mean of that is 0, from `hardest` to `mildest`
 * @param deviate how many standard errors make a difference
 * @returns null where one of them lies beyond the levels
 */
function thresholdEnds(
  { weights, leftOut }: WeighedCurves,
  excessAt: (level: number) => Float64Array,
  { value, hardest, mildest }: { readonly value: number; readonly hardest: number; readonly mildest: number },
  deviate: number,
): { readonly low: number; readonly high: number } | null {
  const limitOfExcess = (side: 1 | -1) => (at: number) => {
    const excess = excessAt(at);
    const error = jackknifeError(leftOut.map((by) => weightedMean(by, excess)));
    return weightedMean(weights, excess) + side * deviate * error;
  };
  const [upper, lower] = [limitOfExcess(1), limitOfExcess(-1)];
  if (upper(hardest) > 0 || lower(mildest) < 0) return null;
  // A little beyond the value, which is a root within a closeEnough itself: clusters that do not differ have no error at all.
  const near = closeEnough * (mildest - hardest);
  return {
    low: findRoot(upper, hardest, Math.min(mildest, value + near), near),
    high: findRoot(lower, Math.max(hardest, value - near), mildest, near),
  };
}

/** How many units of equal size would say as much (L. Kish, "Survey sampling", 1965). */
function effectiveNumber(sizes: readonly number[]): number {
  const sum = sizes.reduce((total, size) => total + size, 0);
  const squares = sizes.reduce((total, size) => total + size * size, 0);
  return squares > 0 ? (sum * sum) / squares : 0;
}
