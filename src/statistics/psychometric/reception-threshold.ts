import { defaultMinimumClusters } from '../bootstrap/cluster-bootstrap.ts';
import { studentQuantile } from '../distributions/student-t.ts';
import type { Interval } from '../interval.ts';
import { boundedThresholds, closerAxes, curveGrid, likelyCurves } from './curve-grid.ts';
import { levelTables, normalizedWeights, weightedMean } from './curve-weights.ts';
import { effectiveNumber, type Jackknife, jackknifeError } from './jackknife.ts';
import type { ThresholdQuestion } from './threshold-questions.ts';
import { curvePosterior, poolQuestions, type SearchSpace, weighCurves } from './threshold-search.ts';

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

/**
 * The level at which a share of the words is right, from questions at any levels, asked by `nextLevels` or in a grid: the
 * mean of the threshold over all curves, weighted by their likelihood. The interval is Student's t around it with the
 * standard error of the jackknife over clusters (speakers), who are left out whole in turn (B. Efron and C. Stein, "The
 * jackknife estimate of variance", Annals of Statistics 9, 1981): so it holds for words of a clip that are right or wrong
 * together, for clips whose thresholds differ, and for speakers. Degrees of freedom: the number of clusters of equal size
 * that say as much (Kish), less 1. How well it covers: docs/threshold.md, made by bench/threshold.ts.
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
  const { levels } = space.aim;
  const first = curvePosterior(space, questions);
  const { dispersion } = first;
  const closer = curveGrid(closerAxes(space.axes, space.grid, first.weights));
  const closerWeights = weighCurves(closer, levelTables(closer), poolQuestions(questions), dispersion);
  const { grid, weights } = likelyCurves(closer, closerWeights);
  const table = levelTables(grid);
  const thresholds = boundedThresholds(grid, space.aim);
  const outside = outsideOf(weights, thresholds, levels);

  const clusters = groupBy(questions);
  const sizes = clusters.map((own) => own.reduce((sum, { words }) => sum + words, 0));
  const freedom = Math.max(1, effectiveNumber(sizes) - 1);
  const deviate = studentQuantile((1 + level) / 2, freedom);
  const leftOut = clusters.map((own) => weightsWithout(weights, own, table, dispersion));
  const method = `jackknife over ${clusters.length} clusters (speakers), t with ${freedom.toFixed(1)} degrees of freedom`;
  const tooFew =
    clusters.length < Math.max(2, minimumClusters)
      ? `an interval needs at least ${Math.max(2, minimumClusters)} clusters (speakers), but there ${clusters.length === 1 ? 'is' : 'are'} ${clusters.length}`
      : null;

  const shareAt = (at: number): Interval => {
    const { shares } = table(at);
    const logits = shares.map((share) => Math.log(share / (1 - share)));
    const value = weightedMean(weights, logits);
    const share = (logit: number) => 1 / (1 + Math.exp(-logit));
    if (tooFew !== null) return { value: share(value), low: null, high: null, level, reason: tooFew, method };
    const half = deviate * jackknifeError(leftOut.map((without) => weightedMean(without, logits)));
    return { value: share(value), low: share(value - half), high: share(value + half), level, method };
  };
  const known = {
    outside,
    slope: weightedMean(weights, grid.slopes),
    ceiling: weightedMean(weights, grid.ceilings),
    dispersion,
    shareAt,
  };
  const without = (value: number | null, reason: string): Interval => ({
    value,
    low: null,
    high: null,
    level,
    reason,
    method,
  });
  if (questions.length === 0) return { ...known, threshold: without(null, 'nothing was answered'), jackknife: null };
  if (outside !== null) return { ...known, threshold: without(null, reasonOf(outside, space)), jackknife: null };

  const value = weightedMean(weights, thresholds);
  const replicates = new Map(
    clusters.map((own, place) => [own[0]!.cluster, weightedMean(leftOut[place]!, thresholds)] as const),
  );
  const jackknife: Jackknife = { value, replicates, effective: freedom + 1 };
  if (tooFew !== null) return { ...known, threshold: without(value, tooFew), jackknife };
  const half = deviate * jackknifeError([...replicates.values()]);
  const low = value - half;
  const high = value + half;
  const beyond = low < levels[0]! || high > levels.at(-1)!;
  const threshold = beyond
    ? without(value, 'the interval reaches beyond the levels that were asked about: widen them, or ask more')
    : { value, low, high, level, method };
  return { ...known, threshold, jackknife };
}

/** Whether more than half of the weight says that the threshold lies beyond the levels. */
function outsideOf(
  weights: Float64Array,
  thresholds: Float64Array,
  levels: readonly number[],
): ReceptionThreshold['outside'] {
  let above = 0;
  let below = 0;
  for (let cell = 0; cell < weights.length; cell++) {
    if (thresholds[cell]! > levels.at(-1)!) above += weights[cell]!;
    else if (thresholds[cell]! < levels[0]!) below += weights[cell]!;
  }
  if (above > 0.5) return 'never';
  return below > 0.5 ? 'always' : null;
}

function reasonOf(outside: 'never' | 'always', { aim: { target, of } }: SearchSpace): string {
  const share = `${Number((100 * target).toFixed(1))} % of the words${of === 'clean' ? ' that are right in clean sound' : ''}`;
  return outside === 'never'
    ? `${share} are not understood even at the mildest level`
    : `${share} are still understood at the hardest level`;
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

/** The weights that the curves would have without some of the questions. */
function weightsWithout(
  weights: Float64Array,
  questions: readonly ThresholdQuestion[],
  table: ReturnType<typeof levelTables>,
  dispersion: number,
): Float64Array {
  const logWeights = weights.map(Math.log);
  for (const { level, words, correct } of questions) {
    const { logRight, logWrong } = table(level);
    const hits = correct / dispersion;
    const misses = (words - correct) / dispersion;
    for (let cell = 0; cell < logWeights.length; cell++) {
      logWeights[cell]! -= hits * logRight[cell]! + misses * logWrong[cell]!;
    }
  }
  return normalizedWeights(logWeights);
}
