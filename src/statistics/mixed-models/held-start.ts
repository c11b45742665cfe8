import { invertTriangle } from '../regression/design-matrix.ts';
import type { FittedCounts } from './fitted-counts.ts';

/** Where a search begins when some coefficients are held. */
export interface HeldStart {
  /** The point to expect, by the normal approximation at the maximum. */
  pointAt(values: ArrayLike<number>): Float64Array;
  readonly inverse: Float64Array;
}

/**
 * For a fit with some coefficients held: what the others are expected to be given these values, and their conditional
 * covariances, which are the inverse Hessian there. Null where the fit has no variances to go by (they are 0), so that the
 * held fit must be searched from afar.
 *
 * @param held places among the fitted columns, to be held
 * @param triangle of the other columns, made orthonormal by themselves
 */
export function heldStart(fitted: FittedCounts, held: readonly number[], triangle: Float64Array): HeldStart | null {
  const { fit, method, places } = fitted;
  const width = places.length;
  const expected = width + (method.rule === null ? 0 : 1) + (method.dispersion === null ? 1 : 0);
  if (fit.size !== expected) return null;
  const size = fit.size;
  // From orthonormal to given columns; spread and root of the dispersion stay.
  const back = identityFrom(invertTriangle(fitted.triangle, width), width, size);
  const covariance = sandwich(back, fit.covariance, size, size);
  const point = new Float64Array(size);
  for (let row = 0; row < width; row++) {
    for (let column = 0; column < width; column++) {
      point[row]! += back[row * size + column]! * fit.coefficients[column]!;
    }
  }
  let place = width;
  if (method.rule !== null) point[place++] = fit.spread;
  if (method.dispersion === null) point[place] = Math.sqrt(fit.dispersion);

  // Taken out one after another: what is known of each held one is subtracted from the others' covariances.
  const pulls: { readonly index: number; readonly pull: Float64Array }[] = [];
  for (const index of held) {
    const variance = covariance[index * size + index]!;
    const pull = Float64Array.from({ length: size }, (_, other) => covariance[other * size + index]! / variance);
    for (let row = 0; row < size; row++) {
      for (let column = 0; column < size; column++) {
        covariance[row * size + column]! -= pull[row]! * pull[column]! * variance;
      }
    }
    pulls.push({ index, pull });
  }
  const others = Array.from({ length: size }, (_, index) => index).filter((index) => !held.includes(index));
  const rest = others.length;
  const conditional = new Float64Array(rest * rest);
  others.forEach((first, row) => {
    others.forEach((second, column) => {
      conditional[row * rest + column] = covariance[first * size + second]!;
    });
  });
  const forth = identityFrom(triangle, width - held.length, rest);
  return {
    pointAt(values) {
      const moved = Float64Array.from(point);
      pulls.forEach(({ index, pull }, order) => {
        const change = values[order]! - moved[index]!;
        for (let other = 0; other < size; other++) moved[other]! += pull[other]! * change;
      });
      const given = others.map((index) => moved[index]!);
      return Float64Array.from({ length: rest }, (_, row) =>
        given.reduce((sum, value, column) => sum + forth[row * rest + column]! * value, 0),
      );
    },
    inverse: sandwich(forth, conditional, rest, rest),
  };
}

/** A matrix in the upper left corner of an identity. */
function identityFrom(matrix: Float64Array, width: number, size: number): Float64Array {
  const whole = new Float64Array(size * size);
  for (let row = 0; row < size; row++) {
    if (row >= width) whole[row * size + row] = 1;
    else for (let column = 0; column < width; column++) whole[row * size + column] = matrix[row * width + column]!;
  }
  return whole;
}

/** matrix x inner x its transpose. */
function sandwich(matrix: Float64Array, inner: Float64Array, rows: number, size: number): Float64Array {
  const product = new Float64Array(rows * size);
  const result = new Float64Array(rows * rows);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < size; column++) {
      for (let middle = 0; middle < size; middle++) {
        product[row * size + column]! += matrix[row * size + middle]! * inner[middle * size + column]!;
      }
    }
  }
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < rows; column++) {
      for (let middle = 0; middle < size; middle++) {
        result[row * rows + column]! += product[row * size + middle]! * matrix[column * size + middle]!;
      }
    }
  }
  return result;
}
