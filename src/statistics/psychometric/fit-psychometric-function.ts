import type { Random } from '../../base/random.ts';
import { bcaCorrection, bootstrapLimits } from '../bootstrap/bootstrap-interval.ts';
import { neededClusters } from '../bootstrap/cluster-spread.ts';
import { chiSquareUpperTail, logBeta, normalQuantile, studentQuantile } from '../distributions.ts';
import type { Interval } from '../interval.ts';
import { profileLimits } from '../optimization/profile-limits.ts';
import { fitLogistic, type LogisticFit } from './fit-logistic.ts';
import { ratePlaces } from './logistic-objective.ts';
import { type HeldQuestion, heldLogLikelihood, logisticPrecision, logitAt } from './logistic-precision.ts';
import { type PooledLevels, poolLevels, withoutThreshold } from './pooled-levels.ts';
import {
  checkPsychometricData,
  type PsychometricData,
  type PsychometricFunction,
  type PsychometricOptions,
  speakerPlaces,
} from './psychometric-function.ts';

/**
 * The psychometric function of words: the share right = guess + (1 - guess - lapse) x logistic(intercept + slope x level),
 * fitted by maximum likelihood to counts (F. Wichmann and N. Hill, "The psychometric function: I", Perception and
 * Psychophysics 63, 2001), and the level at which it reaches `target`: the speech reception threshold. Without guesses and
 * lapses this is logistic regression as R's and statsmodels' `glm(family = binomial)`, with `dose.p`, to eight digits.
 *
 * The interval: of the profile likelihood, or, where speakers are given, BCa over speakers, resampled whole. Words of one
 * speaker are not independent, and the profile takes them so: with thresholds of speakers that differ by 2 dB it holds the
 * truth in 55 to 56 % of the cases. Shares of 95 % intervals that hold the truth, 10,000 simulations each (standard error
 * .002, bench/calibration/models.ts psychometric speakers; seven levels, 3 dB apart):
 *
 * ```
 * words per level, threshold, lapse      profile   delta
 * 40    middle               0             .952    .950
 * 15    middle               0             .942    .942
 * 40    near the upper end   0             .947    .950
 * 40    middle               .050          .945    .941
 * 200   middle               0             .950    .950
 * speakers, 10 words per level, spread     BCa over speakers   profile
 * 10    2 dB                                .937                .556
 * 20    2 dB                                .944                .546
 * 40    2 dB                                .944                .552
 * 20    alike                               .939                .947
 * ```
 *
 * Null with a reason: all words right or all wrong, one level, a share that does not rise, separation (a step, whose slope
 * is infinite), a target outside what the function reaches; the interval where the share does not rise clearly
 * enough to end it, or with too few speakers.
 *
 * @throws RangeError for lengths that differ, levels that are not finite, right words that do not fit, shares or levels out
 *   of range, speakers without `random`
 * @example
 * fitPsychometricFunction({ levels: [-10, -5, 0, 5], words: [40, 40, 40, 40], correct: [3, 14, 29, 38] }).threshold
 * // { value: -3.03, low: -4.26, high: -1.81, level: .95, method: 'profile likelihood, chi-square' }
 */
