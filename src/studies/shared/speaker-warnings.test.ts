import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spoken } from './invented-run.ts';
import { SlicedCounts } from './sliced-counts.ts';
import { groupShortages, groupSizes, shortages } from './speaker-warnings.ts';

function slicesOf(ages: readonly string[]): SlicedCounts {
  const slices = new SlicedCounts(null);
  ages.forEach((age, index) => {
    slices.enter(spoken(`u${index}`, 'a', { speaker: `s${index}`, attributes: { age } }));
  });
  return slices;
}

const people = (count: number, age: string) => Array.from({ length: count }, () => age);

test('What so few speakers cannot show is said of everybody, or of each group that is too small.', () => {
  assert.deepEqual(shortages(slicesOf(people(5, 'teens')), 4, 0.95), [
    'With 5 speakers no verdict is possible; 6 would do.',
  ]);
  // An interval may need more than the test.
  assert.deepEqual(shortages(slicesOf([...people(12, 'adults'), ...people(5, 'teens'), 'old']), 10, 0.95), [
    'With 1 speaker in age old and 5 speakers in age teens no verdict is possible; 10 would do.',
  ]);
  assert.deepEqual(shortages(slicesOf([...people(6, 'adults'), ...people(6, 'teens')]), 2, 0.95), []);
  assert.deepEqual(shortages(slicesOf([]), 10, 0.95), []);
});

test('Of groups that are compared with each other each must have enough; how few there are of everybody does not matter.', () => {
  const slices = slicesOf([...people(3, 'adults'), ...people(2, 'teens')]);
  assert.deepEqual(groupShortages(groupSizes(slices), 3), [
    'With 2 speakers in age teens no verdict is possible; 3 would do.',
  ]);
  assert.deepEqual(groupShortages(groupSizes(slices), 2), []);
});
