// Inputs that tell little or nothing: no value, one speaker, one group, all ties, all zeros. What is expected is the promise
// itself: a finite number, or null with a reason.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as statistics from './statistics.ts';

const random = () => statistics.createRandom('edges');
const edges: Readonly<Record<string, readonly number[]>> = {
  nothing: [],
  'one value': [3],
  'one zero': [0],
  'two values': [1, 2],
  'all ties': new Array(12).fill(4),
  'all zeros': new Array(12).fill(0),
  'one odd value': [...new Array(11).fill(0), 9],
};

/** Every number within is finite, and where the first or an end is null a reason stands beside it. */
function requireDefined(result: unknown, where: string): void {
  if (typeof result === 'number') assert.ok(Number.isFinite(result), `${where}: ${result}`);
  if (result === null || typeof result !== 'object' || ArrayBuffer.isView(result)) return;
  const fields = result as Record<string, unknown>;
  for (const key of ['value', 'low', 'high', 'pValue']) {
    if (fields[key] === null) assert.ok(fields.reason, `${where}: ${key} is null without a reason`);
  }
  for (const [key, field] of Object.entries(fields)) requireDefined(field, `${where}, ${key}`);
}

const ofOne: Readonly<Record<string, (values: Float64Array) => unknown>> = {
  bootstrapInterval: (values) => statistics.bootstrapInterval(values, 'mean', { random: random(), resamples: 200 }),
  pairedTTest: (values) => statistics.pairedTTest(values),
  signFlipTest: (values) => statistics.signFlipTest(values, { random: random(), permutations: 200 }),
  wilcoxonSignedRank: (values) => statistics.wilcoxonSignedRank(values),
  'wilcoxonSignedRank, zeros split': (values) => statistics.wilcoxonSignedRank(values, { zeros: 'split' }),
  signTest: (values) => statistics.signTest(values),
  klToUniform: (values) => statistics.klToUniform([...values]),
  krippendorffAlphaInterval: (values) =>
    statistics.krippendorffAlphaInterval([[...values], [...values]], 'ordinal', { random: random(), resamples: 200 }),
};

const ofTwo: Readonly<Record<string, (first: Float64Array, second: Float64Array) => unknown>> = {
  welchTTest: (first, second) => statistics.welchTTest(first, second),
  studentTTest: (first, second) => statistics.studentTTest(first, second),
  permutationTestOfMeans: (first, second) =>
    statistics.permutationTestOfMeans(first, second, { random: random(), permutations: 200 }),
};

test('Any statistic of little or nothing is a finite number, or null with a reason.', () => {
  for (const [edge, values] of Object.entries(edges)) {
    for (const [name, statistic] of Object.entries(ofOne)) {
      requireDefined(statistic(Float64Array.from(values)), `${name} of ${edge}`);
    }
    for (const [other, others] of Object.entries(edges)) {
      for (const [name, statistic] of Object.entries(ofTwo)) {
        requireDefined(
          statistic(Float64Array.from(values), Float64Array.from(others)),
          `${name} of ${edge} and ${other}`,
        );
      }
    }
  }
});

test('Values near the ends of what a number holds give a finite number, null with a reason, or are refused in a sentence.', () => {
  const ends: readonly (readonly number[])[] = [
    [1e300, -1e300, 1e308],
    [5e-324, 1e-300, 0],
    [1e-160, 2e-160, 4e-160],
    [1e150, -1e150, 1e149],
    [1e-300, 1e300, 1],
  ];
  const robust = (first: Float64Array, second: Float64Array) =>
    statistics.huberRegression({ response: first, predictors: { other: second } });
  const pairs = { ...ofTwo, robust };
  const tried = (where: string, result: () => unknown) => {
    try {
      requireDefined(result(), where);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      assert.match(error.message, /^expected .* but /);
    }
  };
  for (const values of ends) {
    for (const [name, statistic] of Object.entries(ofOne)) {
      tried(`${name} of ${values}`, () => statistic(Float64Array.from(values)));
    }
    for (const others of ends) {
      for (const [name, statistic] of Object.entries(pairs)) {
        tried(`${name} of ${values} and ${others}`, () =>
          statistic(Float64Array.from(values), Float64Array.from(others)),
        );
      }
    }
  }
  // Student's formula in another unit: means 2 and 5, variances 1, five degrees of freedom less one by Satterthwaite.
  const inUnits = (unit: number) =>
    statistics.welchTTest([1 * unit, 2 * unit, 3 * unit], [4 * unit, 5 * unit, 6 * unit]);
  for (const unit of [1e-100, 1, 1e100, 1e149]) {
    assert.ok(Math.abs(inUnits(unit).degreesOfFreedom! - 4) < 1e-9, `${unit}`);
  }
});

test('Rates of speakers, and what compares two of them, are so at the same edges, as proportions and otherwise.', () => {
  for (const [edge, values] of Object.entries(edges)) {
    for (const words of [0, 9]) {
      for (const proportion of [true, false]) {
        const counts = (errors: readonly number[]) => ({
          numerators: Float64Array.from(errors, (error) => Math.min(error, words)),
          denominators: new Float64Array(errors.length).fill(words),
          proportion,
        });
        const where = `${edge} of ${words}, ${proportion ? 'proportion' : 'rate'}`;
        const [mine, none] = [counts(values), counts(values.map(() => 0))];
        for (const method of [undefined, 'BCa', 'percentile'] as const) {
          const options = { random: random(), resamples: 200, ...(method && { method }) };
          requireDefined(statistics.rateInterval(mine, options), `rate of ${where}`);
          for (const clusters of ['shared', 'separate'] as const) {
            const compared = { ...options, clusters };
            requireDefined(statistics.differenceInterval(none, mine, compared), `difference of ${where}`);
            requireDefined(statistics.logRatioInterval(none, mine, compared), `log ratio of ${where}`);
          }
        }
        requireDefined(statistics.pairedPermutationTest(none, mine, { random: random() }), `paired test of ${where}`);
        requireDefined(statistics.permutationTestOfRates(none, mine, { random: random() }), `test of ${where}`);
        requireDefined(statistics.rateContrast([{ counts: mine, weight: 1 }]), `contrast of ${where}`);
      }
    }
  }
});
