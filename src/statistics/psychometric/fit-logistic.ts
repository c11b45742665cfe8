import { minimizeBfgs } from '../optimization/minimize-bfgs.ts';
import { logisticObjective, type Rate, rateAt, ratePlaces } from './logistic-objective.ts';
import type { PooledLevels } from './pooled-levels.ts';

export interface LogisticFit {
  /** Intercept, slope, and the coordinates of estimated rates, for the levels as given. */
  readonly point: Float64Array;
  /** Without constants. */
  readonly logLikelihood: number;
  readonly guess: number;
  readonly lapse: number;
}

/**
 * The most likely logistic function, searched from the best of a grid of starts (with guesses or lapses there may be
 * several maxima). Null where the search does not end.
 *
 * @param near a point to begin from instead
 */
export function fitLogistic(pooled: PooledLevels, guess: Rate, lapse: Rate, near?: Float64Array): LogisticFit | null {
  const objective = logisticObjective(pooled, guess, lapse);
  const places = ratePlaces(guess, lapse);
  const starts = near === undefined ? grid(pooled, guess, lapse) : [near];
  const gradient = new Float64Array(places.size);
  const valued = starts.map((start) => ({ start, value: objective(start, gradient) }));
  valued.sort((first, second) => first.value - second.value);
  let best: { point: Float64Array; value: number } | null = null;
  const concave = guess === 0 && lapse === 0;
  for (const { start } of valued.slice(0, concave ? 1 : 4)) {
    const minimum = minimizeBfgs(objective, start, firstInverse(pooled, places.size), { tolerance: 1e-16 });
    if (minimum.settled && (best === null || minimum.value < best.value)) best = minimum;
  }
  if (best === null) return near === undefined ? null : fitLogistic(pooled, guess, lapse);
  return {
    point: best.point,
    logLikelihood: -best.value,
    guess: rateAt(guess, best.point[places.guess]),
    lapse: rateAt(lapse, best.point[places.lapse]),
  };
}

function grid(pooled: PooledLevels, guess: Rate, lapse: Rate): Float64Array[] {
  const { levels } = pooled;
  const places = ratePlaces(guess, lapse);
  const lowest = levels[0]!;
  const range = levels.at(-1)! - lowest;
  const points: Float64Array[] = [];
  for (const share of [0, 0.2, 0.35, 0.5, 0.65, 0.8, 1]) {
    for (const steepness of [1, 4, 12, 30, -4]) {
      for (const coordinate of places.size > 2 ? [0.3, 0.9] : [0]) {
        const slope = steepness / range;
        const point = new Float64Array(places.size).fill(coordinate);
        point[0] = -slope * (lowest + share * range);
        point[1] = slope;
        points.push(point);
      }
    }
  }
  return points;
}

/** Inverse information of intercept and slope if half of the words were right everywhere. */
export function firstInverse(pooled: PooledLevels, size: number): Float64Array {
  const { levels, words } = pooled;
  let total = 0;
  let mean = 0;
  let squares = 0;
  for (let place = 0; place < levels.length; place++) total += words[place]!;
  for (let place = 0; place < levels.length; place++) mean += (words[place]! * levels[place]!) / total;
  for (let place = 0; place < levels.length; place++) squares += words[place]! * (levels[place]! - mean) ** 2;
  const inverse = new Float64Array(size * size);
  inverse[0] = 4 / total + (4 * mean * mean) / squares;
  inverse[1] = (-4 * mean) / squares;
  inverse[size] = inverse[1]!;
  inverse[size + 1] = 4 / squares;
  for (let place = 2; place < size; place++) inverse[place * (size + 1)] = 1 / total;
  return inverse;
}