export function fitPsychometricFunction(
  data: PsychometricData,
  options: PsychometricOptions = {},
): PsychometricFunction {
  const { target, guess, lapse, level } = checkPsychometricData(data, options);
  const { intervals = 'profile' } = options;
  const pooled = poolLevels(data.levels, data.words, data.correct);
  const fit = thresholdFit(pooled, target, guess, lapse);
  if (typeof fit === 'string') return withoutFunction(fit, level);

  const threshold = thresholdOf(fit, target);
  const slope = fit.point[1]!;
  const question: HeldQuestion = { pooled, guess, lapse, fit, target };
  const { covariance, thresholdError } = logisticPrecision(question);
  const slopeError = covariance === null ? null : Math.sqrt(covariance[1][1]);
  const root = normalQuantile((1 + level) / 2);
  const notes: string[] = [];
  const lowest = pooled.levels[0]!;
  const highest = pooled.levels.at(-1)!;
  if (threshold < lowest || threshold > highest) {
    notes.push(`the threshold lies outside the levels that were tried (${lowest} to ${highest})`);
  }

  const interval = (value: number, error: number | null, held: 'threshold' | 'slope'): Interval => {
    if (intervals === 'delta') {
      const method = 'delta method, normal';
      if (error === null)
        return { value, low: null, high: null, level, reason: 'its standard error is unknown', method };
      return { value, low: value - root * error, high: value + root * error, level, method };
    }
    const method = 'profile likelihood, chi-square';
    const from = { parameter: value, logLikelihood: fit.logLikelihood, error: error ?? (highest - lowest) / 10 };
    const ends = profileLimits(heldLogLikelihood(question, held), from, root, held === 'slope' ? { least: 0 } : {});
    if (ends.low !== null && ends.high !== null) return { value, low: ends.low, high: ends.high, level, method };
    const reason = `the share does not rise clearly enough with the level: the interval has no ${ends.low === null ? 'lower' : 'upper'} end`;
    return { value, low: null, high: null, level, reason, method };
  };
  const thresholdInterval =
    data.speaker === undefined
      ? interval(threshold, thresholdError, 'threshold')
      : bySpeaker(data, data.speaker, question, threshold, level, options);

  const deviance = binomialDeviance(pooled, fit);
  const degreesOfFreedom = pooled.levels.length - ratePlaces(guess, lapse).size;
  return {
    threshold: thresholdInterval,
    thresholdStandardError: thresholdError,
    slope: interval(slope, slopeError, 'slope'),
    intercept: fit.point[0]!,
    guess: fit.guess,
    lapse: fit.lapse,
    covariance,
    logLikelihood: fit.logLikelihood + logChoices(pooled),
    deviance,
    degreesOfFreedom,
    deviancePValue: degreesOfFreedom > 0 ? chiSquareUpperTail(deviance, degreesOfFreedom) : null,
    notes,
  };
}

/** The fit, or why there is no threshold. */
function thresholdFit(
  pooled: PooledLevels,
  target: number,
  guess: HeldQuestion['guess'],
  lapse: HeldQuestion['lapse'],
  near?: Float64Array,
): LogisticFit | string {
  const reason = withoutThreshold(pooled, guess === 0 && lapse === 0);
  if (reason !== null) return reason;
  const fit = fitLogistic(pooled, guess, lapse, near);
  if (fit === null) return 'the fit did not converge';
  const slope = fit.point[1]!;
  const { levels } = pooled;
  // A slope of rounding alone is none.
  if (!(slope * (levels.at(-1)! - levels[0]!) > 1e-6))
    return `the share of right words does not rise with the level (slope of the logit ${slope.toPrecision(3)})`;
  let gap = Number.POSITIVE_INFINITY;
  for (let place = 1; place < levels.length; place++) gap = Math.min(gap, levels[place]! - levels[place - 1]!);
  // A rise from one level to the next that no count of words could show.
  if (slope * gap > 36) return 'the function is a step between two levels (separation): its slope is infinite';
  if (!(target > fit.guess && target < 1 - fit.lapse)) {
    return `the share ${target} is never reached: the function runs from ${fit.guess.toPrecision(3)} to ${(1 - fit.lapse).toPrecision(3)}`;
  }
  return fit;
}

function thresholdOf(fit: LogisticFit, target: number): number {
  return (logitAt(target, fit.guess, fit.lapse) - fit.point[0]!) / fit.point[1]!;
}

function bySpeaker(
  data: PsychometricData,
  speaker: readonly string[],
  question: HeldQuestion,
  threshold: number,
  level: number,
  options: PsychometricOptions,
): Interval {
  const { random, resamples = 2000, minimumSpeakers = 10 } = options;
  const { places, words } = speakerPlaces(speaker, data.words);
  const none = { value: threshold, low: null, high: null, level, method: 'bootstrap over speakers' };
  if (words.length < minimumSpeakers) {
    return { ...none, reason: neededClusters(minimumSpeakers, words.length, null) };
  }
  const { guess, lapse, target, fit } = question;
  const estimateOf = (times: Uint32Array) => {
    const pooled = poolLevels(data.levels, data.words, data.correct, (row) => times[places[row]!] ?? 0);
    const refit = thresholdFit(pooled, target, guess, lapse, fit.point);
    return typeof refit === 'string' ? null : thresholdOf(refit, target);
  };
  const limits = speakerBootstrap(threshold, words, estimateOf, { level, resamples, random: random! });
  if ('reason' in limits) return { ...none, reason: limits.reason };
  return { value: threshold, low: limits.low, high: limits.high, level, method: limits.method };
}

