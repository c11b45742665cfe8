import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { golden } from '../../base/testing/golden.ts';
import { reasonText } from '../../model/reason.ts';
import { designMatrix } from './design-matrix.ts';
import { huberRegression } from './huber-regression.ts';

const folder = golden('statistics/');
// biome-ignore lint/suspicious/noExplicitAny: the golden files are read as they are
const load = (name: string): any => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
const data = load('data.json')?.regression;
const python = load('python.json')?.regression;
const r = load('r.json')?.regression;
const close = (actual: number | null, expected: number, tolerance: number, where = '') =>
  assert.ok(actual !== null && Math.abs(actual - expected) <= tolerance, `${where}: ${actual} is not ${expected}`);

test('Huber’s estimates are those of MASS and statsmodels, by the convention of each.', () => {
  for (const [name, [x, y]] of Object.entries<[number[], number[]]>(data)) {
    const mass = huberRegression({ response: y, predictors: { x } });
    const { coef, se, scale } = r[name].rlm_huber_mad;
    const models = huberRegression({ response: y, predictors: { x } }, { convention: 'statsmodels' });
    const golden = python[name]['huber_mad_1.345'];
    for (const place of [0, 1]) {
      close(mass.coefficients[place]!.estimate.value, coef[place], 1e-9, name);
      close(mass.coefficients[place]!.standardError, se[place], 1e-9, name);
      close(models.coefficients[place]!.estimate.value, golden.params_intercept_slope[place], 1e-9, name);
      close(models.coefficients[place]!.standardError, golden.bse[place], 1e-9, name);
    }
    close(mass.scale, scale, 1e-9, name);
    close(models.scale, golden.scale, 1e-9, name);
    assert.equal(models.weights.filter((weight) => weight < 1).length, golden.weights_below_1);
  }
});

// Invented numbers; R 4.2.2 with MASS (rlm) and statsmodels (RLM) 0.15.0.
test('Fifteen rows with one outlier have the lines of R and statsmodels.', () => {
  const x = [8.91, 2.55, 4.33, 9.34, 9.34, 4.79, 1.18, 6.34, 0.19, 8.23, 5.51, 9.07, 9.66, 6.35, 5.08];
  const y = [0.999, 5.563, 3.819, 12.989, 1.732, 3.404, 5.176, 2.862, 4.507, 1.661, 2.388, 1.133, 1.507, 2.068, 2.75];
  const mass = huberRegression({ response: y, predictors: { x } });
  close(mass.coefficients[1]!.estimate.value, -0.409542632820409, 1e-9);
  close(mass.coefficients[1]!.standardError, 0.053265089338299, 1e-9);
  const models = huberRegression({ response: y, predictors: { x } }, { convention: 'statsmodels' });
  close(models.coefficients[1]!.estimate.value, -0.409542674018618, 1e-9);
  close(models.coefficients[1]!.standardError, 0.0531891990922332, 1e-9);
});

test('One outlier beside rows on a line does not move the line; the scale is 0 then, and there is no interval.', () => {
  const x = [8.91, 2.55, 4.33, 9.34, 9.34, 4.79, 1.18, 6.34, 0.19, 8.23, 5.51, 9.07, 9.66];
  const y = x.map((value, row) => 5 - 0.4 * value + (row === 3 ? 12 : 0));
  const line = huberRegression({ response: y, predictors: { x } });
  close(line.coefficients[1]!.estimate.value, -0.4, 1e-9);
  close(line.coefficients[0]!.estimate.value, 5, 1e-9);
  assert.match(reasonText(line.coefficients[1]!.estimate.reason!), /exactly on the line/);
});

test('Slow iterations are followed to their end.', () => {
  const x = [4.557, 0.467, 8.658, 7.564, 9.53, 7.384, 5.144, 5.205];
  const y = [1.333, 2.36, 5.768, 4.346, 6.932, 4.888, 3.062, 1.067];
  const line = huberRegression({ response: y, predictors: { x } });
  assert.equal(line.reason, undefined);
  const residuals = x.map((value, row) => {
    const [intercept, slope] = line.coefficients.map((coefficient) => coefficient.estimate.value!);
    return y[row]! - intercept! - slope! * value;
  });
  // What Huber's estimate solves, in units of the scale.
  const pull = residuals.map((residual) => Math.max(-1.345, Math.min(1.345, residual / line.scale!)));
  close(
    pull.reduce((sum, value) => sum + value, 0),
    0,
    1e-8,
  );
  close(
    pull.reduce((sum, value, row) => sum + value * x[row]!, 0),
    0,
    1e-8,
  );
});

test('Without outliers beyond the tuning constant Huber’s estimate is that of least squares.', () => {
  const x = [0, 1, 2, 3, 4, 5];
  const y = [1, 2, 2, 4, 5, 5];
  const line = huberRegression({ response: y, predictors: { x } }, { tuning: 100 });
  close(line.coefficients[1]!.estimate.value, 15.5 / 17.5, 1e-9);
  // Residual sum of squares over n - 2, over the squares of x.
  const squares = 14.833333333333334 - 15.5 ** 2 / 17.5;
  close(line.coefficients[1]!.standardError, Math.sqrt(squares / 4 / 17.5), 1e-9);
});

test('Factors and covariates have named columns, the reference first.', () => {
  const predictors = { group: ['b', 'a', 'c', 'a'], snrDb: [0, 5, 10, 20] };
  const columns = designMatrix(predictors, { references: { group: 'b' } }).columns;
  assert.deepEqual(
    columns.map((column) => column.name),
    ['(intercept)', 'group: a', 'group: c', 'snrDb'],
  );
  assert.deepEqual([...columns[1]!.values], [0, 1, 0, 1]);
  assert.equal(columns[1]!.reference, 'b');
  assert.throws(() => designMatrix(predictors, { references: { group: 'd' } }), RangeError);
  assert.throws(() => designMatrix(predictors, { references: { snrDb: '0' } }), RangeError);
  assert.throws(() => designMatrix({ group: ['a', undefined as unknown as string] }), RangeError);
  assert.throws(() => designMatrix({ group: ['a', 'b'], snrDb: [1] }), RangeError);
});

test('Lines through too little are null with a reason.', () => {
  assert.match(reasonText(huberRegression({ response: [1], predictors: { x: [1] } }).reason!), /at least as many rows/);
  assert.match(reasonText(huberRegression({ response: [1, 2, 3], predictors: { x: [4, 4, 4] } }).reason!), /collinear/);
  const two = huberRegression({ response: [1, 3], predictors: { x: [0, 1] } });
  close(two.coefficients[1]!.estimate.value, 2, 1e-12);
  assert.equal(two.coefficients[1]!.estimate.low, null);
});

test('Equal responses have slope 0; faults of the caller are range errors.', () => {
  close(
    huberRegression({ response: [5, 5, 5], predictors: { x: [1, 2, 3] } }).coefficients[1]!.estimate.value,
    0,
    1e-12,
  );
  assert.throws(() => huberRegression({ response: [1, Number.NaN], predictors: {} }), RangeError);
  assert.throws(() => huberRegression({ response: [1, 2], predictors: {} }, { tuning: 0 }), RangeError);
});

test('As many rows as coefficients leave a line and no interval, and it says why.', () => {
  const { coefficients } = huberRegression({ response: [1, 3], predictors: { x: [0, 1] } });
  const { value, low, reason } = coefficients[1]!.estimate;
  assert.ok(Math.abs(value! - 2) < 1e-9);
  assert.deepEqual([low, reason], [null, { code: 'no-freedom' }]);
});
