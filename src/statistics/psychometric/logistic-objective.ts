import type { Objective } from '../optimization/minimize-bfgs.ts';
import type { PooledLevels } from './pooled-levels.ts';

/** A share that is held, or estimated between 0 and `most`. */
export type Rate = number | { readonly most: number };

/** Places of the estimated rates in a point that begins with two coordinates; -1 where the rate is held. */
export function ratePlaces(guess: Rate, lapse: Rate): { guess: number; lapse: number; size: number } {
  const guessPlace = typeof guess === 'number' ? -1 : 2;
  const lapsePlace = typeof lapse === 'number' ? -1 : guessPlace < 0 ? 2 : 3;
  return { guess: guessPlace, lapse: lapsePlace, size: 2 + (guessPlace < 0 ? 0 : 1) + (lapsePlace < 0 ? 0 : 1) };
}

/** A rate at a coordinate: most x sin squared, which reaches its bounds smoothly. */
export function rateAt(rate: Rate, coordinate: number | undefined): number {
  return typeof rate === 'number' ? rate : rate.most * Math.sin(coordinate!) ** 2;
}

/** The log-likelihood of counts without their constants, and its slopes by each level's logit and by the rates. */
export interface LogisticSlopes {
  readonly byLogit: Float64Array;
  byGuess: number;
  byLapse: number;
}

/** Log-likelihood of shares right at logits; writes its slopes. */
export function logisticLikelihood(
  pooled: PooledLevels,
  logits: Float64Array,
  guess: number,
  lapse: number,
  slopes: LogisticSlopes,
): number {
  const { words, correct } = pooled;
  const span = 1 - guess - lapse;
  let sum = 0;
  slopes.byGuess = 0;
  slopes.byLapse = 0;
  for (let place = 0; place < logits.length; place++) {
    const logit = Math.max(-700, Math.min(700, logits[place]!));
    const above = 1 / (1 + Math.exp(-logit));
    const below = 1 / (1 + Math.exp(logit));
    const right = guess + span * above;
    const wrong = lapse + span * below;
    const hits = correct[place]!;
    const misses = words[place]! - hits;
    if (hits > 0) sum += hits * Math.log(right);
    if (misses > 0) sum += misses * Math.log(wrong);
    const hitPull = hits / right;
    const missPull = misses / wrong;
    slopes.byLogit[place] = span * (above * below) * (hitPull - missPull);
    slopes.byGuess += below * (hitPull - missPull);
    slopes.byLapse += above * (missPull - hitPull);
  }
  return sum;
}

/** The negative log-likelihood over intercept, slope and the coordinates of estimated rates. */
export function logisticObjective(pooled: PooledLevels, guess: Rate, lapse: Rate): Objective {
  const places = ratePlaces(guess, lapse);
  const logits = new Float64Array(pooled.levels.length);
  const slopes: LogisticSlopes = { byLogit: new Float64Array(logits.length), byGuess: 0, byLapse: 0 };
  return (point, gradient) => {
    for (let place = 0; place < logits.length; place++) logits[place] = point[0]! + point[1]! * pooled.levels[place]!;
    const value = logisticLikelihood(
      pooled,
      logits,
      rateAt(guess, point[places.guess]),
      rateAt(lapse, point[places.lapse]),
      slopes,
    );
    gradient[0] = 0;
    gradient[1] = 0;
    for (let place = 0; place < logits.length; place++) {
      gradient[0]! -= slopes.byLogit[place]!;
      gradient[1]! -= slopes.byLogit[place]! * pooled.levels[place]!;
    }
    writeRateSlopes(guess, lapse, point, slopes, gradient);
    return -value;
  };
}

/** Slopes of the negative log-likelihood by the coordinates of estimated rates. */
export function writeRateSlopes(
  guess: Rate,
  lapse: Rate,
  point: Float64Array,
  slopes: LogisticSlopes,
  gradient: Float64Array,
): void {
  const places = ratePlaces(guess, lapse);
  const chain = (rate: Rate, place: number) => (typeof rate === 'number' ? 0 : rate.most * Math.sin(2 * point[place]!));
  if (places.guess > 0) gradient[places.guess] = -slopes.byGuess * chain(guess, places.guess);
  if (places.lapse > 0) gradient[places.lapse] = -slopes.byLapse * chain(lapse, places.lapse);
}
