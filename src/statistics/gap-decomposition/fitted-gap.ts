import type { Reason } from '../../model/reason.ts';
import { cholesky, choleskySolve } from '../optimization/cholesky.ts';
import type { CauseColumns } from './cause-columns.ts';

/** What a fit says of the two groups, in errors per word. */
export interface FittedGap {
  readonly coefficients: Float64Array;
  readonly rates: { readonly group: number; readonly others: number };
  /** One for each cause. */
  readonly parts: Float64Array;
  readonly remainder: number;
}

/** No fit, with the rates as far as they exist. */
export interface NoFit {
  readonly reason: Reason;
  readonly rates: { readonly group: number | null; readonly others: number | null };
}

export interface GapModel {
  /** Their columns: the constant first, then the group, then those of the causes. */
  readonly rows: PoissonRows;
  /** 1 or 0 for each row. */
  readonly inGroup: Float64Array;
  readonly causes: readonly CauseColumns[];
}

/**
 * Fits the model to weighted rows and takes the gap apart.
 *
 * @param start coefficients of a fit to nearly the same rows; null: none
 */
export function fittedGap(model: GapModel, weights: Float64Array, start: Float64Array | null): FittedGap | NoFit {
  const { rows, inGroup, causes } = model;
  const { group, others } = groupRates(rows, inGroup, weights);
  const none = (reason: Reason): NoFit => ({ reason, rates: { group, others } });
  if (group === null || others === null) return none({ code: 'no-words-of-group' });
  if (group === 0 || others === 0) return none({ code: 'no-errors-of-group' });
  const beginning = start ?? new Float64Array(rows.size);
  if (start === null) {
    beginning[0] = Math.log(others);
    beginning[1] = Math.log(group / others);
  }
  const coefficients = weightedPoisson(rows, weights, beginning);
  if (coefficients === null) return none({ code: 'cause-where-no-errors' });
  let place = 2;
  const factors = causes.map(({ columns }) => {
    const logarithms = new Float64Array(inGroup.length);
    for (const column of columns) {
      const coefficient = coefficients[place++]!;
      for (let row = 0; row < logarithms.length; row++) logarithms[row]! += coefficient * column[row]!;
    }
    return logarithms.map(Math.exp);
  });
  const side = (wanted: number) => ({
    factors,
    weights: weights.map((weight, row) => (inGroup[row] === wanted ? weight * rows.words[row]! : 0)),
  });
  const logarithms = shapleyParts(side(1), side(0));
  const mean = logarithmicMean(group, others);
  return {
    coefficients,
    rates: { group, others },
    parts: logarithms.map((part) => part * mean),
    remainder: coefficients[1]! * mean,
  };
}

/** Errors per word of both groups; null where there are no words. */
export function groupRates(rows: PoissonRows, inGroup: Float64Array, weights: Float64Array): NoFit['rates'] {
  return { group: rateOf(rows, inGroup, weights, 1), others: rateOf(rows, inGroup, weights, 0) };
}

function rateOf(
  { errors, words }: PoissonRows,
  inGroup: Float64Array,
  weights: Float64Array,
  side: number,
): number | null {
  let [wrong, all] = [0, 0];
  for (let row = 0; row < errors.length; row++) {
    if (inGroup[row] !== side) continue;
    wrong += weights[row]! * errors[row]!;
    all += weights[row]! * words[row]!;
  }
  return all > 0 ? wrong / all : null;
}

/** What a difference of logarithms is multiplied by for the difference of the numbers. */
function logarithmicMean(first: number, second: number): number {
  const difference = Math.log(first / second);
  return Math.abs(difference) < 1e-9 ? second : (first - second) / difference;
}

/** Errors in words by row, with the columns that they may depend on. */
interface PoissonRows {
  readonly errors: Float64Array;
  readonly words: Float64Array;
  /** Row after row, `size` columns each. */
  readonly design: Float64Array;
  readonly size: number;
}

const maxRounds = 50;

