import { cholesky, choleskySolve } from '../optimization/cholesky.ts';
import type { Objective } from '../optimization/minimize-bfgs.ts';
import type { CountRows } from './count-data.ts';
import type { QuadratureRule } from './gauss-hermite.ts';
import { marginalLikelihood } from './marginal-likelihood.ts';

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

/** What is assumed of counts beside their coefficients. */
export interface CountModel {
  /** Of the negative binomial: null where it is estimated, 0 for Poisson, else held at this. */
  readonly dispersion: number | null;
  /** The rule for the speakers' intercepts, or null for none. */
  readonly rule: QuadratureRule | null;
}

/** The negative log-likelihood of a model as a function of one point, and what the point's coordinates are. */
export interface CountObjective {
  readonly objective: Objective;
  readonly size: number;
  /** Places of spread and root of the dispersion behind the coefficients; -1 where there is none. */
  readonly spreadPlace: number;
  readonly rootPlace: number;
  spread(point: Float64Array): number;
  dispersion(point: Float64Array): number;
  logLikelihood(point: Float64Array): number;
  /** The speakers' most probable intercepts at the last point, on the log scale. */
  intercepts(point: Float64Array): Float64Array;
}

const noQuadrature: QuadratureRule = { nodes: Float64Array.of(0), weights: Float64Array.of(1) };

/**
 * Spread and dispersion stand behind the coefficients as signed roots of the speakers' variance and of the dispersion. In
 * these the likelihood is even and smooth at 0, so that a maximum at the boundary is found like any other.
 */
export function countObjective(rows: CountRows, columns: readonly Float64Array[], model: CountModel): CountObjective {
  const width = columns.length;
  const spreadPlace = model.rule === null ? -1 : width;
  const rootPlace = model.dispersion === null ? width + (model.rule === null ? 0 : 1) : -1;
  const size = width + (spreadPlace < 0 ? 0 : 1) + (rootPlace < 0 ? 0 : 1);
  const likelihood = marginalLikelihood(rows, model.rule ?? noQuadrature);
  const spread = (point: Float64Array) => (spreadPlace < 0 ? 0 : Math.abs(point[spreadPlace]!));
  const dispersion = (point: Float64Array) => (rootPlace < 0 ? (model.dispersion ?? 0) : point[rootPlace]! ** 2);
  const logLikelihood = (point: Float64Array) =>
    likelihood.at(linearPredictor(rows, columns, point), spread(point), dispersion(point));

  const objective: Objective = (point, gradient) => {
    const value = logLikelihood(point);
    const { byPredictor, bySpread, byDispersion } = likelihood.slopes;
    for (let column = 0; column < width; column++) {
      const values = columns[column]!;
      let slope = 0;
      for (let row = 0; row < values.length; row++) slope -= values[row]! * byPredictor[row]!;
      gradient[column] = slope;
    }
    if (spreadPlace >= 0) gradient[spreadPlace] = -bySpread * Math.sign(point[spreadPlace]!);
    if (rootPlace >= 0) gradient[rootPlace] = -2 * point[rootPlace]! * byDispersion;
    return -value;
  };

  const intercepts = (point: Float64Array) => {
    const deviation = spread(point);
    return likelihood.modes.map((mode) => (deviation === 0 ? 0 : mode * deviation));
  };
  return { objective, size, spreadPlace, rootPlace, spread, dispersion, logLikelihood, intercepts };
}
