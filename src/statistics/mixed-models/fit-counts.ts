import { cholesky, choleskyInverse, choleskySolve } from '../optimization/cholesky.ts';
import { hessianFromGradient } from '../optimization/minimize-bfgs.ts';
import type { CountRows } from './count-data.ts';
import type { CountModel } from './count-objective.ts';
import { type CountMaximum, searchCounts } from './search-counts.ts';

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
export function fitCounts(rows: CountRows, columns: readonly Float64Array[], model: CountModel): CountFit | string {
  const maximum = mostLikely(rows, columns, model);
  return typeof maximum === 'string' ? maximum : withPrecision(maximum, columns.length);
}

function mostLikely(rows: CountRows, columns: readonly Float64Array[], model: CountModel): CountMaximum | string {
  const { dispersion, rule } = model;
  let best = searchCounts(rows, columns, { dispersion: dispersion ?? 0, rule: null });
  if (typeof best === 'string') return best;
  if (dispersion === null) {
    best = better(best, searchCounts(rows, columns, { dispersion, rule: null }));
    if (typeof best === 'string') return best;
  }
  if (rule === null) return best;
  const mixed = searchCounts(rows, columns, { dispersion: dispersion ?? 0, rule });
  if (typeof mixed === 'string') return mixed;
  const start = { spread: mixed.model.spread(mixed.point), dispersion: best.model.dispersion(best.point) / 2 };
  best = better(best, mixed);
  if (typeof best === 'string' || dispersion !== null) return best;
  return better(best, searchCounts(rows, columns, model, start));
}

/** The more general fit where it gains something, else the simpler. */
function better(simple: CountMaximum, general: CountMaximum | string): CountMaximum | string {
  if (typeof general === 'string') return general;
  return general.logLikelihood > simple.logLikelihood + 1e-7 ? general : simple;
}

/** Ends the search with Newton steps on the information, which its differences give to about eight digits. */
function withPrecision(maximum: CountMaximum, width: number): CountFit | string {
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
    if (factor === null) return 'the likelihood has no maximum that could be told: it is flat in some direction';
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
      if (gain > 1e-6) return 'the fit did not converge';
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
