import type { Objective } from '../optimization/minimize-bfgs.ts';
import type { CountRows } from './count-data.ts';
import { linearPredictor } from './fit-fixed-effects.ts';
import type { QuadratureRule } from './gauss-hermite.ts';
import { marginalLikelihood } from './marginal-likelihood.ts';

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
