import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { assertStaysInPlace, burst } from '../shared/testing/stays-in-place.ts';
import { gsm } from './gsm.ts';

test('the sound stays in its place, at every rate', () => assertStaysInPlace(gsm, 8000));

test('silence behind a sound that ends within a frame is not heard', () => {
  const { clip } = gsm.apply(
    { samples: burst(8000).subarray(0, 4003), sampleRate: 8000 },
    {},
    { random: createRandom(1) },
  );
  assert.equal(clip.samples.length, 4003);
});
