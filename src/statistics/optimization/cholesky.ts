/** A symmetric positive definite matrix taken apart: its lower triangle times that triangle's transpose. */
export interface Cholesky {
  readonly size: number;
  /** Row after row; above the diagonal 0. */
  readonly lower: Float64Array;
}

/**
 * The Cholesky factor of a symmetric matrix given row after row, or null where it is not positive definite: a pivot at or
 * below `tolerance` times its diagonal element counts as 0 (G. Golub and C. Van Loan, "Matrix computations", section 4.2).
 *
 * @example cholesky(Float64Array.of(4, 2, 2, 5), 2)!.lower // 2, 0, 1, 2
 */
export function cholesky(matrix: Float64Array, size: number, tolerance = 1e-13): Cholesky | null {
  const lower = new Float64Array(size * size);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let sum = matrix[row * size + column]!;
      for (let inner = 0; inner < column; inner++) sum -= lower[row * size + inner]! * lower[column * size + inner]!;
      if (column < row) {
        lower[row * size + column] = sum / lower[column * size + column]!;
      } else {
        if (!(sum > tolerance * Math.abs(matrix[row * size + row]!)) || sum === Number.POSITIVE_INFINITY) return null;
        lower[row * size + row] = Math.sqrt(sum);
      }
    }
  }
  return { size, lower };
}

/** The x with matrix x = right. */
export function choleskySolve(factor: Cholesky, right: ArrayLike<number>): Float64Array {
  const { size, lower } = factor;
  const solution = Float64Array.from(right);
  for (let row = 0; row < size; row++) {
    for (let inner = 0; inner < row; inner++) solution[row]! -= lower[row * size + inner]! * solution[inner]!;
    solution[row]! /= lower[row * size + row]!;
  }
  for (let row = size - 1; row >= 0; row--) {
    for (let inner = row + 1; inner < size; inner++) solution[row]! -= lower[inner * size + row]! * solution[inner]!;
    solution[row]! /= lower[row * size + row]!;
  }
  return solution;
}

/** The inverse of the matrix, row after row. */
export function choleskyInverse(factor: Cholesky): Float64Array {
  const { size } = factor;
  const inverse = new Float64Array(size * size);
  const unit = new Float64Array(size);
  for (let column = 0; column < size; column++) {
    unit.fill(0);
    unit[column] = 1;
    inverse.set(choleskySolve(factor, unit), column * size);
  }
  return inverse;
}
