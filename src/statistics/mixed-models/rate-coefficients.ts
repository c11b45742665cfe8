import { printable } from '../../base/printable.ts';
import type { Reason } from '../../model/reason.ts';
import type { Interval } from '../interval.ts';
import { cholesky, choleskyInverse } from '../optimization/cholesky.ts';
import { profileLimits } from '../optimization/find-root.ts';
import { invertTriangle, orthonormalColumns } from '../regression/design-matrix.ts';
import { type CountRegressionOptions, type CountRows, countRows, type RateCoefficient } from './count-data.ts';
import { searchCounts } from './fit-counts.ts';
import { fitFixedEffects } from './fit-fixed-effects.ts';
import { columnsOver, type FittedCounts, heldStart, type LikelihoodRatioReference } from './fitted-counts.ts';

/** Every column's coefficient, with its standard error and the interval of the ratio of rates. */
export function rateCoefficients(fitted: FittedCounts, options: CountRegressionOptions): RateCoefficient[] {
  const { prepared, places, fit } = fitted;
  const size = places.length;
  const back = invertTriangle(fitted.triangle, size);
  const covariance = coefficientCovariance(fitted);
  return prepared.design.columns.map((column, place) => {
    const { name, term } = column;
    const identity =
      column.level === undefined ? { name, term } : { name, term, level: column.level, reference: column.reference! };
    const at = places.indexOf(place);
    if (at < 0) return { ...identity, ...withoutErrors(fitted, place, options) };
    let estimate = 0;
    let variance = 0;
    for (let first = 0; first < size; first++) {
      estimate += back[at * size + first]! * fit.coefficients[first]!;
      for (let second = 0; second < size; second++) {
        variance += back[at * size + first]! * back[at * size + second]! * covariance[first * size + second]!;
      }
    }
    const standardError = Math.sqrt(variance);
    return { ...identity, estimate, standardError, rateRatio: ratio(fitted, place, estimate, standardError, options) };
  });
}

function ratio(
  fitted: FittedCounts,
  place: number,
  estimate: number,
  standardError: number,
  options: CountRegressionOptions,
): Interval {
  const { level = 0.95, intervals = 'profile' } = options;
  const value = Math.exp(estimate);
  const reference = fitted.references[place]!;
  if ('code' in reference) return { value, low: null, high: null, level, reason: reference, method: intervals };
  if (intervals === 'wald') {
    const reach = reference.deviate(level) * standardError;
    const method = `Wald, ${distribution(reference)}`;
    return { value, low: Math.exp(estimate - reach), high: Math.exp(estimate + reach), level, method };
  }
  const method = `profile likelihood, ${distribution(reference)}`;
  const held = holding(fitted, place, fitted.rows, fitted.separated.keep, fitted.places);
  const best = { parameter: estimate, logLikelihood: fitted.fit.logLikelihood, error: standardError };
  const { low, high } = profileLimits(held, best, reference.root(level));
  if (low === null || high === null) {
    return { value, low: null, high: null, level, reason: { code: 'profile-without-end' }, method };
  }
  return { value, low: Math.exp(low), high: Math.exp(high), level, method };
}

/** A level without errors: the ratio is 0, and only its upper end is known, from the profile. */
function withoutErrors(
  fitted: FittedCounts,
  place: number,
  options: CountRegressionOptions,
): Pick<RateCoefficient, 'estimate' | 'standardError' | 'reason' | 'rateRatio'> {
  const { level = 0.95 } = options;
  const { prepared, separated, fit } = fitted;
  const column = prepared.design.columns[place]!;
  const told = { level: printable(column.level!), factor: printable(column.term!) };
  const reason: Reason = { code: 'no-errors-at-level', ...told };
  const nothing = { estimate: null, standardError: null, reason };
  const reference = fitted.references[place]!;
  const method = 'profile likelihood, upper end only';
  if ('code' in reference) {
    return { ...nothing, rateRatio: { value: 0, low: null, high: null, level, reason: reference, method } };
  }
  const all = prepared.design.columns;
  const keep = (row: number) =>
    [...separated.columns].every((other) => other === place || all[other]!.values[row] === 0);
  const places = fitted.places.concat(place);
  const held = holding(fitted, place, countRows(prepared, keep), keep, places);
  // Far below no row of the level is expected to have errors, so that the loss begins at 0 and only rises.
  const expected = prepared.words.reduce((sum, words, row) => sum + words * column.values[row]!, 0);
  const start = -Math.log(expected) - 5;
  const { high } = profileLimits(
    held,
    { parameter: start, logLikelihood: fit.logLikelihood, error: 1 },
    reference.root(level),
  );
  if (high === null) {
    return {
      ...nothing,
      rateRatio: { value: 0, low: null, high: null, level, reason: { code: 'profile-without-end' }, method },
    };
  }
  return { ...nothing, rateRatio: { value: 0, low: 0, high: Math.exp(high), level, method } };
}

/** The greatest log-likelihood as a function of one coefficient, the others and the variances being fitted again. */
function holding(
  fitted: FittedCounts,
  place: number,
  rows: CountRows,
  keep: (row: number) => boolean,
  places: readonly number[],
): (coefficient: number) => number {
  const { prepared, method, fit } = fitted;
  const [own] = columnsOver(prepared, [place], keep);
  const rest = places.filter((other) => other !== place);
  const { columns, triangle } = orthonormalColumns(columnsOver(prepared, rest, keep));
  const at = fitted.places.indexOf(place);
  const near = at < 0 ? null : heldStart(fitted, [at], triangle);
  return (coefficient) => {
    const offsets = rows.offsets.map((offset, row) => offset + coefficient * own![row]!);
    const variances = { spread: fit.spread, dispersion: fit.dispersion };
    const start =
      near === null ? variances : { ...variances, near: { point: near.pointAt([coefficient]), inverse: near.inverse } };
    const maximum = searchCounts({ ...rows, offsets }, columns, method, start);
    return 'code' in maximum ? Number.NaN : maximum.logLikelihood;
  };
}

function distribution(reference: LikelihoodRatioReference): string {
  return reference.degreesOfFreedom === null
    ? 'normal'
    : `t with ${reference.degreesOfFreedom} between-speaker degrees of freedom`;
}

/** Covariances of the coefficients of the orthonormal columns, row after row, by the information asked for. */
function coefficientCovariance(fitted: FittedCounts): Float64Array {
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
