import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { playbackRate } from './playback-rate.ts';

const services = { random: createRandom(1) };
const clip = (sampleRate: number) => ({ samples: Float32Array.from({ length: 441 }, (_, n) => n / 441), sampleRate });

test('leaves the samples alone and changes the rate to the whole number below', () => {
  for (const [sampleRate, factor, expected] of [
    [44100, 0.9, 39690],
    [16000, 0.7, 11200],
    [22050, 0.55, 12127],
    [48000, 0.7, 33600],
    [8000, 0.5, 4000],
  ] as const) {
    const { clip: played } = playbackRate.apply(clip(sampleRate), { factor }, services);
    assert.equal(played.sampleRate, expected);
    assert.deepEqual(played.samples, clip(sampleRate).samples);
  }
});

test('tells how heard times map back', () => {
  const { timeMap } = playbackRate.apply(clip(44100), { factor: 0.5 }, services);
  assert.deepEqual(timeMap, [
    [0, 0],
    [0.02, 0.01],
  ]);
});
