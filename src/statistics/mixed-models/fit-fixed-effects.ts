import { cholesky, choleskySolve } from '../optimization/cholesky.ts';
import type { CountRows } from './count-data.ts';

/** Coefficients of orthonormal columns that fit counts best without speakers, and the information about them. */
export interface FixedEffects {
  readonly coefficients: Float64Array;
  /** Each row's linear predictor, offset included. */
  readonly predictor: Float64Array;
  /** Expected information about the coefficients, row after row. */
  readonly information: Float64Array;
  /** False where the coefficients run away (separation) or the steps did not end. */
  readonly settled: boolean;
}

/**
 * Maximum likelihood of a Poisson or negative binomial regression with a given dispersion, by Newton's method with halved
 * steps: the log-likelihood is concave, so that the maximum is the only one (P. McCullagh and J. Nelder, "Generalized
 * linear models", 2nd edition, section 2.5).
 */
export function fitFixedEffects(rows: CountRows, columns: readonly Float64Array[], dispersion: number): FixedEffects {
  const size = columns.length;
  const count = rows.counts.length;
  const coefficients = new Float64Array(size);
  let predictor = Float64Array.from(rows.offsets);
  let sumOfCounts = 0;
  let sumOfSizes = 0;
  for (let row = 0; row < count; row++) {
    sumOfCounts += rows.counts[row]!;
    sumOfSizes += Math.exp(rows.offsets[row]!);
  }
  // The first column is constant.
  if (size > 0 && columns[0]![0]! !== 0) {
    coefficients[0] = Math.log(sumOfCounts / sumOfSizes) / columns[0]![0]!;
    predictor = linearPredictor(rows, columns, coefficients);
  }
  let fit = kernel(rows, predictor, dispersion);
  let settled = size === 0;
  for (let round = 0; round < 60 && !settled; round++) {
    const gradient = new Float64Array(size);
    const weights = new Float64Array(count);
    for (let row = 0; row < count; row++) {
      const mean = Math.exp(predictor[row]!);
      const inflation = 1 + dispersion * mean;
      const residual = (rows.counts[row]! - mean) / inflation;
      weights[row] = (mean * (1 + dispersion * rows.counts[row]!)) / (inflation * inflation);
      for (let column = 0; column < size; column++) gradient[column]! += residual * columns[column]![row]!;
    }
    const factor = cholesky(crossProduct(columns, weights), size);
    if (factor === null) break;
    const step = choleskySolve(factor, gradient);
    let gain = 0;
    for (let column = 0; column < size; column++) gain += step[column]! * gradient[column]!;
    let length = 1;
    let moved = predictor;
    let better = fit;
    for (let halving = 0; halving < 40; halving++, length /= 2) {
      const next = coefficients.map((value, column) => value + length * step[column]!);
      moved = linearPredictor(rows, columns, next);
      better = kernel(rows, moved, dispersion);
      if (better >= fit + 1e-4 * length * gain - 1e-12 * Math.abs(fit)) break;
    }
    for (let column = 0; column < size; column++) coefficients[column]! += length * step[column]!;
    predictor = moved;
    fit = better;
    settled = gain < 1e-20 * (1 + Math.abs(fit)) || (gain < 1e-12 && round > 30);
  }
  const weights = predictor.map((value) => {
    const mean = Math.exp(value);
    return mean / (1 + dispersion * mean);
  });
  return { coefficients, predictor, information: crossProduct(columns, weights), settled };
}

/** The log-likelihood but for what the coefficients do not change. */
function kernel(rows: CountRows, predictor: Float64Array, dispersion: number): number {
  let sum = 0;
  for (let row = 0; row < predictor.length; row++) {
    const count = rows.counts[row]!;
    const mean = Math.exp(predictor[row]!);
    sum += count === 0 ? 0 : count * predictor[row]!;
    sum -= dispersion === 0 ? mean : (count + 1 / dispersion) * Math.log1p(dispersion * mean);
  }
  return sum;
}

/** Offsets plus columns times coefficients. */
export function linearPredictor(
  rows: CountRows,
  columns: readonly Float64Array[],
  coefficients: ArrayLike<number>,
): Float64Array<ArrayBuffer> {
  const predictor = Float64Array.from(rows.offsets);
  for (let column = 0; column < columns.length; column++) {
    const values = columns[column]!;
    const coefficient = coefficients[column]!;
    for (let row = 0; row < predictor.length; row++) predictor[row]! += coefficient * values[row]!;
  }
  return predictor;
}

/** Columns' weighted products with each other, row after row. */
function crossProduct(columns: readonly Float64Array[], weights: Float64Array): Float64Array {
  const size = columns.length;
  const product = new Float64Array(size * size);
  for (let first = 0; first < size; first++) {
    for (let second = 0; second <= first; second++) {
      let sum = 0;
      for (let row = 0; row < weights.length; row++) {
        sum += weights[row]! * columns[first]![row]! * columns[second]![row]!;
      }
      product[first * size + second] = sum;
      product[second * size + first] = sum;
    }
  }
  return product;
}
