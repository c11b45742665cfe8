import { cholesky, choleskySolve } from '../optimization/cholesky.ts';

/** Coefficients of orthonormal columns that make the weighted sum of squared residuals least; null where there are none. */
export function weightedLeastSquares(
  columns: readonly Float64Array[],
  response: Float64Array,
  weights: Float64Array,
): Float64Array | null {
  const size = columns.length;
  const products = new Float64Array(size * size);
  const right = new Float64Array(size);
  for (let first = 0; first < size; first++) {
    const values = columns[first]!;
    for (let row = 0; row < response.length; row++) right[first]! += weights[row]! * values[row]! * response[row]!;
    for (let second = 0; second <= first; second++) {
      const others = columns[second]!;
      let sum = 0;
      for (let row = 0; row < response.length; row++) sum += weights[row]! * values[row]! * others[row]!;
      products[first * size + second] = sum;
      products[second * size + first] = sum;
    }
  }
  const factor = cholesky(products, size);
  return factor === null ? null : choleskySolve(factor, right);
}

/** What is left of the response. */
export function residualsOf(
  columns: readonly Float64Array[],
  response: Float64Array,
  coefficients: Float64Array,
): Float64Array<ArrayBuffer> {
  const residuals = Float64Array.from(response);
  columns.forEach((values, column) => {
    for (let row = 0; row < residuals.length; row++) residuals[row]! -= coefficients[column]! * values[row]!;
  });
  return residuals;
}
