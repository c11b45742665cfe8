import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { clipPeaks } from './clip-peaks.ts';

const services = { random: createRandom(1) };

test('cuts off what is beyond the limit, on both sides, and makes nothing louder', () => {
  const clip = { samples: Float32Array.of(0.5, -0.75, 0.25, -0.125, 1.5), sampleRate: 8000 };
  const { clip: clipped, facts } = clipPeaks.apply(clip, { limit: 0.25 }, services);
  assert.deepEqual([...clipped.samples], [0.25, -0.25, 0.25, -0.125, 0.25]);
  assert.deepEqual(facts, { clippedSamples: 3, clippedShare: 0.6 });
});

test('a sine is clipped for the share of its period that the arcsine of the limit gives', () => {
  const samples = Float32Array.from({ length: 80_000 }, (_, n) => Math.sin(n * 0.777));
  const { facts } = clipPeaks.apply({ samples, sampleRate: 8000 }, { limit: 0.3 }, services);
  assert.ok(Math.abs(Number(facts.clippedShare) - (1 - (2 / Math.PI) * Math.asin(0.3))) < 1e-3);
});

test('the share of no samples is null', () => {
  const { facts } = clipPeaks.apply({ samples: new Float32Array(0), sampleRate: 8000 }, { limit: 0.3 }, services);
  assert.deepEqual(facts, { clippedSamples: 0, clippedShare: null });
});
