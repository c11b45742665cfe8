const maxSteps = 300;

export interface Minimum {
  readonly point: Float64Array;
  readonly value: number;
  readonly gradient: Float64Array;
  /** Whether the expected further gain fell below the tolerance, or no step gained anything. */
  readonly settled: boolean;
}

/**
 * The minimum of a smooth function near a point, by the method of Broyden, Fletcher, Goldfarb and Shanno with a
 * backtracking search along each direction (J. Nocedal and S. Wright, "Numerical optimization", 2nd edition, algorithms
 * 3.1 and 6.1). Ends where half the squared length of the gradient in the metric of the inverse Hessian, which is the gain
 * to be expected, is below `tolerance`.
 *
 * @param inverseHessian a first guess, row after row; positive definite
 */
export function minimizeBfgs(
  objective: Objective,
  start: Float64Array,
  inverseHessian: Float64Array,
  { tolerance = 1e-12 }: { readonly tolerance?: number } = {},
): Minimum {
  const size = start.length;
  let point = Float64Array.from(start);
  let gradient = new Float64Array(size);
  let value = objective(point, gradient);
  let inverse = Float64Array.from(inverseHessian);
  if (!Number.isFinite(value)) return { point, value, gradient, settled: false };

  for (let step = 0; step < maxSteps; step++) {
    const direction = new Float64Array(size);
    let slope = descent(inverse, gradient, direction);
    if (!(slope < 0)) {
      if (gradient.every((part) => part === 0)) return { point, value, gradient, settled: true };
      inverse = Float64Array.from(inverseHessian);
      slope = descent(inverse, gradient, direction);
    }
    if (-slope / 2 < tolerance) return { point, value, gradient, settled: true };

    let length = 1;
    const next = new Float64Array(size);
    const nextGradient = new Float64Array(size);
    let nextValue = Number.NaN;
    for (let halving = 0; halving < 40; halving++, length *= halving < 3 ? 0.5 : 0.2) {
      for (let index = 0; index < size; index++) next[index] = point[index]! + length * direction[index]!;
      nextValue = objective(next, nextGradient);
      if (nextValue <= value + 1e-4 * length * slope) break;
    }
    // Where rounding hides the gain the minimum is reached as well as the numbers allow.
    if (!(nextValue <= value)) return { point, value, gradient, settled: -slope < 1e-6 };

    updateInverse(inverse, point, next, gradient, nextGradient);
    const gain = value - nextValue;
    point = next;
    gradient = nextGradient;
    value = nextValue;
    if (gain === 0 && -slope < 1e-6) return { point, value, gradient, settled: true };
  }
  return { point, value, gradient, settled: false };
}

/** Writes the direction of descent; answers the slope along it. */
function descent(inverse: Float64Array, gradient: Float64Array, direction: Float64Array): number {
  const size = gradient.length;
  let slope = 0;
  for (let row = 0; row < size; row++) {
    let sum = 0;
    for (let column = 0; column < size; column++) sum -= inverse[row * size + column]! * gradient[column]!;
    direction[row] = sum;
    slope += sum * gradient[row]!;
  }
  return slope;
}

/** Nocedal and Wright's formula 6.17, left out where the curvature along the step is not positive. */
function updateInverse(
  inverse: Float64Array,
  from: Float64Array,
  to: Float64Array,
  gradientFrom: Float64Array,
  gradientTo: Float64Array,
): void {
  const size = from.length;
  const step = to.map((value, index) => value - from[index]!);
  const change = gradientTo.map((value, index) => value - gradientFrom[index]!);
  let curvature = 0;
  for (let index = 0; index < size; index++) curvature += step[index]! * change[index]!;
  if (!(curvature > 1e-300)) return;
  const image = new Float64Array(size);
  let quadratic = 0;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) image[row]! += inverse[row * size + column]! * change[column]!;
    quadratic += image[row]! * change[row]!;
  }
  const factor = (1 + quadratic / curvature) / curvature;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      inverse[row * size + column]! +=
        factor * step[row]! * step[column]! - (image[row]! * step[column]! + step[row]! * image[column]!) / curvature;
    }
  }
}

/**
 * A function to be made small: answers its value at a point and writes its gradient. Not finite where it does not exist.
 * It must neither keep nor change `point`.
 */
export type Objective = (point: Float64Array, gradient: Float64Array) => number;

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
