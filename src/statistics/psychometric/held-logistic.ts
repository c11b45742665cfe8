import { minimizeBfgs } from '../optimization/minimize-bfgs.ts';
import type { LogisticFit } from './fit-logistic.ts';
import {
  type LogisticSlopes,
  logisticLikelihood,
  type Rate,
  rateAt,
  ratePlaces,
  writeRateSlopes,
} from './logistic-objective.ts';
import type { PooledLevels } from './pooled-levels.ts';

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
