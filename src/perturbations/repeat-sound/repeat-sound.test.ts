import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { originalTime } from '../apply-steps.ts';
import { repeatSound } from './repeat-sound.ts';

const services = { random: createRandom(1) };
const ramp = { samples: Float32Array.from({ length: 1000 }, (_, n) => 1 + n), sampleRate: 1000 };

test('every copy is the sound, sample for sample, with silence between and none at the end', () => {
  const { clip, facts, timeMap } = repeatSound.apply(ramp, { times: 3, pauseSeconds: 0.1 }, services);
  assert.equal(clip.samples.length, 3200);
  for (const [n, sample] of clip.samples.entries()) {
    const inCopy = n % 1100;
    assert.equal(sample, inCopy < 1000 ? 1 + inCopy : 0);
  }
  assert.deepEqual(facts, { times: 3, pauseSeconds: 0.1 });
  // Copies begin at 0, 1.1 and 2.2 s; the last one is mapped.
  assert.ok(Math.abs(originalTime(timeMap!, 2.7) - 0.5) < 1e-12);
  assert.equal(originalTime(timeMap!, 1.5), 0);
});
