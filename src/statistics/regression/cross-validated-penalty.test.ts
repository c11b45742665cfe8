import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { crossValidatedPenalty } from './cross-validated-penalty.ts';
import { sparseRows } from './sparse-rows.ts';

const penaltiesOf = (columns: number) => [1e4, 100, 1, 0.01].map((value) => new Float64Array(columns).fill(value));

/** Rows of random columns, of which the first tells the outcome as strongly as it is said. */
function rowsWith(strength: number, rows: number, columns: number, seed: number) {
  const random = createRandom(['rows', seed]);
  const outcomes: number[] = [];
  const table = sparseRows(
    Array.from({ length: rows }, () => {
      const values = Array.from({ length: columns }, () => random.normal());
      outcomes.push(random.next() < 1 / (1 + Math.exp(-strength * values[0]!)) ? 1 : 0);
      return values.map((value, column) => [column, value] as const);
    }),
    columns,
  );
  return { table, outcomes };
}

test('Where nothing can be learned the strongest penalty is taken, where much can be a weaker one.', () => {
  for (let seed = 0; seed < 5; seed++) {
    const noise = rowsWith(0, 80, 30, seed);
    const options = { penalties: penaltiesOf(30), random: createRandom(seed) };
    assert.equal(crossValidatedPenalty(noise.table, noise.outcomes, options).chosen, 0);
    const told = rowsWith(6, 80, 2, seed);
    const { chosen, losses } = crossValidatedPenalty(told.table, told.outcomes, {
      ...options,
      penalties: penaltiesOf(2),
    });
    assert.ok(chosen >= 2, `${chosen}: ${losses}`);
    // Without any column the loss would be the logarithm of 2.
    assert.ok(losses![chosen]! < 0.4);
  }
});

test('What is left out is predicted from the others alone: by the strongest penalty with their share.', () => {
  // Ten rows, five of each outcome, five folds with one of each: the others' share is one half.
  const { table } = rowsWith(0, 10, 3, 1);
  const outcomes = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1];
  const { losses } = crossValidatedPenalty(table, outcomes, {
    penalties: [new Float64Array(3).fill(1e12)],
    random: createRandom(1),
    tolerance: 1e-9,
  });
  assert.ok(Math.abs(losses![0]! - Math.log(2)) < 1e-6);
});

test('With one row of an outcome, or none, nothing is left out and the first penalty is taken.', () => {
  const { table } = rowsWith(0, 6, 3, 1);
  for (const outcomes of [
    [0, 0, 0, 0, 0, 1],
    [1, 1, 1, 1, 1, 1],
    [0, 1, 1, 1, 1, 1],
  ]) {
    const choice = crossValidatedPenalty(table, outcomes, { penalties: penaltiesOf(3), random: createRandom(1) });
    assert.deepEqual([choice.chosen, choice.losses], [0, null]);
    assert.match(choice.reason!, /at least two rows/);
  }
  const two = crossValidatedPenalty(table, [0, 0, 0, 0, 0.5, 1], {
    penalties: penaltiesOf(3),
    random: createRandom(1),
  });
  assert.ok(two.losses!.every(Number.isFinite));
});
