import { printable } from '../../base/printable.ts';
import type { Reason } from '../../model/reason.ts';
import { orthonormalColumns } from '../regression/design-matrix.ts';
import {
  type CountData,
  type CountRegression,
  type CountRegressionOptions,
  type CountRows,
  countRows,
  type PreparedCounts,
  prepareCounts,
  type TermTest,
} from './count-data.ts';
import { fitCounts, searchCounts } from './fit-counts.ts';
import { linearPredictor } from './fit-fixed-effects.ts';
import {
  betweenSpeakerReference,
  type CountMethod,
  chiSquareReference,
  columnsOver,
  type FittedCounts,
  heldStart,
  type LikelihoodRatioReference,
  separatedLevels,
} from './fitted-counts.ts';
import { rateCoefficients, thetaStandardError } from './rate-coefficients.ts';

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
  if ('code' in fitted) {
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
function fit(prepared: PreparedCounts, method: CountMethod): FittedCounts | Reason {
  const { errors, design, speakers } = prepared;
  if (errors.length === 0) return { code: 'no-denominator' };
  if (!errors.some((count) => count > 0)) return { code: 'no-errors' };
  if (method.rule !== null && speakers.length === 1) return { code: 'one-speaker' };
  const separated = separatedLevels(prepared);
  if (separated.reason !== undefined) return separated.reason;
  const places = design.columns.flatMap((_, place) => (separated.columns.has(place) ? [] : [place]));
  const rows = countRows(prepared, separated.keep);
  const given = columnsOver(prepared, places, separated.keep);
  const { columns, triangle, dependent } = orthonormalColumns(given);
  if (dependent.length > 0) {
    const names = dependent.map((at) => printable(design.columns[places[at]!]!.name));
    return { code: 'collinear', names };
  }
  const best = fitCounts(rows, columns, method);
  if ('code' in best) return best;
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

/** How far counts are from their means. */
interface CountResiduals {
  /** Twice what the log-likelihood is below that with a mean of its own for each row. */
  readonly deviance: number;
  /** Squared distances over variances. */
  readonly pearsonChiSquare: number;
}

/** Deviance and Pearson's chi-square of Poisson (dispersion 0) or negative binomial counts. */
function countResiduals(rows: CountRows, predictor: Float64Array, dispersion: number): CountResiduals {
  let deviance = 0;
  let pearsonChiSquare = 0;
  for (let row = 0; row < predictor.length; row++) {
    const count = rows.counts[row]!;
    const mean = Math.exp(predictor[row]!);
    if (count > 0) deviance += 2 * count * Math.log(count / mean);
    deviance -=
      dispersion === 0
        ? 2 * (count - mean)
        : 2 * (count + 1 / dispersion) * Math.log1p((dispersion * (count - mean)) / (1 + dispersion * mean));
    pearsonChiSquare += (count - mean) ** 2 / (mean * (1 + dispersion * mean));
  }
  return { deviance, pearsonChiSquare };
}

/**
 * For each column of the design what its likelihood ratio is held against: the between-speaker F distribution where no
 * speaker has two values of it, else the chi-square distribution.
 */
function columnReferences(
  prepared: PreparedCounts,
  method: CountMethod,
): readonly (LikelihoodRatioReference | Reason)[] {
  const { design, speakerOf, speakers } = prepared;
  if (method.rule === null) return design.columns.map(() => chiSquareReference);
  const between = design.columns.map(({ values }) =>
    values.every((value, row) => row === 0 || speakerOf[row] !== speakerOf[row - 1] || value === values[row - 1]),
  );
  const coefficients = between.filter(Boolean).length;
  const reference =
    speakers.length > coefficients
      ? betweenSpeakerReference(speakers.length, coefficients)
      : { code: 'few-between-speakers' as const, need: coefficients, have: speakers.length };
  return between.map((isBetween) => (isBetween ? reference : chiSquareReference));
}

/**
 * The likelihood-ratio test of a predictor: twice what the log-likelihood loses without it. Levels without errors take
 * part: their best log-likelihood is 0, and without the predictor they share the others' rate.
 */
function testTerm(fitted: FittedCounts, term: string): TermTest {
  const { prepared, method, separated, fit, references } = fitted;
  const all = prepared.design.columns;
  const own = all.flatMap((column, place) => (column.term === term ? [place] : []));
  const untested = (reason: Reason): TermTest => ({
    term,
    likelihoodRatio: null,
    coefficients: own.length,
    betweenSpeakerDegreesOfFreedom: null,
    pValue: null,
    reason,
    test: 'likelihood-ratio test',
  });
  if (own.length === 0) return untested({ code: 'one-level' });
  const reference = references[own[0]!]!;
  if ('code' in reference) return untested(reference);

  // Levels of other factors that have no errors stay out of both models.
  const keep = (row: number) =>
    [...separated.columns].every((place) => all[place]!.term === term || all[place]!.values[row] === 0);
  const rest = all.flatMap((column, place) => (column.term === term || separated.columns.has(place) ? [] : [place]));
  const rows = countRows(prepared, keep);
  const { columns, triangle } = orthonormalColumns(columnsOver(prepared, rest, keep));
  const held = own.map((place) => fitted.places.indexOf(place));
  const near = held.includes(-1) ? null : heldStart(fitted, held, triangle);
  const variances = { spread: fit.spread, dispersion: fit.dispersion };
  const zeros = new Float64Array(own.length);
  const start =
    near === null ? variances : { ...variances, near: { point: near.pointAt(zeros), inverse: near.inverse } };
  const simpler = searchCounts(rows, columns, method, start);
  if ('code' in simpler) return untested({ code: 'no-fit-without-it' });
  const likelihoodRatio = 2 * (fit.logLikelihood - simpler.logLikelihood);
  if (likelihoodRatio < -1e-4) return untested({ code: 'not-the-best-fit' });
  return {
    term,
    likelihoodRatio: Math.max(0, likelihoodRatio),
    coefficients: own.length,
    betweenSpeakerDegreesOfFreedom: reference.degreesOfFreedom,
    pValue: reference.pValue(likelihoodRatio, own.length),
    test: reference.name,
  };
}