function withoutFunction(reason: string, level: number): PsychometricFunction {
  const nothing: Interval = { value: null, low: null, high: null, level, reason, method: 'none' };
  return {
    threshold: nothing,
    thresholdStandardError: null,
    slope: nothing,
    intercept: null,
    guess: null,
    lapse: null,
    covariance: null,
    logLikelihood: null,
    deviance: null,
    degreesOfFreedom: null,
    deviancePValue: null,
    reason,
    notes: [],
  };
}

/** Twice what the log-likelihood of a fit is below that of a share of its own for each level. */
function binomialDeviance(pooled: PooledLevels, fit: LogisticFit): number {
  const span = 1 - fit.guess - fit.lapse;
  let deviance = 0;
  pooled.levels.forEach((level, place) => {
    const logit = fit.point[0]! + fit.point[1]! * level;
    const words = pooled.words[place]!;
    const hits = pooled.correct[place]!;
    const right = fit.guess + span / (1 + Math.exp(-logit));
    const wrong = fit.lapse + span / (1 + Math.exp(logit));
    if (hits > 0) deviance += 2 * hits * Math.log(hits / (words * right));
    if (hits < words) deviance += 2 * (words - hits) * Math.log((words - hits) / (words * wrong));
  });
  return Math.max(0, deviance);
}

/** The sum of the logarithms of the binomial coefficients. */
function logChoices({ words, correct }: PooledLevels): number {
  return words.reduce((sum, count, place) => {
    const hits = correct[place]!;
    return sum - Math.log(count + 1) - logBeta(hits + 1, count - hits + 1);
  }, 0);
}

/** An interval over resampled speakers, or why there is none. */
type SpeakerLimits =
  | { readonly low: number; readonly high: number; readonly method: string }
  | { readonly reason: string };

/**
 * The BCa interval of an estimate over speakers, who are resampled whole, for estimates that are fits and may not exist in
 * a resample. Up to a twentieth of such resamples is left out, more is a reason. For few speakers it is expanded: t
 * deviates (Kish's effective number of speakers, less 1) times the root of n / (n - 1) in the place of normal ones (T.
 * Hesterberg, "What teachers should know about the bootstrap", The American Statistician 69, 2015).
 *
 * @param weights words of each speaker, for their effective number
 * @param estimateOf the estimate if each speaker counts so many times; null where there is none
 */
function speakerBootstrap(
  estimate: number,
  weights: readonly number[],
  estimateOf: (times: Uint32Array) => number | null,
  options: { readonly level: number; readonly resamples: number; readonly random: Random },
): SpeakerLimits {
  const speakers = weights.length;
  const times = new Uint32Array(speakers);
  const replicates: number[] = [];
  for (let resample = 0; resample < options.resamples; resample++) {
    times.fill(0);
    for (let draw = 0; draw < speakers; draw++) times[options.random.integer(speakers)]!++;
    const value = estimateOf(times);
    if (value !== null) replicates.push(value);
  }
  const missing = options.resamples - replicates.length;
  if (missing > options.resamples / 20) {
    return { reason: `${missing} of ${options.resamples} resamples of speakers have no threshold` };
  }
  const leaveOneOut: number[] = [];
  for (let speaker = 0; speaker < speakers; speaker++) {
    times.fill(1);
    times[speaker] = 0;
    const value = estimateOf(times);
    if (value === null) return { reason: 'without one of the speakers there is no threshold' };
    leaveOneOut.push(value);
  }
  const sorted = Float64Array.from(replicates).sort();
  const without = Float64Array.from(leaveOneOut);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const squares = weights.reduce((total, weight) => total + weight * weight, 0);
  const effective = (sum * sum) / squares;
  const deviate =
    studentQuantile((1 + options.level) / 2, Math.max(1, effective - 1)) * Math.sqrt(speakers / (speakers - 1));
  const { low, high } = bootstrapLimits(sorted, deviate, bcaCorrection(sorted, estimate, without));
  const lost = missing > 0 ? `, ${missing} of them without a threshold left out` : '';
  const method = `BCa bootstrap over ${speakers} speakers, ${options.resamples} resamples${lost}, expanded for few speakers`;
  return { low, high, method };
}
