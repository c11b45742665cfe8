import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SoundCollection } from '../../audio/sound-collection.ts';
import { createRandom } from '../../base/random.ts';
import { originalTime } from '../apply-steps.ts';
import { appendSound } from './append-sound.ts';

const collection = (seconds: number): SoundCollection => ({
  name: 'sentences',
  identity: { invented: 1 },
  sounds: [{ name: 'second.wav', facts: {} }],
  durationSeconds: async () => seconds,
  read: async () => ({ samples: new Float32Array(8000 * Math.min(seconds, 1)).fill(0.25), sampleRate: 8000 }),
});
const apply = (seconds: number, pauseSeconds: number) =>
  appendSound.apply(
    { samples: new Float32Array(16000).fill(0.5), sampleRate: 16000 },
    { sounds: 'sentences', pauseSeconds, channel: 'mean', select: {} },
    { random: createRandom(1), assets: { collection: collection(seconds), indices: [0] } },
  );

test('the sound stands behind the clip after the pause, at the rate of the clip', async () => {
  const { clip, facts, timeMap } = await apply(1, 0.5);
  assert.equal(clip.samples.length, 16000 + 8000 + 16000);
  assert.ok(clip.samples.subarray(0, 16000).every((sample) => sample === 0.5));
  assert.ok(clip.samples.subarray(16000, 24000).every((sample) => sample === 0));
  // A constant stays one away from its ends, whatever resampler makes 16 kHz of 8.
  assert.ok(clip.samples.subarray(26000, 38000).every((sample) => Math.abs(sample - 0.25) < 1e-3));
  assert.deepEqual(facts, { sound: 'second.wav', soundSeconds: 1 });
  assert.equal(originalTime(timeMap!, 0.7), 0.7);
  assert.equal(originalTime(timeMap!, 2), 1);
});

test('a sound that is far too long is refused in a sentence', async () => {
  await assert.rejects(async () => apply(3600, 0), {
    code: 'bad-input',
    message: /^append-sound: expected a sound of at most 600 s, but "second.wav" has 3600; /,
  });
});
