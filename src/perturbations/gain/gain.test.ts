import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { gain } from './gain.ts';

const services = { random: createRandom(1) };

test('multiplies every sample and limits nothing', () => {
  const clip = { samples: Float32Array.of(0.5, -0.75, 0), sampleRate: 8000 };
  const { clip: louder, facts } = gain.apply(clip, { factor: 2 }, services);
  assert.deepEqual([...louder.samples], [1, -1.5, 0]);
  assert.deepEqual(facts, { peak: 1.5 });
});

test('a factor of 0.5 lowers the level by 6.02 dB', () => {
  const clip = { samples: Float32Array.from({ length: 8000 }, (_, n) => Math.sin(n / 3)), sampleRate: 8000 };
  const power = (samples: Float32Array) => samples.reduce((sum, sample) => sum + sample * sample, 0);
  const softer = gain.apply(clip, { factor: 0.5 }, services).clip;
  const difference = 10 * Math.log10(power(softer.samples) / power(clip.samples));
  assert.ok(Math.abs(difference + 6.0206) < 1e-4);
});
