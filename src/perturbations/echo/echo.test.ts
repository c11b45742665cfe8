import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { echo } from './echo.ts';

const services = { random: createRandom(1) };
const asked = { delaySeconds: 0.002, decay: 0.5, gainIn: 0.75, gainOut: 0.5 };

test('an impulse comes twice: .5 x .75 of it, and after the delay .5 x .5', () => {
  const clip = { samples: Float32Array.of(1, 0, 0, 0), sampleRate: 1000 };
  const { clip: echoed, facts, timeMap } = echo.apply(clip, asked, services);
  assert.deepEqual([...echoed.samples], [0.375, 0, 0.25, 0, 0, 0]);
  assert.deepEqual(facts, { addedSeconds: 0.002 });
  assert.deepEqual(timeMap, [
    [0, 0],
    [0.004, 0.004],
    [0.006, 0.004],
  ]);
});

test('a sound that is shorter than the delay is silent between, and no sound stays no sound', () => {
  const clip = { samples: Float32Array.of(1), sampleRate: 1000 };
  assert.deepEqual(
    [...echo.apply(clip, { ...asked, delaySeconds: 0.003 }, services).clip.samples],
    [0.375, 0, 0, 0.25],
  );
  const nothing = { samples: new Float32Array(0), sampleRate: 1000 };
  assert.equal(echo.apply(nothing, asked, services).clip.samples.length, 0);
});

test('a delay of less than a sample adds the echo to the sound itself', () => {
  const clip = { samples: Float32Array.of(1, 0), sampleRate: 1000 };
  assert.deepEqual([...echo.apply(clip, { ...asked, delaySeconds: 0.0005 }, services).clip.samples], [0.625, 0]);
});
