import { cholesky, choleskyInverse } from '../optimization/cholesky.ts';
import { fitFixedEffects } from './fit-fixed-effects.ts';
import type { FittedCounts } from './fitted-counts.ts';

/** Covariances of the coefficients of the orthonormal columns, row after row, by the information asked for. */
export function coefficientCovariance(fitted: FittedCounts): Float64Array {
  const { rows, columns, fit, method } = fitted;
  const width = columns.length;
  if (method.information === 'expected' && method.rule === null) {
    const { information } = fitFixedEffects(rows, columns, fit.dispersion);
    return choleskyInverse(cholesky(information, width)!);
  }
  const covariance = new Float64Array(width * width);
  for (let row = 0; row < width; row++) {
    for (let column = 0; column < width; column++) {
      covariance[row * width + column] = fit.covariance[row * fit.size + column]!;
    }
  }
  return covariance;
}

/** The standard error of theta, which is 1 / dispersion; null where that is held, 0 or not there. */
export function thetaStandardError(fitted: FittedCounts): number | null {
  const { fit, method } = fitted;
  if (fit.dispersionError === null) return null;
  if (method.information === 'observed') return fit.dispersionError / fit.dispersion ** 2;
  // With the coefficients held: from the last element of the information itself, dispersion's root being the last.
  const information = choleskyInverse(cholesky(fit.covariance, fit.size)!);
  const rootError = 1 / Math.sqrt(information.at(-1)!);
  return (2 * Math.sqrt(fit.dispersion) * rootError) / fit.dispersion ** 2;
}
