import type { Objective } from './objective.ts';

/**
 * The second derivatives of a function, row after row, from central differences of its gradient, with error of the order
 * of the squared step; made symmetric.
 *
 * @param steps how far to go along each coordinate
 */
export function hessianFromGradient(objective: Objective, point: Float64Array, steps: Float64Array): Float64Array {
  const size = point.length;
  const hessian = new Float64Array(size * size);
  const moved = Float64Array.from(point);
  const above = new Float64Array(size);
  const below = new Float64Array(size);
  for (let row = 0; row < size; row++) {
    const step = steps[row]!;
    moved[row] = point[row]! + step;
    objective(moved, above);
    moved[row] = point[row]! - step;
    objective(moved, below);
    moved[row] = point[row]!;
    for (let column = 0; column < size; column++) {
      const half = (above[column]! - below[column]!) / (4 * step);
      hessian[row * size + column]! += half;
      hessian[column * size + row]! += half;
    }
  }
  return hessian;
}
