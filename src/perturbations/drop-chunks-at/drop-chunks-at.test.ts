import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { dropChunksAt } from './drop-chunks-at.ts';

const services = { random: createRandom(1) };
const second = { samples: new Float32Array(1000).fill(1), sampleRate: 1000 };

test('silences exactly the places given', () => {
  const { clip, facts } = dropChunksAt.apply(second, { chunkSeconds: 0.1, startsSeconds: [0.7, 0.2] }, services);
  for (const [n, sample] of clip.samples.entries()) {
    const silent = (n >= 200 && n < 300) || (n >= 700 && n < 800);
    assert.equal(sample, silent ? 0 : 1);
  }
  assert.deepEqual(facts, { droppedChunks: 2, droppedShare: 0.2, startsSeconds: [0.2, 0.7], missedChunks: 0 });
});

test('overlapping places count once, the end cuts a chunk short, and places beyond it are told', () => {
  const parameters = { chunkSeconds: 0.1, startsSeconds: [0.2, 0.25, 0.95, 1, 7] };
  const { clip, facts } = dropChunksAt.apply(second, parameters, services);
  assert.equal(clip.samples.filter((sample) => sample === 0).length, 200);
  assert.deepEqual(facts, { droppedChunks: 3, droppedShare: 0.2, startsSeconds: [0.2, 0.25, 0.95], missedChunks: 2 });
});

test('a place that is not a whole number in binary still falls on its sample', () => {
  // 0.29 * 1000 is 290 in decimals and 289.99999999999994 or so in doubles.
  const { clip } = dropChunksAt.apply(second, { chunkSeconds: 0.001, startsSeconds: [0.29] }, services);
  assert.equal(clip.samples.indexOf(0), 290);
});
