import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spoken } from './invented-run.ts';
import { SlicedCounts } from './sliced-counts.ts';
import { groupShortages, groupSizes, shortages, speakerWarnings } from './speaker-warnings.ts';

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
    '5 speakers cannot tell recognizers apart: a paired test needs 6.',
  ]);
  // An interval may need more than the test.
  assert.deepEqual(shortages(slicesOf([...people(12, 'adults'), ...people(5, 'teens'), 'old']), 10, 0.95), [
    'Recognizers cannot be told apart within age old (1 speaker) and age teens (5 speakers): an interval needs 10 in each.',
  ]);
  assert.deepEqual(shortages(slicesOf([...people(6, 'adults'), ...people(6, 'teens')]), 2, 0.95), []);
  assert.deepEqual(shortages(slicesOf([]), 10, 0.95), []);
});

test('Of groups that are compared with each other each must have enough; how few there are of everybody does not matter.', () => {
  const slices = slicesOf([...people(3, 'adults'), ...people(2, 'teens')]);
  assert.deepEqual(groupShortages(groupSizes(slices), 3), [
    'Nothing can be claimed of age teens (2 speakers): an interval needs 3 (by default 10).',
  ]);
  assert.deepEqual(groupShortages(groupSizes(slices), 2), []);
});

test('Where intervals begin at fewer speakers than usual, whoever reads one of so few is told, and told what is usual.', () => {
  const warned = (ages: readonly string[], minimumSpeakers: number) =>
    speakerWarnings(slicesOf(ages), { utterances: ages.length, withoutSpeaker: 0, minimumSpeakers });
  const told =
    'Intervals are given from 5 speakers on (minimumSpeakers), by default from 10: those of fewer hold the truth less often than they say.';
  assert.deepEqual(warned(people(6, 'teens'), 5), [told]);
  // Of all there are enough, and of one group as few.
  assert.deepEqual(warned([...people(20, 'adults'), ...people(6, 'teens')], 5), [told]);
  assert.deepEqual(warned([...people(20, 'adults'), ...people(4, 'teens')], 5), []);
  assert.deepEqual(warned(people(20, 'adults'), 10), []);
  assert.deepEqual(warned(people(4, 'teens'), 5), [
    'An interval needs 5 speakers (by default 10), and the study has 4: no interval is given and nothing is claimed.',
  ]);
});
