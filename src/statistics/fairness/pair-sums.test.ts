import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { groupSums } from './grouped-units.ts';
import { columnsOfPair, pairSums } from './pair-sums.ts';

test('how far a row moves the difference of mean disparities is its derivative by the row’s weight', () => {
  const random = createRandom('pair sums');
  const profiles = Array.from({ length: 12 }, (_, row) => row % 4);
  const drawn = (most: number) => Float64Array.from(profiles, () => random.integer(most));
  const pair = { first: drawn(20), second: drawn(30), words: drawn(50).map((words) => words + 20) };
  // The groups overlap, as intersections do.
  const units = {
    speakers: profiles.map((_, row) => row),
    profiles,
    groups: [
      [0, 1],
      [2, 3],
      [0, 2],
    ],
  };
  for (const isPooled of [true, false]) {
    const columns = columnsOfPair(pair);
    const { byGroup, add } = groupSums(units, columns);
    const totals = new Float64Array(columns.length);
    const sums = { byGroup, totals, groups: 3, isPooled };
    const sum = (weights: Float64Array) => {
      add(profiles, weights);
      columns.forEach((column, place) => {
        totals[place] = column.reduce((all, value, row) => all + value * weights[row]!, 0);
      });
    };
    const ones = new Float64Array(12).fill(1);
    sum(ones);
    const ofPair = pairSums(
      pair,
      columns.map((_, place) => place),
    );
    const { influences } = ofPair.observe(sums, units);
    const before = ofPair.difference(sums);
    for (let row = 0; row < 12; row++) {
      sum(ones.with(row, 1 + 1e-6));
      const slope = (ofPair.difference(sums) - before) / 1e-6;
      // The mean is over three groups.
      assert.ok(Math.abs(slope - influences[row]! / 3) < 1e-7, `${slope} and ${influences[row]! / 3}`);
    }
  }
});
