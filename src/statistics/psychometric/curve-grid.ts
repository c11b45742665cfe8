/** One recognition: at which level, how many of its words were right. */
export interface ThresholdQuestion {
  /** Rises with the share of right words; Infinity stands for clean sound. */
  readonly level: number;
  readonly words: number;
  readonly correct: number;
  /** Whose words: those of one speaker are not independent. */
  readonly cluster: string;
}

/** What is looked for, and where. */
export interface ThresholdAim {
  /** Levels that may be asked about, rising. At least two. */
  readonly levels: readonly number[];
  /** The share of right words at the threshold. */
  readonly target: number;
  /** Of the words said, or of those that are right in clean sound. */
  readonly of: 'said' | 'clean';
}

/**
 * Dispersion of right words that is expected before anything is known: words of one clip are right or wrong together, as
 * thresholds of clips differ by some decibels. It counts like so many questions.
 */
const expectedCorrelation = 0.6;
const expectedQuestions = 10;

/** Midpoint, slope, ceiling. */
const curveParameters = 3;

/** The dispersion of right words that is to be expected of questions with as many words. */
export function usualDispersion(questions: readonly ThresholdQuestion[]): number {
  if (questions.length === 0) return 1;
  const words = questions.reduce((sum, question) => sum + question.words, 0);
  return 1 + Math.max(0, words / questions.length - 1) * expectedCorrelation;
}

/**
 * How much more than independent words the right words of questions scatter about their expectation: Pearson's chi-square
 * for each degree of freedom (P. McCullagh and J. Nelder, "Generalized linear models", 1989, section 4.5), drawn towards
 * what is usual where questions are few. Never below 1.
 *
 * @param shareAt the expected share of right words at a level
 */
export function dispersionOf(questions: readonly ThresholdQuestion[], shareAt: (level: number) => number): number {
  let chiSquare = 0;
  for (const question of questions) {
    const share = shareAt(question.level);
    chiSquare += (question.correct - question.words * share) ** 2 / (question.words * share * (1 - share));
  }
  if (questions.length === 0) return 1;
  const freedom = Math.max(0, questions.length - curveParameters);
  const own = (chiSquare * freedom) / questions.length;
  return Math.max(1, (own + expectedQuestions * usualDispersion(questions)) / (freedom + expectedQuestions));
}

/**
 * Psychometric functions side by side, one for each cell: the share of right words at level x is
 * `ceiling` x logistic(`slope` x (x - `midpoint`)).
 */
export interface CurveGrid {
  readonly midpoints: Float64Array;
  /** Rise of the logit for each unit of level. */
  readonly slopes: Float64Array;
  readonly ceilings: Float64Array;
  /** How likely the curves are before any answer, as logarithms. */
  readonly logPriors: Float64Array;
}

/** Even steps from one value to another. */
interface GridAxis {
  readonly low: number;
  readonly high: number;
  readonly count: number;
}

/**
 * What is even in a grid: the midpoint, the logarithm of the slope, and the root of what the ceiling lacks of 1. With all
 * cells alike likely, little lacking is thus likelier than much (a beta distribution of 1/2 and 1).
 */
export interface GridAxes {
  readonly midpoint: GridAxis;
  readonly logSlope: GridAxis;
  readonly lapseRoot: GridAxis;
}

/**
 * Before any answer, likelihood falls with the root of the slope: few answers that happen to part well would otherwise make
 * steep curves look likely, and the next questions crowd where the threshold is not.
 */
const slopePower = -0.5;

/** All combinations of the three axes. */
export function curveGrid({ midpoint, logSlope, lapseRoot }: GridAxes): CurveGrid {
  const size = midpoint.count * logSlope.count * lapseRoot.count;
  const grid = {
    midpoints: new Float64Array(size),
    slopes: new Float64Array(size),
    ceilings: new Float64Array(size),
    logPriors: new Float64Array(size),
  };
  let cell = 0;
  for (const middle of valuesOf(midpoint)) {
    for (const logarithm of valuesOf(logSlope)) {
      for (const root of valuesOf(lapseRoot)) {
        grid.midpoints[cell] = middle;
        grid.slopes[cell] = Math.exp(logarithm);
        grid.ceilings[cell] = 1 - root * root;
        grid.logPriors[cell] = slopePower * logarithm;
        cell++;
      }
    }
  }
  return grid;
}

function valuesOf({ low, high, count }: GridAxis): number[] {
  return Array.from({ length: count }, (_, place) => low + ((high - low) * place) / Math.max(1, count - 1));
}

