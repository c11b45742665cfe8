import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { assertStaysInPlace, burst } from '../shared/testing/stays-in-place.ts';
import { g722 } from './g722.ts';

test('the sound stays in its place, at every rate', () => assertStaysInPlace(g722, 16000));

test('each bit that is let go costs quality', () => {
  const samples = burst(16000);
  const error = (kilobitsPerSecond: number) => {
    const { clip } = g722.apply({ samples, sampleRate: 16000 }, { kilobitsPerSecond }, { random: createRandom(1) });
    return clip.samples.reduce((sum, sample, n) => sum + (sample - samples[n]!) ** 2, 0);
  };
  assert.ok(error(64) < error(56) && error(56) < error(48));
  assert.equal(g722.parameters.safeParse({ kilobitsPerSecond: 60 }).success, false);
});
