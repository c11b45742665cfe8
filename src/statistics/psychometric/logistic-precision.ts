import { cholesky, choleskyInverse } from '../optimization/cholesky.ts';
import { hessianFromGradient, minimizeBfgs } from '../optimization/minimize-bfgs.ts';
import { firstInverse, type LogisticFit } from './fit-logistic.ts';
import {
  type LogisticSlopes,
  logisticLikelihood,
  logisticObjective,
  type Rate,
  rateAt,
  ratePlaces,
  writeRateSlopes,
} from './logistic-objective.ts';
import type { PooledLevels } from './pooled-levels.ts';

/**
 * Covariances of intercept and slope and the threshold's standard error by the delta method, from the observed
 * information. Rates estimated at one of their bounds count as held there.
 */
export function logisticPrecision(question: HeldQuestion): {
  readonly covariance: readonly [readonly [number, number], readonly [number, number]] | null;
  readonly thresholdError: number | null;
} {
  const { pooled, guess, lapse, fit, target } = question;
  const places = ratePlaces(guess, lapse);
  const { size } = places;
  const guessScale = firstInverse(pooled, size);
  const steps = new Float64Array(size);
  for (let place = 0; place < size; place++) steps[place] = 1e-3 * Math.sqrt(guessScale[place * (size + 1)]!);
  const hessian = hessianFromGradient(logisticObjective(pooled, guess, lapse), fit.point, steps);
  const free = Array.from({ length: size }, (_, place) => place).filter(
    (place) => place < 2 || Math.abs(Math.sin(2 * fit.point[place]!)) > 1e-3,
  );
  const count = free.length;
  const information = new Float64Array(count * count);
  free.forEach((first, row) => {
    free.forEach((second, column) => {
      information[row * count + column] = hessian[first * size + second]!;
    });
  });
  const factor = cholesky(information, count);
  if (factor === null) return { covariance: null, thresholdError: null };
  const covariance = choleskyInverse(factor);

  const thresholdAt = (point: Float64Array) =>
    (logitAt(target, rateAt(guess, point[places.guess]), rateAt(lapse, point[places.lapse])) - point[0]!) / point[1]!;
  const threshold = thresholdAt(fit.point);
  const slopes = free.map((place) => {
    if (place === 0) return -1 / fit.point[1]!;
    if (place === 1) return -threshold / fit.point[1]!;
    const [above, below] = [Float64Array.from(fit.point), Float64Array.from(fit.point)];
    above[place]! += 1e-5;
    below[place]! -= 1e-5;
    return (thresholdAt(above) - thresholdAt(below)) / 2e-5;
  });
  let variance = 0;
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) {
      variance += slopes[row]! * covariance[row * count + column]! * slopes[column]!;
    }
  }
  const at = (row: number, column: number) => covariance[row * count + column]!;
  return {
    covariance: [
      [at(0, 0), at(0, 1)],
      [at(1, 0), at(1, 1)],
    ],
    thresholdError: variance > 0 ? Math.sqrt(variance) : null,
  };
}

/** Rates, target and best fit of a function of which one parameter is held in turn. */
export interface HeldQuestion {
  readonly pooled: PooledLevels;
  readonly guess: Rate;
  readonly lapse: Rate;
  readonly fit: LogisticFit;
  /** The share right at the threshold. */
  readonly target: number;
}

/** The logit at which the whole function, guesses and lapses included, is at a share; NaN where it never is. */
export function logitAt(target: number, guess: number, lapse: number): number {
  return Math.log((target - guess) / (1 - lapse - target));
}

/**
 * The greatest log-likelihood of rising functions as one parameter is held: the threshold (then the slope, by its
 * logarithm, and estimated rates are searched), or the slope (then the threshold and rates).
 */
export function heldLogLikelihood(question: HeldQuestion, held: 'threshold' | 'slope'): (value: number) => number {
  const { pooled, guess, lapse, fit, target } = question;
  const places = ratePlaces(guess, lapse);
  const { levels } = pooled;
  const range = levels.at(-1)! - levels[0]!;
  const logits = new Float64Array(levels.length);
  const slopes: LogisticSlopes = { byLogit: new Float64Array(levels.length), byGuess: 0, byLapse: 0 };
  const total = pooled.words.reduce((sum, count) => sum + count, 0);
  // One coordinate for slope or threshold, then those of the rates.
  const size = places.size - 1;
  const slopeBest = fit.point[1]!;
  const thresholdBest = (logitAt(target, fit.guess, fit.lapse) - fit.point[0]!) / slopeBest;
  let start = new Float64Array(size);
  start[0] = held === 'threshold' ? Math.log(slopeBest) : thresholdBest / range;
  start.set(fit.point.subarray(2), 1);
  const inverse = new Float64Array(size * size);
  for (let place = 0; place < size; place++) inverse[place * (size + 1)] = 4 / total;
  const whole = new Float64Array(places.size);
  const wholeGradient = new Float64Array(places.size);

  return (value) => {
    const objective = (point: Float64Array, gradient: Float64Array) => {
      const slope = held === 'threshold' ? Math.exp(point[0]!) : value;
      const threshold = held === 'threshold' ? value : point[0]! * range;
      whole.set(point.subarray(1), 2);
      const guessed = rateAt(guess, whole[places.guess]);
      const lapsed = rateAt(lapse, whole[places.lapse]);
      const base = logitAt(target, guessed, lapsed);
      if (!Number.isFinite(base)) return Number.NaN;
      for (let place = 0; place < levels.length; place++) logits[place] = base + slope * (levels[place]! - threshold);
      const likelihood = logisticLikelihood(pooled, logits, guessed, lapsed, slopes);
      let byBase = 0;
      let bySlope = 0;
      for (let place = 0; place < levels.length; place++) {
        byBase += slopes.byLogit[place]!;
        bySlope += slopes.byLogit[place]! * (levels[place]! - threshold);
      }
      gradient[0] = held === 'threshold' ? -bySlope * slope : byBase * slope * range;
      slopes.byGuess -= byBase / (target - guessed);
      slopes.byLapse += byBase / (1 - lapsed - target);
      writeRateSlopes(guess, lapse, whole, slopes, wholeGradient);
      gradient.set(wholeGradient.subarray(2), 1);
      return -likelihood;
    };
    const minimum = minimizeBfgs(objective, start, inverse, { tolerance: 1e-14 });
    if (!Number.isFinite(minimum.value)) return Number.NaN;
    start = Float64Array.from(minimum.point);
    return -minimum.value;
  };
}
