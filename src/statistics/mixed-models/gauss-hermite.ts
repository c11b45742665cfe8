/** Where and with what weight a function is taken for its mean over the standard normal distribution. */
export interface QuadratureRule {
  readonly nodes: Float64Array;
  /** They add up to 1. */
  readonly weights: Float64Array;
}

/**
 * The Gauss-Hermite rule for the standard normal density: exact means of polynomials of degree up to 2 x points - 1.
 * Nodes are the zeros of the Hermite polynomial, found by Newton's method between those of the polynomial before (they
 * interlace); weights from the Christoffel numbers (NIST Handbook, 3.5(v)).
 *
 * @param points 1 to 100
 * @throws RangeError for another number
 * @example gaussHermite(2) // nodes -1 and 1, weights .5
 */
export function gaussHermite(points: number): QuadratureRule {
  if (!(Number.isInteger(points) && points >= 1 && points <= 100)) {
    throw new RangeError(`expected 1 to 100 quadrature points, but got ${points}`);
  }
  let zeros = [0];
  for (let degree = 2; degree <= points; degree++) {
    const reach = 2 * Math.sqrt(degree) + 1;
    const bounds = [-reach, ...zeros, reach];
    zeros = Array.from({ length: degree }, (_, index) => zeroBetween(degree, bounds[index]!, bounds[index + 1]!));
  }
  const nodes = Float64Array.from(zeros);
  const weights = nodes.map((node) => 1 / squaredSum(points, node));
  return { nodes, weights };
}

/** The orthonormal Hermite polynomials of `degree` and of the degree before at x. */
function hermite(degree: number, x: number): { value: number; before: number } {
  let value = 1;
  let before = 0;
  for (let order = 1; order <= degree; order++) {
    const next = (x * value - Math.sqrt(order - 1) * before) / Math.sqrt(order);
    before = value;
    value = next;
  }
  return { value, before };
}

function zeroBetween(degree: number, low: number, high: number): number {
  let [left, right] = [low, high];
  const rising = hermite(degree, right).value > 0;
  let x = (left + right) / 2;
  for (let round = 0; round < 200; round++) {
    const { value, before } = hermite(degree, x);
    if (value > 0 === rising) right = x;
    else left = x;
    const newton = x - value / (Math.sqrt(degree) * before);
    const next = newton > left && newton < right ? newton : (left + right) / 2;
    if (Math.abs(next - x) <= 1e-15 * Math.abs(x) || next === x || Math.abs(next - x) < 1e-17) return next;
    x = next;
  }
  return x;
}

function squaredSum(points: number, x: number): number {
  let sum = 0;
  let value = 1;
  let before = 0;
  for (let order = 1; order <= points; order++) {
    sum += value * value;
    const next = (x * value - Math.sqrt(order - 1) * before) / Math.sqrt(order);
    before = value;
    value = next;
  }
  return sum;
}
