import { cholesky, choleskyInverse } from '../optimization/cholesky.ts';
import { minimizeBfgs } from '../optimization/minimize-bfgs.ts';
import type { CountRows } from './count-data.ts';
import { type CountModel, type CountObjective, countObjective } from './count-objective.ts';
import { type FixedEffects, fitFixedEffects } from './fit-fixed-effects.ts';

/** Where to begin: parts of a like fit. */
export interface CountStart {
  readonly spread?: number;
  readonly dispersion?: number;
  /** The whole point and a guess of the inverse Hessian there; then a gain that matters for no interval ends the search. */
  readonly near?: { readonly point: Float64Array; readonly inverse: Float64Array };
}

/** The most likely point of a model. */
export interface CountMaximum {
  readonly model: CountObjective;
  readonly point: Float64Array;
  readonly logLikelihood: number;
  /** What a coefficient may move by, for differences: its standard error if no speakers differed. */
  readonly scales: Float64Array;
}

/**
 * Searches the maximum of a count model's likelihood. Answers a sentence where there is none or it was not found.
 *
 * @param columns orthonormal, the first constant
 */
export function searchCounts(
  rows: CountRows,
  columns: readonly Float64Array[],
  model: CountModel,
  start: CountStart = {},
): CountMaximum | string {
  const width = columns.length;
  const objective = countObjective(rows, columns, model);
  const { size, spreadPlace, rootPlace } = objective;
  if (start.near !== undefined && size > 0) {
    const { point, inverse } = start.near;
    const minimum = minimizeBfgs(objective.objective, point, inverse, { tolerance: 1e-9 });
    if (minimum.settled && Number.isFinite(minimum.value)) {
      return { model: objective, point: minimum.point, logLikelihood: -minimum.value, scales: minimum.point };
    }
  }

  const fixed = fitFixedEffects(rows, columns, model.dispersion ?? 0);
  const information = cholesky(fixed.information, width);
  if (!fixed.settled || information === null) {
    return 'the coefficients run away: some combination of predictors tells rows without errors apart (separation)';
  }
  const covariance = choleskyInverse(information);
  const point = new Float64Array(size);
  point.set(fixed.coefficients);
  if (spreadPlace >= 0) {
    point[spreadPlace] = start.spread && start.spread > 0.01 ? start.spread : firstSpread(rows, fixed);
  }
  if (rootPlace >= 0) {
    const first = start.dispersion && start.dispersion > 1e-4 ? start.dispersion : firstDispersion(rows, fixed);
    point[rootPlace] = Math.sqrt(first);
  }
  const inverse = new Float64Array(size * size);
  const scales = new Float64Array(size).fill(0.05);
  for (let row = 0; row < width; row++) {
    for (let column = 0; column < width; column++) inverse[row * size + column] = covariance[row * width + column]!;
    scales[row] = Math.sqrt(covariance[row * width + row]!);
  }
  if (spreadPlace >= 0) inverse[spreadPlace * (size + 1)] = 0.1 / (rows.starts.length - 1);
  if (rootPlace >= 0) inverse[rootPlace * (size + 1)] = 0.5 / rows.counts.length;

  if (size === 0) return { model: objective, point, logLikelihood: objective.logLikelihood(point), scales };
  const minimum = minimizeBfgs(objective.objective, point, inverse);
  if (!minimum.settled || !Number.isFinite(minimum.value)) return 'the fit did not converge';
  return { model: objective, point: minimum.point, logLikelihood: -minimum.value, scales };
}

/** By moments: what the squared residuals of speakers have beyond Poisson. */
function firstSpread(rows: CountRows, fixed: FixedEffects): number {
  let excess = 0;
  let squares = 0;
  for (let speaker = 0; speaker + 1 < rows.starts.length; speaker++) {
    let count = 0;
    let mean = 0;
    for (let row = rows.starts[speaker]!; row < rows.starts[speaker + 1]!; row++) {
      count += rows.counts[row]!;
      mean += Math.exp(fixed.predictor[row]!);
    }
    excess += (count - mean) ** 2 - mean;
    squares += mean * mean;
  }
  return Math.sqrt(Math.min(2, Math.max(0.02, excess / squares)));
}

function firstDispersion(rows: CountRows, fixed: FixedEffects): number {
  let excess = 0;
  let squares = 0;
  for (let row = 0; row < rows.counts.length; row++) {
    const mean = Math.exp(fixed.predictor[row]!);
    excess += (rows.counts[row]! - mean) ** 2 - mean;
    squares += mean * mean;
  }
  return Math.min(5, Math.max(0.02, excess / squares));
}
