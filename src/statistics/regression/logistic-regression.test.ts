// Expected values are scikit-learn 1.9.1's (LogisticRegression, newton-cholesky, tol 1e-14) on the same numbers, or an
// argument on paper.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { logisticChances, logisticRegression } from './logistic-regression.ts';
import { addTimesRows, sparseRows, takeRows, timesColumns } from './sparse-rows.ts';

const close = (actual: number, expected: number, tolerance: number) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);

/** Linear congruential numbers, so that another program can be given the same. */
function agreedData() {
  let state = 12345;
  const next = () => {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const outcomes: number[] = [];
  const rows = Array.from({ length: 60 }, () => {
    const row: [number, number][] = [];
    for (let column = 0; column < 8; column++) {
      if (next() < 0.4) row.push([column, Math.round((4 * next() - 2) * 1000) / 1000]);
    }
    const at = (column: number) => row.find(([index]) => index === column)?.[1] ?? 0;
    const score = at(0) - 1.5 * at(3) + 0.5 * at(5) - 1;
    outcomes.push(next() < 1 / (1 + Math.exp(-score)) ? 1 : 0);
    return row;
  });
  return { table: sparseRows(rows, 8), outcomes };
}

const published: readonly [penalty: number, intercept: number, coefficients: readonly number[]][] = [
  [
    0.1,
    -1.6549519263611596,
    [0.98892236, 0.00618307, -0.85059902, -2.20484693, -0.05137325, 0.14353997, 0.78475752, 0.12547114],
  ],
  [
    1,
    -1.4331384455722709,
    [0.61396424, 0.01903638, -0.56777106, -1.46453079, 0.00023868, 0.02647119, 0.60741481, 0.10728251],
  ],
  [
    20,
    -1.1949480714866267,
    [0.09723458, 0.00217267, -0.10175452, -0.2587605, 0.02694423, -0.00040149, 0.14132264, 0.01483053],
  ],
];

test('Coefficients are those of scikit-learn for weak and strong penalties, wherever the search begins.', () => {
  const { table, outcomes } = agreedData();
  for (const [penalty, intercept, coefficients] of published) {
    const start = { intercept: 3, coefficients: new Float64Array(8).fill(-2) };
    for (const options of [{ penalty }, { penalty, start }, { penalty: new Float64Array(8).fill(penalty) }]) {
      const fit = logisticRegression(table, outcomes, { ...options, tolerance: 1e-10 });
      assert.ok(fit.settled);
      close(fit.intercept, intercept, 1e-7);
      for (const [column, expected] of coefficients.entries()) close(fit.coefficients[column]!, expected, 2e-8);
    }
  }
});

test('Without a column that tells anything the chance is the share, for two of 210 as for half.', () => {
  for (const ones of [1, 2, 105, 209]) {
    const outcomes = Array.from({ length: 210 }, (_, row) => (row < ones ? 1 : 0));
    const table = sparseRows(
      outcomes.map(() => []),
      3,
    );
    const fit = logisticRegression(table, outcomes, { penalty: 1, tolerance: 1e-10 });
    assert.deepEqual([...fit.coefficients], [0, 0, 0]);
    close(logisticChances(table, fit)[0]!, ones / 210, 1e-9);
    close(fit.objective, -ones * Math.log(ones / 210) - (210 - ones) * Math.log(1 - ones / 210), 1e-8);
  }
});

test('A share counts as so many rows of either outcome.', () => {
  const { table } = agreedData();
  const shares = Array.from({ length: 60 }, (_, row) => [0, 0.25, 0.5, 1][row % 4]!);
  const four = takeRows(
    table,
    shares.flatMap((_, row) => [row, row, row, row]),
  );
  const outcomes = shares.flatMap((share) => [0, 1, 2, 3].map((part) => (part < 4 * share ? 1 : 0)));
  const parts = logisticRegression(four, outcomes, { penalty: 4, tolerance: 1e-10 });
  const fit = logisticRegression(table, shares, { penalty: 1, tolerance: 1e-10 });
  close(fit.intercept, parts.intercept, 1e-7);
  for (const [column, value] of fit.coefficients.entries()) close(value, parts.coefficients[column]!, 1e-7);
});

test('One column that tells all apart costs what the penalty says, by the equation of its gradient.', () => {
  // Rows (-1, 0) and (1, 1), as many each: intercept 0, and the coefficient b solves penalty * b = n / (1 + exp(b)).
  const count = 50;
  const outcomes = Array.from({ length: count }, (_, row) => row % 2);
  const table = sparseRows(
    outcomes.map((outcome) => [[0, 2 * outcome - 1]]),
    1,
  );
  for (const penalty of [1e-3, 0.5, 100]) {
    const { intercept, coefficients } = logisticRegression(table, outcomes, { penalty, tolerance: 1e-12 });
    close(intercept, 0, 1e-9);
    close((penalty * coefficients[0]!) / (count / (1 + Math.exp(coefficients[0]!))), 1, 1e-6);
  }
});

test('The gradient vanishes with more columns than rows and penalties of each column, and big scores do not overflow.', () => {
  const random = createRandom('logistic');
  const rows = Array.from({ length: 40 }, () =>
    Array.from({ length: 300 }, (_, column) => column)
      .filter(() => random.integer(20) === 0)
      .map((column) => [column, 30 * random.normal()] as const),
  );
  const outcomes = rows.map(() => random.integer(2));
  const table = sparseRows(rows, 300);
  const penalty = Float64Array.from({ length: 300 }, () => 0.01 + random.next());
  const { intercept, coefficients, settled } = logisticRegression(table, outcomes, { penalty, tolerance: 1e-9 });
  assert.ok(settled);
  const chances = logisticChances(table, { intercept, coefficients });
  const gradient = coefficients.map((value, column) => value * penalty[column]!);
  addTimesRows(
    table,
    chances.map((chance, row) => chance - outcomes[row]!),
    gradient,
  );
  for (const slope of gradient) close(slope, 0, 1e-5);
  close(
    chances.reduce((sum, chance, row) => sum + chance - outcomes[row]!, 0),
    0,
    1e-5,
  );
});

test('What cannot be fitted is refused, and what is given is not changed.', () => {
  const table = sparseRows([[[0, 1]], [[1, 2]]], 2);
  assert.throws(() => logisticRegression(table, [1, 1], { penalty: 1 }), /outcomes that differ, but all of 2 are 1/);
  assert.throws(() => logisticRegression(table, [0, 2], { penalty: 1 }), /from 0 to 1, got 2/);
  assert.throws(() => logisticRegression(table, [0], { penalty: 1 }), /expected 2 outcomes/);
  assert.throws(() => logisticRegression(table, [0, 1], { penalty: 0 }), /penalty greater than 0/);
  const start = { intercept: 1, coefficients: Float64Array.of(5, 5) };
  logisticRegression(table, [0, 1], { penalty: 1, start });
  assert.deepEqual(start.coefficients, Float64Array.of(5, 5));
});

test('Sparse rows are multiplied and taken as the full table would be, and refuse what is no table.', () => {
  const table = sparseRows(
    [
      [[2, 3]],
      [],
      [
        [0, 1],
        [1, -2],
      ],
    ],
    3,
  );
  const inRows = new Float64Array(3);
  timesColumns(table, Float64Array.of(1, 10, 100), 7, inRows);
  assert.deepEqual([...inRows], [307, 7, -12]);
  const inColumns = Float64Array.of(1, 1, 1);
  addTimesRows(table, Float64Array.of(2, 9, 5), inColumns);
  assert.deepEqual([...inColumns], [6, -9, 7]);
  assert.deepEqual(
    takeRows(table, [2, 0, 2]),
    sparseRows(
      [
        [
          [0, 1],
          [1, -2],
        ],
        [[2, 3]],
        [
          [0, 1],
          [1, -2],
        ],
      ],
      3,
    ),
  );
  assert.throws(() => sparseRows([[[3, 1]]], 3), RangeError);
  assert.throws(
    () =>
      sparseRows(
        [
          [
            [1, 1],
            [1, 2],
          ],
        ],
        3,
      ),
    RangeError,
  );
  assert.throws(() => sparseRows([[[1, Number.NaN]]], 3), RangeError);
});