const narrowest = 2.2;
const widest = 180;
const largestLapse = 0.98;

/**
 * A grid for levels from `lowest` to `highest`: midpoints up to a third of that range beyond it, curves that need from two
 * such ranges to a fortieth of one for their rise from 10 to 90 %, ceilings from .02 to 1.
 */
export function searchAxes(lowest: number, highest: number): GridAxes {
  const range = highest - lowest;
  return {
    midpoint: { low: lowest - range / 3, high: highest + range / 3, count: 41 },
    logSlope: { low: Math.log(narrowest / range), high: Math.log(widest / range), count: 9 },
    lapseRoot: { low: 0, high: Math.sqrt(largestLapse), count: 7 },
  };
}

/** Standard deviations that a closer grid reaches to either side. */
const reach = 4.5;

/** A finer grid around where the weight of another one lies. */
export function closerAxes(axes: GridAxes, grid: CurveGrid, weights: Float64Array): GridAxes {
  const around = (axis: GridAxis, count: number, of: (cell: number) => number): GridAxis => {
    let mean = 0;
    for (let cell = 0; cell < weights.length; cell++) mean += weights[cell]! * of(cell);
    let variance = 0;
    for (let cell = 0; cell < weights.length; cell++) variance += weights[cell]! * (of(cell) - mean) ** 2;
    const step = (axis.high - axis.low) / (axis.count - 1);
    const half = reach * Math.max(Math.sqrt(variance), step / 4);
    return { low: Math.max(axis.low, mean - half), high: Math.min(axis.high, mean + half), count };
  };
  return {
    midpoint: around(axes.midpoint, 25, (cell) => grid.midpoints[cell]!),
    logSlope: around(axes.logSlope, 9, (cell) => Math.log(grid.slopes[cell]!)),
    lapseRoot: around(axes.lapseRoot, 9, (cell) => Math.sqrt(1 - grid.ceilings[cell]!)),
  };
}

/** Shares closer to 0 than this are words right by chance. */
const minShare = 0.003;
const greatestShare = 0.9999;

/** The share of right words in each cell; at level Infinity, which stands for clean sound, it is the ceiling. */
export function sharesAt({ midpoints, slopes, ceilings }: CurveGrid, level: number): Float64Array {
  const shares = new Float64Array(midpoints.length);
  for (let cell = 0; cell < shares.length; cell++) {
    const share = ceilings[cell]! / (1 + Math.exp(-slopes[cell]! * (level - midpoints[cell]!)));
    shares[cell] = Math.min(greatestShare, Math.max(minShare, share));
  }
  return shares;
}

/**
 * The level in each cell at which the share of right words is the target (of the words said, or of the ceiling). None lies
 * farther beyond the levels than half of their range, for nothing was looked at there; so do those of cells whose ceiling is
 * too low.
 */
export function boundedThresholds(grid: CurveGrid, { levels, target, of }: ThresholdAim): Float64Array {
  const room = (levels.at(-1)! - levels[0]!) / 2;
  const most = levels.at(-1)! + room;
  return grid.midpoints.map((midpoint, cell) => {
    const share = of === 'said' ? target / grid.ceilings[cell]! : target;
    if (share >= 1) return most;
    const threshold = midpoint + Math.log(share / (1 - share)) / grid.slopes[cell]!;
    return Math.max(levels[0]! - room, Math.min(most, threshold));
  });
}

/** Curves less likely than this, against the likeliest, do not change an estimate. */
const negligible = 1e-6;

/** The curves of a grid that count; their weights add up to 1. */
export function likelyCurves(
  grid: CurveGrid,
  weights: Float64Array,
  least = negligible,
): { readonly grid: CurveGrid; readonly weights: Float64Array } {
  let highest = 0;
  for (const weight of weights) if (weight > highest) highest = weight;
  const cells: number[] = [];
  weights.forEach((weight, cell) => {
    if (weight > least * highest) cells.push(cell);
  });
  const pick = (values: Float64Array) => {
    const picked = new Float64Array(cells.length);
    for (let place = 0; place < picked.length; place++) picked[place] = values[cells[place]!]!;
    return picked;
  };
  const kept = pick(weights);
  const sum = kept.reduce((total, weight) => total + weight, 0);
  const { midpoints, slopes, ceilings, logPriors } = grid;
  return {
    grid: {
      midpoints: pick(midpoints),
      slopes: pick(slopes),
      ceilings: pick(ceilings),
      logPriors: pick(logPriors),
    },
    weights: kept.map((weight) => weight / sum),
  };
}

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
