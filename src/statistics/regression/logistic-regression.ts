import { addTimesRows, type SparseRows, timesColumns } from './sparse-rows.ts';

export interface LogisticOptions {
  /**
   * What a coefficient costs: half of this times its square is added to the negative log-likelihood. One number for all
   * columns, or one for each; greater than 0. The intercept costs nothing.
   */
  readonly penalty: number | Float64Array;
  /** Added to the score of each row, as a coefficient of 1 that is not fitted; none by default. */
  readonly offsets?: Float64Array;
  /** Coefficients to begin at, such as those of a near penalty; all 0 by default. Saves time, changes nothing. */
  readonly start?: Pick<LogisticFit, 'intercept' | 'coefficients'>;
  /** Ends where the gradient is so many times shorter than at zero coefficients. Default 1e-6. */
  readonly tolerance?: number;
}

/** Coefficients of a logistic regression. */
export interface LogisticFit {
  readonly intercept: number;
  readonly coefficients: Float64Array;
  /** Negative log-likelihood (natural logarithm) with the penalty. */
  readonly objective: number;
  /** Whether the tolerance was reached. */
  readonly settled: boolean;
}

const maxSteps = 100;

/**
 * Logistic regression with a ridge penalty (S. le Cessie and J. van Houwelingen, "Ridge estimators in logistic regression",
 * Applied Statistics 41, 1992): the chance of the outcome 1 is 1 / (1 + exp(-(intercept + coefficients * row))). The minimum
 * is unique, and found by Newton's steps, each solved by conjugate gradients only as far as it helps (C.-J. Lin, R. Weng and
 * S. Keerthi, "Trust region Newton method for large-scale logistic regression", Journal of Machine Learning Research 9, 2008,
 * with their preconditioner of the diagonal and, in place of a region, a step that is halved until it gains). Time grows as the number of
 * values that are not 0; no matrix of columns by columns is made.
 *
 * scikit-learn's LogisticRegression with C = 1 / penalty gives the same.
 *
 * @param outcomes 0 or 1 for each row, or a share between them, as of trials that succeeded; not all 0 nor all 1, otherwise the
 *   intercept has no end
 * @throws RangeError for outcomes outside, all 0 or all 1, or not one for each row; for a penalty of 0 or less
 * @example
 * logisticRegression(sparseRows([[], [[0, 1]], [], [[0, 1]]], 1), [0, 1, 1, 1], { penalty: 1 }).intercept
 */
export function logisticRegression(
  table: SparseRows,
  outcomes: ArrayLike<number>,
  { penalty, offsets, start, tolerance = 1e-6 }: LogisticOptions,
): LogisticFit {
  const { rows, columns } = table;
  const penalties = typeof penalty === 'number' ? new Float64Array(columns).fill(penalty) : penalty;
  check(table, outcomes, penalties, offsets);
  // The intercept is the last parameter.
  const size = columns + 1;
  let point = new Float64Array(size);
  if (start !== undefined) {
    point.set(start.coefficients);
    point[columns] = start.intercept;
  }
  const scores = new Float64Array(rows);
  const residuals = new Float64Array(rows);
  const weights = new Float64Array(rows);
  const gradient = new Float64Array(size);

  const evaluate = (at: Float64Array): number => {
    timesColumns(table, at, at[columns]!, scores);
    if (offsets !== undefined) for (let row = 0; row < rows; row++) scores[row]! += offsets[row]!;
    let value = 0;
    for (let column = 0; column < columns; column++) value += (penalties[column]! * at[column]! ** 2) / 2;
    for (let row = 0; row < rows; row++) value += logisticLoss(scores[row]!, outcomes[row]!);
    return value;
  };
  /** From the scores of the last evaluation. */
  const differentiate = (at: Float64Array) => {
    let sum = 0;
    for (let row = 0; row < rows; row++) {
      const chance = logistic(scores[row]!);
      residuals[row] = chance - outcomes[row]!;
      weights[row] = chance * (1 - chance);
      sum += residuals[row]!;
    }
    for (let column = 0; column < columns; column++) gradient[column] = penalties[column]! * at[column]!;
    gradient[columns] = sum;
    addTimesRows(table, residuals, gradient);
  };

  const zero = new Float64Array(size);
  evaluate(zero);
  differentiate(zero);
  const target = tolerance * lengthOf(gradient);
  let value = evaluate(point);
  differentiate(point);

  for (let step = 0; step < maxSteps; step++) {
    const steepness = lengthOf(gradient);
    if (steepness <= target) return { ...parametersOf(point), objective: value, settled: true };
    // Solved more exactly near the end, so that the steps become Newton's own.
    const precision = Math.min(0.3, Math.sqrt(steepness / Math.max(lengthOf(point), 1)));
    const direction = newtonDirection({ table, penalties, weights, gradient, precision });
    const slope = scalarProduct(direction, gradient);
    let length = 1;
    let next = moved(point, direction, length);
    let nextValue = evaluate(next);
    while (!(nextValue <= value + 1e-4 * length * slope) && length > 1e-8) {
      length /= 2;
      next = moved(point, direction, length);
      nextValue = evaluate(next);
    }
    if (!(nextValue < value)) break;
    point = next;
    value = nextValue;
    differentiate(point);
  }
  // Where rounding hides what is left to gain, the minimum is reached as well as the numbers allow.
  return { ...parametersOf(point), objective: value, settled: lengthOf(gradient) <= Math.max(target, 1e-8) };
}

