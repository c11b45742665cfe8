import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { golden } from '../../base/testing/golden.ts';
import { proportionalAllocation, sampleSizeForProportion } from './sample-size.ts';

const folder = golden('statistics/');

function close(actual: number | null, expected: number, where: string, tolerance = 1e-9): void {
  const near = actual !== null && Math.abs(actual / expected - 1) < tolerance;
  assert.ok(near, `${where}: ${actual} is not ${expected}`);
}

test('Sample sizes are statsmodels’.', () => {
  const golden = JSON.parse(readFileSync(new URL('python.json', folder), 'utf8')).planning;
  for (const { p, half_width: halfWidth, confidence: level, ...sizes } of golden.samplesize_proportion) {
    const size = (population?: number) =>
      sampleSizeForProportion({ halfWidth, proportion: p, level, ...(population ? { population } : {}) });
    close(size().exact, sizes.n0_not_rounded, `${p}`);
    const finite: Record<string, number> = sizes['with_finite_population_by_hand (n0/(1+(n0-1)/N))'];
    for (const [population, exact] of Object.entries(finite)) {
      close(size(Number(population)).exact, exact, `${p} of ${population}`);
      assert.equal(size(Number(population)).count, Math.ceil(exact));
    }
  }
});

test('CrossASR’s sample of 395 is 385 spread over its 16 cells; with its finite population 380 would have done.', () => {
  assert.equal(sampleSizeForProportion({ halfWidth: 0.05, population: 33_618 }).count, 380);
  // Failed tests by synthesizer and recognizer (table V), and the sample by cell (table VI).
  const failed = [4036, 2539, 2202, 4795, 4510, 2436, 1911, 4214, 1819, 1229, 1035, 1908, 359, 326, 44, 335];
  const printed = [47, 30, 26, 55, 52, 28, 22, 51, 21, 15, 12, 22, 5, 4, 1, 4];
  const ours = proportionalAllocation(failed, sampleSizeForProportion({ halfWidth: 0.05 }).count);
  // One cell of the table, 51 of 4,214, has two more than its share.
  assert.deepEqual(ours.with(7, 51), printed);
  assert.equal(ours[7], 49);
  assert.equal(
    printed.reduce((sum, size) => sum + size),
    395,
  );
});

test('A sample never exceeds its population, and whole shares are not rounded up.', () => {
  // statsmodels: samplesize_confint_proportion(.5, .05) is 384.15.
  assert.equal(sampleSizeForProportion({ halfWidth: 0.05 }).count, 385);
  assert.equal(sampleSizeForProportion({ halfWidth: 0.05, population: 1 }).count, 1);
  assert.ok(sampleSizeForProportion({ halfWidth: 0.0001, population: 10 }).count <= 10);
  assert.deepEqual(proportionalAllocation([900, 90, 10, 0], 100), [90, 9, 1, 0]);
  assert.deepEqual(proportionalAllocation([], 5), []);
  assert.deepEqual(proportionalAllocation([0, 0], 5), [0, 0]);
  assert.throws(() => sampleSizeForProportion({ halfWidth: 0 }), RangeError);
  assert.throws(() => sampleSizeForProportion({ halfWidth: 0.1, population: 0.5 }), RangeError);
  assert.throws(() => proportionalAllocation([1.5], 5), RangeError);
});