/**
 * Coefficients of a log-linear model of errors per word that solve the Poisson score equations: consistent for rates whatever
 * the variance of the errors (C. Gourieroux, A. Monfort and A. Trognon, Econometrica 52, 1984). Newton's method with halved
 * steps. Null where it does not settle, as where a device has no error at all and its coefficient is infinite.
 *
 * @param weights how often each row counts; 0 leaves it out
 * @param start from where; those of a fit to nearly the same rows spare time
 */
function weightedPoisson(rows: PoissonRows, weights: Float64Array, start: Float64Array): Float64Array | null {
  const { size } = rows;
  let coefficients = start;
  for (let round = 0; round < maxRounds; round++) {
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

/** Rows of one of two groups: for each cause the factor by which it multiplies the error rate, and the words. */
interface GroupFactors {
  /** Causes by rows. */
  readonly factors: readonly Float64Array[];
  readonly weights: Float64Array;
}

/** More causes than this take too long: the number of sets doubles with each. */
export const maxCauses = 12;

/**
 * What each cause contributes to the logarithm of the ratio of two groups' mean error rates: the change when the cause is
 * moved from the values of the second group to those of the first, averaged over all orders in which the causes can be moved
 * (Shapley value; A. Shorrocks, "Decomposition procedures for distributional analysis", J. Economic Inequality 11, 2013). So no
 * order is preferred, and parts add up to the whole. Causes that were moved keep how they go together in the first group,
 * the others how they do in the second.
 *
 * @throws RangeError for more than 12 causes
 * @example
 * shapleyParts({ factors: [Float64Array.of(2)], weights: Float64Array.of(1) }, { factors: [Float64Array.of(1)], weights: Float64Array.of(1) })
 * // [0.693]: twice the errors
 */
export function shapleyParts(first: GroupFactors, second: GroupFactors): Float64Array {
  const causes = first.factors.length;
  if (causes > maxCauses) throw new RangeError(`expected at most ${maxCauses} causes, but got ${causes}`);
  const sets = 2 ** causes;
  const moved = logMeans(first);
  const rest = logMeans(second);
  const parts = new Float64Array(causes);
  const weights = orderShares(causes);
  for (let set = 0; set < sets; set++) {
    const size = bitCount(set);
    const value = moved[set]! + rest[sets - 1 - set]!;
    for (let cause = 0; cause < causes; cause++) {
      const inSet = (set >> cause) & 1;
      // A set counts as the end of moving a cause that is in it, and as the start of moving one that is not.
      parts[cause]! += inSet === 1 ? weights[size - 1]! * value : -weights[size]! * value;
    }
  }
  return parts;
}

/** For every set of causes (a bit for each) the logarithm of the mean product of their factors. */
function logMeans({ factors, weights }: GroupFactors): Float64Array {
  const sets = 2 ** factors.length;
  const sums = new Float64Array(sets);
  const products = new Float64Array(sets);
  for (let row = 0; row < weights.length; row++) {
    if (weights[row] === 0) continue;
    products[0] = weights[row]!;
    sums[0]! += products[0]!;
    for (let cause = 0, size = 1; cause < factors.length; cause++, size *= 2) {
      const factor = factors[cause]![row]!;
      for (let set = 0; set < size; set++) {
        const product = products[set]! * factor;
        products[size + set] = product;
        sums[size + set]! += product;
      }
    }
  }
  const all = sums[0]!;
  return sums.map((sum) => Math.log(sum / all));
}

/** In which share of all orders exactly a given set of so many others comes before a cause. */
function orderShares(causes: number): Float64Array {
  const shares = new Float64Array(Math.max(1, causes));
  let binomial = 1;
  for (let size = 0; size < causes; size++) {
    shares[size] = 1 / (causes * binomial);
    binomial = (binomial * (causes - 1 - size)) / (size + 1);
  }
  return shares;
}

function bitCount(set: number): number {
  let count = 0;
  for (let rest = set; rest > 0; rest &= rest - 1) count++;
  return count;
}
