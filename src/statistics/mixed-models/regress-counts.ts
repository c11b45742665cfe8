import { printable } from '../../base/printable.ts';
import { orthonormalColumns } from '../regression/orthonormal-columns.ts';
import { thetaStandardError } from './coefficient-covariance.ts';
import { columnReferences } from './column-references.ts';
import type { CountData, CountRegression, CountRegressionOptions } from './count-data.ts';
import { countResiduals } from './count-residuals.ts';
import { fitCounts } from './fit-counts.ts';
import { linearPredictor } from './fit-fixed-effects.ts';
import { type CountMethod, columnsOver, type FittedCounts } from './fitted-counts.ts';
import { countRows, type PreparedCounts, prepareCounts } from './prepare-counts.ts';
import { rateCoefficients } from './rate-coefficients.ts';
import { separatedLevels } from './separated-levels.ts';
import { testTerm } from './test-term.ts';

/** Fits counts, and tests and intervals for each coefficient and predictor. What cannot be had is null with a reason. */
export function regressCounts(
  data: CountData & { readonly speaker?: readonly string[] },
  method: CountMethod,
  options: CountRegressionOptions,
): CountRegression {
  const prepared = prepareCounts(data, options);
  const fitted = fit(prepared, method);
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
  const frame = {
    method: method.name,
    rows: prepared.errors.length,
    speakers: method.rule === null ? null : prepared.speakers.length,
    errors: sum(prepared.errors),
    words: sum(prepared.words),
  };
  if (typeof fitted === 'string') {
    return {
      ...frame,
      reason: fitted,
      notes: prepared.notes,
      coefficients: [],
      terms: [],
      speakerSd: null,
      speakerEffects: [],
      theta: null,
      thetaStandardError: null,
      logLikelihood: null,
      deviance: null,
      pearsonChiSquare: null,
    };
  }
  const { rows, columns, fit: best } = fitted;
  const mixed = method.rule !== null;
  const residuals = countResiduals(rows, linearPredictor(rows, columns, best.coefficients), best.dispersion);
  return {
    ...frame,
    notes: [...prepared.notes, ...remarks(fitted)],
    coefficients: rateCoefficients(fitted, options),
    terms: prepared.design.terms.map((term) => testTerm(fitted, term.name)),
    speakerSd: mixed ? best.spread : null,
    speakerEffects: mixed
      ? rows.speakers.map((place, index) => ({ speaker: prepared.speakers[place]!, effect: best.intercepts[index]! }))
      : [],
    theta: best.dispersion === 0 ? null : 1 / best.dispersion,
    thetaStandardError: thetaStandardError(fitted),
    logLikelihood: best.logLikelihood,
    deviance: mixed ? null : residuals.deviance,
    pearsonChiSquare: mixed ? null : residuals.pearsonChiSquare,
  };
}

/** The fit, or why there is none. */
function fit(prepared: PreparedCounts, method: CountMethod): FittedCounts | string {
  const { errors, design, speakers } = prepared;
  if (errors.length === 0) return 'there are no words';
  if (!errors.some((count) => count > 0)) return 'there is not a single error, so that there are no rates to compare';
  if (method.rule !== null && speakers.length === 1) {
    return 'all rows are of one speaker, so that the difference between speakers is unknown; use a regression without speakers';
  }
  const separated = separatedLevels(prepared);
  if (separated.reason !== undefined) return separated.reason;
  const places = design.columns.flatMap((_, place) => (separated.columns.has(place) ? [] : [place]));
  const rows = countRows(prepared, separated.keep);
  const given = columnsOver(prepared, places, separated.keep);
  const { columns, triangle, dependent } = orthonormalColumns(given);
  if (dependent.length > 0) {
    const names = dependent.map((at) => printable(design.columns[places[at]!]!.name)).join(', ');
    return `collinear predictors: in the ${rows.counts.length} rows, ${names} can be made from the columns before; leave out a predictor`;
  }
  const best = fitCounts(rows, columns, method);
  if (typeof best === 'string') return best;
  const references = columnReferences(prepared, method);
  return { prepared, method, separated, rows, places, columns, triangle, fit: best, references };
}

function remarks(fitted: FittedCounts): string[] {
  const { method, fit: best, separated, prepared, rows } = fitted;
  const notes: string[] = [];
  if (method.rule !== null && best.spread === 0) {
    notes.push(
      'the variance between speakers is estimated as 0 (singular fit): the rates of speakers differ no more than chance would have it',
    );
  }
  if (method.dispersion === null && best.dispersion === 0) {
    notes.push('no overdispersion was found: theta is infinite and the fit is that of Poisson');
  }
  for (const place of separated.columns) {
    const { level, term } = prepared.design.columns[place]!;
    notes.push(`no errors at level ${printable(level!)} of ${printable(term!)}`);
  }
  if (method.rule !== null && rows.speakers.length === rows.counts.length) {
    notes.push('each speaker has one row, so that speakers and rows cannot be told apart');
  }
  return notes;
}