/**
 * The chances of the outcome 1.
 *
 * @example logisticChances(sparseRows([[[0, 2]]], 1), { intercept: -1, coefficients: Float64Array.of(0.5) })[0] // 0.5
 */
export function logisticChances(
  table: SparseRows,
  { intercept, coefficients }: Pick<LogisticFit, 'intercept' | 'coefficients'>,
): Float64Array {
  const scores = new Float64Array(table.rows);
  timesColumns(table, coefficients, intercept, scores);
  return scores.map(logistic);
}

interface NewtonSystem {
  readonly table: SparseRows;
  readonly penalties: Float64Array;
  readonly weights: Float64Array;
  readonly gradient: Float64Array;
  /** Ends where what is left is so many times shorter than the gradient. */
  readonly precision: number;
}

const maxConjugateSteps = 200;

/** Minus the inverse of the second derivatives times the gradient, by conjugate gradients. */
function newtonDirection({ table, penalties, weights, gradient, precision }: NewtonSystem): Float64Array {
  const { rows, columns, starts, indexes, values } = table;
  const size = columns + 1;
  const diagonal = new Float64Array(size);
  diagonal.set(penalties);
  for (let row = 0; row < rows; row++) {
    diagonal[columns]! += weights[row]!;
    for (let place = starts[row]!; place < starts[row + 1]!; place++) {
      diagonal[indexes[place]!]! += weights[row]! * values[place]! ** 2;
    }
  }
  if (diagonal[columns] === 0) diagonal[columns] = 1;

  const inRows = new Float64Array(rows);
  const timesHessian = (vector: Float64Array, into: Float64Array) => {
    timesColumns(table, vector, vector[columns]!, inRows);
    let sum = 0;
    for (let row = 0; row < rows; row++) {
      inRows[row]! *= weights[row]!;
      sum += inRows[row]!;
    }
    for (let column = 0; column < columns; column++) into[column] = penalties[column]! * vector[column]!;
    into[columns] = sum;
    addTimesRows(table, inRows, into);
  };

  const direction = new Float64Array(size);
  const left = gradient.map((slope) => -slope);
  const conditioned = left.map((part, index) => part / diagonal[index]!);
  const search = Float64Array.from(conditioned);
  const image = new Float64Array(size);
  let product = scalarProduct(left, conditioned);
  const enough = precision * lengthOf(gradient);
  for (let step = 0; step < maxConjugateSteps && lengthOf(left) > enough; step++) {
    timesHessian(search, image);
    const curvature = scalarProduct(search, image);
    if (!(curvature > 0)) break;
    const length = product / curvature;
    for (let index = 0; index < size; index++) {
      direction[index]! += length * search[index]!;
      left[index]! -= length * image[index]!;
      conditioned[index] = left[index]! / diagonal[index]!;
    }
    const nextProduct = scalarProduct(left, conditioned);
    const keep = nextProduct / product;
    product = nextProduct;
    for (let index = 0; index < size; index++) search[index] = conditioned[index]! + keep * search[index]!;
  }
  return direction;
}

function check(
  { rows, columns }: SparseRows,
  outcomes: ArrayLike<number>,
  penalties: Float64Array,
  offsets: Float64Array | undefined,
): void {
  if (outcomes.length !== rows || (offsets !== undefined && offsets.length !== rows)) {
    throw new RangeError(`expected ${rows} outcomes, one for each row, and as many offsets, got ${outcomes.length}`);
  }
  for (let row = 0; row < rows; row++) {
    if (!(outcomes[row]! >= 0 && outcomes[row]! <= 1)) {
      throw new RangeError(`expected outcomes from 0 to 1, got ${outcomes[row]}`);
    }
  }
  if (Array.prototype.every.call(outcomes, (outcome) => outcome === outcomes[0] && outcome % 1 === 0)) {
    throw new RangeError(`expected outcomes that differ, but all of ${rows} are ${outcomes[0]}`);
  }
  if (penalties.length !== columns || !penalties.every((value) => value > 0 && Number.isFinite(value))) {
    throw new RangeError(`expected a penalty greater than 0 for each of ${columns} columns`);
  }
}

function parametersOf(point: Float64Array) {
  return { intercept: point.at(-1)!, coefficients: point.slice(0, -1) };
}

function moved(point: Float64Array, direction: Float64Array, length: number): Float64Array<ArrayBuffer> {
  const next = new Float64Array(point.length);
  for (let index = 0; index < next.length; index++) next[index] = point[index]! + length * direction[index]!;
  return next;
}

function scalarProduct(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!;
  return sum;
}

function lengthOf(vector: Float64Array): number {
  return Math.sqrt(scalarProduct(vector, vector));
}

function logistic(score: number): number {
  return 1 / (1 + Math.exp(-score));
}

/** Negative log-likelihood of an outcome from 0 to 1 at a score, where the exponential does not overflow. */
function logisticLoss(score: number, outcome: number): number {
  return Math.max(score, 0) - outcome * score + Math.log1p(Math.exp(-Math.abs(score)));
}
