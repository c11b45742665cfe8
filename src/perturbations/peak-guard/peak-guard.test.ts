import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { peakGuard } from './peak-guard.ts';

const services = { random: createRandom(1) };

test('a sound beyond the limit becomes softer as a whole, its shape kept', () => {
  const clip = { samples: Float32Array.of(0.5, -2, 1), sampleRate: 8000 };
  const { clip: guarded, facts } = peakGuard.apply(clip, { limit: 0.5 }, services);
  assert.deepEqual([...guarded.samples], [0.125, -0.5, 0.25]);
  assert.deepEqual(facts, { peakBefore: 2, factor: 0.25 });
});

test('a sound within the limit is left alone, one without samples too', () => {
  const samples = Float32Array.of(0.5, -0.25);
  const { clip, facts } = peakGuard.apply({ samples, sampleRate: 8000 }, { limit: 0.5 }, services);
  assert.deepEqual(clip.samples, samples);
  assert.equal(facts.factor, 1);
  const nothing = peakGuard.apply({ samples: new Float32Array(0), sampleRate: 8000 }, { limit: 1 }, services);
  assert.deepEqual(nothing.facts, { peakBefore: 0, factor: 1 });
});
