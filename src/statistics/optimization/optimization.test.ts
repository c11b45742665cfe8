import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chiSquareUpperTail } from '../distributions.ts';
import { gaussHermite } from '../mixed-models/gauss-hermite.ts';
import { cholesky, choleskyInverse, choleskySolve } from './cholesky.ts';
import { findRoot, profileLimits } from './find-root.ts';
import { hessianFromGradient, minimizeBfgs } from './minimize-bfgs.ts';

const close = (actual: number, expected: number, tolerance: number) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);

const rosenbrock = (point: Float64Array, gradient: Float64Array) => {
  const [x, y] = [point[0]!, point[1]!];
  gradient[0] = -400 * x * (y - x * x) - 2 * (1 - x);
  gradient[1] = 200 * (y - x * x);
  return 100 * (y - x * x) ** 2 + (1 - x) ** 2;
};

test('The valley of Rosenbrock’s function is followed to its end, and its second derivatives are found there.', () => {
  const minimum = minimizeBfgs(rosenbrock, Float64Array.of(-1.2, 1), Float64Array.of(1, 0, 0, 1));
  assert.ok(minimum.settled);
  close(minimum.point[0]!, 1, 1e-5);
  const hessian = hessianFromGradient(rosenbrock, Float64Array.of(1, 1), Float64Array.of(1e-4, 1e-4));
  [802, -400, -400, 200].forEach((value, place) => {
    close(hessian[place]!, value, 1e-4);
  });
});

test('A function without a minimum does not settle.', () => {
  const falling = (point: Float64Array, gradient: Float64Array) => {
    gradient[0] = -1;
    return -point[0]!;
  };
  assert.equal(minimizeBfgs(falling, Float64Array.of(0), Float64Array.of(1)).settled, false);
});

test('A positive definite matrix is solved and inverted; others have no factor.', () => {
  const factor = cholesky(Float64Array.of(4, 2, 2, 5), 2)!;
  assert.deepEqual([...factor.lower], [2, 0, 1, 2]);
  assert.deepEqual([...choleskySolve(factor, [8, 12])], [1, 2]);
  choleskyInverse(factor).forEach((value, place) => {
    close(value, [5, -2, -2, 4][place]! / 16, 1e-15);
  });
  assert.equal(cholesky(Float64Array.of(1, 2, 2, 4), 2), null);
  assert.equal(cholesky(Float64Array.of(Number.NaN), 1), null);
});

test('Roots are found to the last digits; without a change of sign there is none.', () => {
  close(
    findRoot((x) => Math.cos(x) - x, 0, 1),
    0.7390851332151607,
    1e-12,
  );
  assert.ok(Number.isNaN(findRoot((x) => x * x + 1, -1, 1)));
});

test('A rule of n points has the normal moments up to order 2 n - 1.', () => {
  for (const points of [1, 2, 9, 25, 50]) {
    const { nodes, weights } = gaussHermite(points);
    let moment = 1;
    for (let order = 0; order < 2 * points && order <= 12; order += 2) {
      const sum = nodes.reduce((total, node, place) => total + weights[place]! * node ** order, 0);
      close(sum / moment, 1, 1e-12);
      moment *= order + 1;
    }
  }
  assert.throws(() => gaussHermite(0), RangeError);
});

// scipy 1.17.1, chi2.sf
test('Upper tails of chi-square are scipy’s.', () => {
  close(chiSquareUpperTail(3.841458820694124, 1), 0.05, 1e-15);
  close(chiSquareUpperTail(5.991464547107979, 2), 0.05, 1e-15);
  close(chiSquareUpperTail(10, 5) / 0.07523524614651216, 1, 1e-12);
  close(chiSquareUpperTail(700, 1000) / 0.9999999999999711, 1, 1e-12);
  close(chiSquareUpperTail(1500, 1000) / 1.0454640385980825e-22, 1, 1e-9);
  assert.equal(chiSquareUpperTail(0, 3), 1);
});

test('A profile interval of a normal likelihood is the mean plus and minus 1.96 errors, and nothing at or below the bound is asked.', () => {
  const asked: number[] = [];
  const normal = (parameter: number) => {
    asked.push(parameter);
    return -((parameter - 3) ** 2) / 8;
  };
  const root = 1.959963984540054;
  const free = profileLimits(normal, { parameter: 3, logLikelihood: 0, error: 2 }, root);
  assert.ok(Math.abs(free.low! - (3 - 2 * root)) < 1e-5 && Math.abs(free.high! - (3 + 2 * root)) < 1e-5);
  asked.length = 0;
  const bounded = profileLimits(normal, { parameter: 3, logLikelihood: 0, error: 2 }, root, { least: 0 });
  assert.equal(bounded.low, null, 'at 0 the likelihood is still within');
  assert.ok(Math.abs(bounded.high! - (3 + 2 * root)) < 1e-5);
  assert.ok(asked.every((parameter) => parameter > 0));
});
