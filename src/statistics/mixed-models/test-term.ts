import { orthonormalColumns } from '../regression/orthonormal-columns.ts';
import type { TermTest } from './count-data.ts';
import { columnsOver, type FittedCounts } from './fitted-counts.ts';
import { heldStart } from './held-start.ts';
import { countRows } from './prepare-counts.ts';
import { searchCounts } from './search-counts.ts';

/**
 * The likelihood-ratio test of a predictor: twice what the log-likelihood loses without it. Levels without errors take
 * part: their best log-likelihood is 0, and without the predictor they share the others' rate.
 */
export function testTerm(fitted: FittedCounts, term: string): TermTest {
  const { prepared, method, separated, fit, references } = fitted;
  const all = prepared.design.columns;
  const own = all.flatMap((column, place) => (column.term === term ? [place] : []));
  const untested = (reason: string): TermTest => ({
    term,
    likelihoodRatio: null,
    coefficients: own.length,
    betweenSpeakerDegreesOfFreedom: null,
    pValue: null,
    reason,
    test: 'likelihood-ratio test',
  });
  if (own.length === 0) return untested('there is only one level');
  const reference = references[own[0]!]!;
  if (typeof reference === 'string') return untested(reference);

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
  if (typeof simpler === 'string') return untested(`the model without it has no fit: ${simpler}`);
  const likelihoodRatio = 2 * (fit.logLikelihood - simpler.logLikelihood);
  if (likelihoodRatio < -1e-4) return untested('the model without it fits better, so that the fit is not the best one');
  return {
    term,
    likelihoodRatio: Math.max(0, likelihoodRatio),
    coefficients: own.length,
    betweenSpeakerDegreesOfFreedom: reference.degreesOfFreedom,
    pValue: reference.pValue(likelihoodRatio, own.length),
    test: reference.name,
  };
}
