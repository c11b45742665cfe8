import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { clipShare, magnitudeAtRank } from './clip-share.ts';

const services = { random: createRandom(1) };
const noise = (length: number, seed: string) => {
  const random = createRandom(seed);
  return Float32Array.from({ length }, () => random.normal() * 0.1);
};

test('exactly the share asked for is clipped', () => {
  const samples = noise(20_000, 'share');
  for (const share of [0.0001, 0.01, 0.05, 0.3, 0.99]) {
    const { clip, facts } = clipShare.apply({ samples, sampleRate: 16000 }, { share }, services);
    const changed = clip.samples.filter((sample, n) => sample !== samples[n]).length;
    assert.equal(changed, Math.round(share * 20_000));
    assert.equal(facts.clippedSamples, changed);
    assert.equal(facts.clippedShare, share);
  }
});

test('of normal noise, 31.73 % lie beyond one standard deviation (table of the normal distribution)', () => {
  const { facts } = clipShare.apply(
    { samples: noise(100_000, 'normal'), sampleRate: 8000 },
    { share: 0.3173 },
    services,
  );
  assert.ok(Math.abs(Number(facts.limitDbfs) + 20) < 0.1);
});

test('where many are equally loud, none of them is cut off', () => {
  const samples = Float32Array.from({ length: 100 }, (_, n) => (n < 60 ? 0.5 : 0.25) * (n % 2 === 0 ? 1 : -1));
  const { clip, facts } = clipShare.apply({ samples, sampleRate: 8000 }, { share: 0.3 }, services);
  assert.deepEqual(clip.samples, samples);
  assert.equal(facts.clippedSamples, 0);
});

test('the size at a rank is the one of the sorted sizes', () => {
  for (const [length, scale] of [
    [1, 1],
    [500, 1e-40],
    [3000, 1],
    [3000, 1e4],
  ] as const) {
    const samples = noise(length, 'rank').map((sample) => sample * scale);
    const sorted = samples.map(Math.abs).sort().reverse();
    for (const rank of [0, length >> 2, length - 1]) assert.equal(magnitudeAtRank(samples, rank), sorted[rank]);
  }
});
