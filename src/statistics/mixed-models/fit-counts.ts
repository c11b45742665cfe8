import type { Reason } from '../../model/reason.ts';
import { cholesky, choleskyInverse, choleskySolve } from '../optimization/cholesky.ts';
import { hessianFromGradient, minimizeBfgs } from '../optimization/minimize-bfgs.ts';
import type { CountRows } from './count-data.ts';
import {
  type CountModel,
  type CountObjective,
  countObjective,
  type FixedEffects,
  fitFixedEffects,
} from './fit-fixed-effects.ts';

export interface CountFit {
  /** Coefficients of the columns. */
  readonly coefficients: Float64Array;
  readonly spread: number;
  readonly dispersion: number;
  readonly logLikelihood: number;
  /** Inverse of the observed information about the coefficients, then spread and root of the dispersion where above 0. */
  readonly covariance: Float64Array;
  /** How many rows the covariances have. */
  readonly size: number;
  /** Standard error of the dispersion, null where it is held or 0. */
  readonly dispersionError: number | null;
  /** The speakers' most probable intercepts, on the log scale. */
  readonly intercepts: Float64Array;
}

/**
 * Maximum likelihood of a count regression over orthonormal columns, with what is known about its precision. Where a
 * model gains nothing on a simpler one (speakers' variance or dispersion estimated as 0), the simpler one's fit is
 * answered. Answers a sentence where there is no maximum or it was not found.
 */
export function fitCounts(rows: CountRows, columns: readonly Float64Array[], model: CountModel): CountFit | Reason {
  const maximum = likeliest(rows, columns, model);
  return 'code' in maximum ? maximum : withPrecision(maximum, columns.length);
}

function likeliest(rows: CountRows, columns: readonly Float64Array[], model: CountModel): CountMaximum | Reason {
  const { dispersion, rule } = model;
  let best = searchCounts(rows, columns, { dispersion: dispersion ?? 0, rule: null });
  if ('code' in best) return best;
  if (dispersion === null) {
    best = better(best, searchCounts(rows, columns, { dispersion, rule: null }));
    if ('code' in best) return best;
  }
  if (rule === null) return best;
  const mixed = searchCounts(rows, columns, { dispersion: dispersion ?? 0, rule });
  if ('code' in mixed) return mixed;
  const start = { spread: mixed.model.spread(mixed.point), dispersion: best.model.dispersion(best.point) / 2 };
  best = better(best, mixed);
  if ('code' in best || dispersion !== null) return best;
  return better(best, searchCounts(rows, columns, model, start));
}

/** The more general fit where it gains something, else the simpler. */
function better(simple: CountMaximum, general: CountMaximum | Reason): CountMaximum | Reason {
  if ('code' in general) return general;
  return general.logLikelihood > simple.logLikelihood + 1e-7 ? general : simple;
}

/** Ends the search with Newton steps on the information, which its differences give to about eight digits. */
function withPrecision(maximum: CountMaximum, width: number): CountFit | Reason {
  const { model, scales } = maximum;
  const { size, rootPlace } = model;
  let point = Float64Array.from(maximum.point);
  let covariance = new Float64Array(0);
  for (let round = 0; round < 4 && size > 0; round++) {
    const steps = scales.map((scale, place) => {
      if (place < width) return 2e-4 * scale;
      // Not across 0, where the likelihood is even and the step would meet its mirror image.
      return Math.min(1e-4, Math.abs(point[place]!) / 4);
    });
    const factor = cholesky(hessianFromGradient(model.objective, point, steps), size);
    if (factor === null) return { code: 'flat-likelihood' };
    covariance = Float64Array.from(choleskyInverse(factor));
    const gradient = new Float64Array(size);
    const value = model.objective(point, gradient);
    const step = choleskySolve(factor, gradient);
    let gain = 0;
    for (let place = 0; place < size; place++) gain += step[place]! * gradient[place]!;
    if (gain < 1e-20) break;
    const next = point.map((coordinate, place) => coordinate - step[place]!);
    const beyond = model.objective(next, gradient) - value;
    if (!(beyond <= 1e-9 * (1 + Math.abs(value)))) {
      if (gain > 1e-6) return { code: 'not-settled' };
      break;
    }
    point = next;
    if (gain < 1e-10) break;
  }
  const logLikelihood = model.logLikelihood(point);
  const root = rootPlace < 0 ? 0 : Math.abs(point[rootPlace]!);
  return {
    coefficients: point.slice(0, width),
    spread: model.spread(point),
    dispersion: model.dispersion(point),
    logLikelihood,
    covariance,
    size,
    dispersionError: rootPlace < 0 ? null : 2 * root * Math.sqrt(covariance[rootPlace * (size + 1)]!),
    intercepts: model.intercepts(point),
  };
}

/** Where to begin: parts of a like fit. */
interface CountStart {
  readonly spread?: number;
  readonly dispersion?: number;
  /** The whole point and a guess of the inverse Hessian there; then a gain that matters for no interval ends the search. */
  readonly near?: { readonly point: Float64Array; readonly inverse: Float64Array };
}

/** The most likely point of a model. */
interface CountMaximum {
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
): CountMaximum | Reason {
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
  if (!fixed.settled || information === null) return { code: 'separated' };
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
  if (!minimum.settled || !Number.isFinite(minimum.value)) return { code: 'not-settled' };
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
