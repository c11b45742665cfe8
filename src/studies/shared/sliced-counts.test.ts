import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxClusters } from '../../statistics/bootstrap/clustered-counts.ts';
import { gather, SlicedCounts } from './sliced-counts.ts';
import { spoken } from './testing/testing.ts';

test('Sums are the same for everybody and over the groups, and an utterance of several trials is one.', () => {
  const slices = new SlicedCounts(null);
  for (let index = 0; index < 100; index++) {
    slices.enter(spoken(`${index}`, '', { speaker: `s${index % 7}`, attributes: { sex: index % 7 < 3 ? 'f' : 'm' } }));
    slices.add(0, index, 10);
    if (index % 10 === 0) slices.add(0, index, 5);
  }
  const whole = gather(slices.whole(), 0);
  assert.deepEqual(whole.n, { utterances: 100, speakers: 7, words: 1050, pairs: 110 });
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0);
  assert.equal(sum(whole.counts.numerators), 4950 + 450);
  const [women, men, ...others] = slices.groups();
  assert.deepEqual([women!.group!.value, men!.group!.value, others.length], ['f', 'm', 0]);
  const parts = [women!, men!].map((part) => gather(part, 0));
  assert.deepEqual(
    parts.map(({ n }) => n.speakers),
    [3, 4],
  );
  assert.equal(sum(parts[0]!.counts.numerators) + sum(parts[1]!.counts.numerators), 5400);
  assert.deepEqual(gather(slices.whole(), 7).n, { utterances: 0, speakers: 0, words: 0, pairs: 0 });
});

test('A speaker whose attribute changes is in both groups and one speaker of the whole.', () => {
  const slices = new SlicedCounts(['room']);
  for (const room of ['hall', 'car', 'hall']) {
    slices.enter(spoken(room, '', { speaker: 's', attributes: { room } }));
    slices.add(0, 1, 1);
  }
  assert.equal(gather(slices.whole(), 0).n.speakers, 1);
  assert.deepEqual(
    slices.groups().map((part) => gather(part, 0).n.words),
    [1, 2],
  );
});

test('More units than clusters share them evenly, and names of objects’ own members are plain names.', () => {
  const slices = new SlicedCounts(null);
  const units = 20 * maxClusters;
  for (let index = 0; index < units; index++) {
    slices.enter(spoken(`u${index}`, '', { attributes: JSON.parse('{"__proto__":"a","constructor":"b"}') }));
    slices.add(0, 0, 1);
  }
  assert.equal(slices.clusters.count, maxClusters);
  assert.ok(slices.clusters.merged);
  const { counts, n } = gather(slices.whole(), 0);
  assert.equal(n.words, units);
  assert.equal(n.speakers, 0);
  // One of its own and 19 on average that joined it: Poisson, so hardly ever beyond 50.
  assert.ok(Math.max(...counts.denominators) < 60 && Math.min(...counts.denominators) >= 2);
  assert.deepEqual(slices.groups(), []);
});

test('An attribute with too many values is let go of, with all that was counted for it.', () => {
  const slices = new SlicedCounts(null);
  for (let index = 0; index < 20; index++) {
    slices.enter(
      spoken(`${index}`, '', { speaker: 's', attributes: { clip: `c${index}`, sex: index % 2 ? 'f' : 'm' } }),
    );
    slices.add(0, 1, 1);
  }
  assert.deepEqual([...slices.manyValued], ['clip']);
  assert.deepEqual(
    slices.groups().map(({ group }) => group),
    [
      { attribute: 'sex', value: 'f' },
      { attribute: 'sex', value: 'm' },
    ],
  );
});
