import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { originalTime } from '../apply-steps.ts';
import { padSilence } from './pad-silence.ts';

const services = { random: createRandom(1) };
const second = { samples: new Float32Array(1000).fill(1), sampleRate: 1000 };

test('the sound stands unchanged between as much silence as was asked for', () => {
  const { clip, facts, timeMap } = padSilence.apply(second, { beforeSeconds: 0.25, afterSeconds: 0.5 }, services);
  assert.equal(clip.samples.length, 1750);
  assert.ok(clip.samples.every((sample, n) => sample === (n >= 250 && n < 1250 ? 1 : 0)));
  assert.deepEqual(facts, { beforeSeconds: 0.25, afterSeconds: 0.5 });
  assert.deepEqual(
    [0, 0.2, 0.75, 1.25, 1.7].map((heard) => originalTime(timeMap!, heard)),
    [0, 0, 0.5, 1, 1],
  );
});
