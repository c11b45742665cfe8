import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { hardClip } from './hard-clip.ts';

const services = { random: createRandom(1) };
const sine = Float32Array.from({ length: 16000 }, (_, n) => 0.5 * Math.sin((2 * Math.PI * (n + 0.5)) / 160));
const apply = (limitDb: number, relativeTo: 'full-scale' | 'peak' | 'rms') =>
  hardClip.apply({ samples: sine, sampleRate: 16000 }, { limitDb, relativeTo }, services);

test('a sine is cut at the level asked for, counted from full scale, its peak or its mean level', () => {
  // The root mean square of a sine lies 3.01 dB below its peak, the peak here at half of full scale (-6.02 dB).
  for (const [limitDb, relativeTo, limit] of [
    [-20, 'full-scale', 0.1],
    [-6.0206, 'peak', 0.25],
    [-3.0103, 'rms', 0.25],
  ] as const) {
    const { clip, facts } = apply(limitDb, relativeTo);
    assert.ok(Math.abs(Math.max(...clip.samples) - limit) < 1e-4);
    assert.ok(Math.abs(Math.min(...clip.samples) + limit) < 1e-4);
    assert.ok(Math.abs(Number(facts.limitDbfs) - 20 * Math.log10(limit)) < 0.005);
  }
});

test('a sine cut at half its peak is clipped for two thirds of its time: arcsin(1/2) = 30 of 90 degrees are not', () => {
  const { facts } = apply(20 * Math.log10(0.5), 'peak');
  assert.ok(Math.abs(Number(facts.clippedShare) - 2 / 3) < 0.01);
});

test('a limit above the sound changes nothing', () => {
  const { clip, facts } = apply(0, 'full-scale');
  assert.deepEqual(clip.samples, sine);
  assert.equal(facts.clippedSamples, 0);
});
