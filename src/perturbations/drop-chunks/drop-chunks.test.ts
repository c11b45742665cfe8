import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { dropChunks } from './drop-chunks.ts';

const ones = (length: number, sampleRate: number) => ({ samples: new Float32Array(length).fill(1), sampleRate });
const zeros = (samples: Float32Array) => samples.reduce((count, sample) => count + (sample === 0 ? 1 : 0), 0);

test('silences the asked share of chunks: first halves of different pairs, the rest untouched', () => {
  // 10 s are 250 pairs of 2 x 320 samples; 5 % of 500 chunks are 25.
  for (const [share, chunks] of [
    [0.05, 25],
    [0.1, 50],
    [0.15, 75],
    [0.2, 100],
    [0.25, 125],
  ] as const) {
    const parameters = { chunkSeconds: 0.02, share };
    const { clip, facts } = dropChunks.apply(ones(160_000, 16000), parameters, { random: createRandom(share) });
    assert.equal(zeros(clip.samples), chunks * 320);
    for (let start = 0; start < 160_000; start += 640) {
      const silent = zeros(clip.samples.subarray(start, start + 320));
      assert.ok(silent === 0 || silent === 320);
      assert.equal(zeros(clip.samples.subarray(start + 320, start + 640)), 0);
    }
    assert.equal(facts.pairs, 250);
    assert.equal(facts.droppedChunks, chunks);
    assert.equal(facts.droppedShare, share);
    assert.equal((facts.startsSeconds as number[]).length, chunks);
  }
});

test('float arithmetic does not lose a pair or a chunk', () => {
  // In doubles 0.6 / 0.04 is 14.999999999999998, and 0.29 * 50 * 2 is 28.999999999999996.
  const parts = dropChunks.apply(ones(9600, 16000), { chunkSeconds: 0.02, share: 0.5 }, { random: createRandom(1) });
  assert.equal(parts.facts.pairs, 15);
  const counts = dropChunks.apply(
    ones(32_000, 16000),
    { chunkSeconds: 0.02, share: 0.29 },
    { random: createRandom(1) },
  );
  assert.equal(counts.facts.droppedChunks, 29);
});

test('every pair is alike likely', () => {
  // 10 pairs, 2 of them dropped: each should be hit 800 of 4000 times. Chi-squared with 9 degrees, .9999 quantile 33.7,
  // times 1 - 2/10 because the two are different (sampling without replacement).
  const hits = new Array<number>(10).fill(0);
  for (let seed = 0; seed < 4000; seed++) {
    const parameters = { chunkSeconds: 0.02, share: 0.1 };
    const { facts } = dropChunks.apply(ones(6400, 16000), parameters, { random: createRandom(seed) });
    for (const start of facts.startsSeconds as number[]) hits[Math.round(start / 0.04)]!++;
  }
  const chiSquared = hits.reduce((sum, count) => sum + (count - 800) ** 2 / 800, 0);
  assert.ok(chiSquared < 33.7, `hits ${hits}`);
});

test('a sound shorter than a pair stays as it is', () => {
  const { clip, facts } = dropChunks.apply(
    ones(639, 16000),
    { chunkSeconds: 0.02, share: 0.5 },
    { random: createRandom(1) },
  );
  assert.equal(zeros(clip.samples), 0);
  assert.deepEqual(facts, { pairs: 0, droppedChunks: 0, droppedShare: 0, startsSeconds: [] });
});
