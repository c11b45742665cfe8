import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { tremolo } from './tremolo.ts';

const services = { random: createRandom(1) };

test('the amplitude follows its formula to the end of ten minutes', () => {
  const sampleRate = 8000;
  const samples = new Float32Array(600 * sampleRate).fill(0.5);
  for (const [frequencyHz, depth] of [
    [20, 0.66],
    [7.3, 1],
  ] as const) {
    const { clip } = tremolo.apply({ samples, sampleRate }, { frequencyHz, depth }, services);
    for (let n = 0; n < samples.length; n += 997) {
      const expected = 0.5 * (1 - (depth / 2) * (1 - Math.cos((2 * Math.PI * frequencyHz * n) / sampleRate)));
      assert.ok(Math.abs(clip.samples[n]! - expected) < 1e-7, `${frequencyHz} Hz at ${n}`);
    }
  }
});

test('begins at full loudness and is softest after half a period: silent at a depth of 1', () => {
  const clip = { samples: new Float32Array(1000).fill(1), sampleRate: 1000 };
  const { samples } = tremolo.apply(clip, { frequencyHz: 2, depth: 1 }, services).clip;
  assert.equal(samples[0], 1);
  assert.ok(Math.abs(samples[250]!) < 1e-7);
  assert.ok(Math.abs(samples[500]! - 1) < 1e-7);
});
