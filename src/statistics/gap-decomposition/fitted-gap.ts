import type { CauseColumns } from './cause-columns.ts';
import { shapleyParts } from './shapley-parts.ts';
import { type PoissonRows, weightedPoisson } from './weighted-poisson.ts';

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
  readonly reason: string;
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
  const none = (reason: string): NoFit => ({ reason, rates: { group, others } });
  if (group === null || others === null) return none('one of the two groups has no words');
  if (group === 0 || others === 0) {
    return none('one of the two groups has no errors, so that there is no ratio to take apart');
  }
  const beginning = start ?? new Float64Array(rows.size);
  if (start === null) {
    beginning[0] = Math.log(others);
    beginning[1] = Math.log(group / others);
  }
  const coefficients = weightedPoisson(rows, weights, beginning);
  if (coefficients === null) {
    return none('the regression has no solution: some cause is found only where nobody, or nearly nobody, has errors');
  }
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
