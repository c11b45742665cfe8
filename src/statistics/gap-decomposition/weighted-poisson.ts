import { cholesky, choleskySolve } from '../optimization/cholesky.ts';

/** Errors in words by row, with the columns that they may depend on. */
export interface PoissonRows {
  readonly errors: Float64Array;
  readonly words: Float64Array;
  /** Row after row, `size` columns each. */
  readonly design: Float64Array;
  readonly size: number;
}

const mostRounds = 50;

/**
 * Coefficients of a log-linear model of errors per word that solve the Poisson score equations: consistent for rates whatever
 * the variance of the errors (C. Gourieroux, A. Monfort and A. Trognon, Econometrica 52, 1984). Newton's method with halved
 * steps. Null where it does not settle, as where a device has no error at all and its coefficient is infinite.
 *
 * @param weights how often each row counts; 0 leaves it out
 * @param start from where; those of a fit to nearly the same rows spare time
 */
export function weightedPoisson(rows: PoissonRows, weights: Float64Array, start: Float64Array): Float64Array | null {
  const { size } = rows;
  let coefficients = start;
  for (let round = 0; round < mostRounds; round++) {
    const state = stateAt(coefficients, rows, weights);
    const { value } = state;
    if (!Number.isFinite(value)) return null;
    const factor = cholesky(state.information, size);
    if (factor === null) return null;
    const step = choleskySolve(factor, state.score);
    let gain = 0;
    for (let place = 0; place < size; place++) gain += step[place]! * state.score[place]!;
    if (gain <= 1e-16 * (1 + Math.abs(value))) return coefficients;
    let share = 1;
    for (; share > 1e-6; share /= 2) {
      const moved = coefficients.map((coefficient, place) => coefficient + share * step[place]!);
      if (valueAt(moved, rows, weights) >= value - 1e-12 * Math.abs(value)) {
        coefficients = moved;
        break;
      }
    }
    if (share <= 1e-6) return null;
    if (coefficients.some((coefficient) => Math.abs(coefficient) > 50)) return null;
  }
  return null;
}

/** The log-likelihood but for constants, its slopes and the information. */
function stateAt(
  coefficients: Float64Array,
  { errors, words, design, size }: PoissonRows,
  weights: Float64Array,
): { readonly value: number; readonly score: Float64Array; readonly information: Float64Array } {
  const score = new Float64Array(size);
  const information = new Float64Array(size * size);
  let value = 0;
  for (let row = 0, from = 0; row < errors.length; row++, from += size) {
    const weight = weights[row]!;
    if (weight === 0) continue;
    let predictor = 0;
    for (let place = 0; place < size; place++) predictor += coefficients[place]! * design[from + place]!;
    const mean = weight * words[row]! * Math.exp(predictor);
    const residual = weight * errors[row]! - mean;
    value += weight * errors[row]! * predictor - mean;
    for (let place = 0; place < size; place++) {
      const own = design[from + place]!;
      score[place]! += residual * own;
      const weighted = mean * own;
      for (let other = 0, at = place * size; other <= place; other++, at++) {
        information[at]! += weighted * design[from + other]!;
      }
    }
  }
  for (let place = 0; place < size; place++) {
    for (let other = 0; other < place; other++) {
      information[other * size + place] = information[place * size + other]!;
    }
  }
  return { value, score, information };
}

function valueAt(
  coefficients: Float64Array,
  { errors, words, design, size }: PoissonRows,
  weights: Float64Array,
): number {
  let value = 0;
  for (let row = 0, from = 0; row < errors.length; row++, from += size) {
    const weight = weights[row]!;
    if (weight === 0) continue;
    let predictor = 0;
    for (let place = 0; place < size; place++) predictor += coefficients[place]! * design[from + place]!;
    value += weight * (errors[row]! * predictor - words[row]! * Math.exp(predictor));
  }
  return value;
}
