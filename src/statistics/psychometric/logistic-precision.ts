import { cholesky, choleskyInverse } from '../optimization/cholesky.ts';
import { hessianFromGradient } from '../optimization/hessian-from-gradient.ts';
import { firstInverse } from './fit-logistic.ts';
import { type HeldQuestion, logitAt } from './held-logistic.ts';
import { logisticObjective, rateAt, ratePlaces } from './logistic-objective.ts';

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
