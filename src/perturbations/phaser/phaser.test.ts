import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { phaser } from './phaser.ts';

const services = { random: createRandom(1) };

test('with a delay of one sample it is a recursive filter of order 1', () => {
  const samples = new Float32Array(20);
  samples[0] = 1;
  const parameters = { gainIn: 0.5, gainOut: 2, delaySeconds: 0.001, decay: 0.5, frequencyHz: 2 } as const;
  for (const modulation of ['sine', 'triangle'] as const) {
    const { clip } = phaser.apply({ samples, sampleRate: 1000 }, { ...parameters, modulation }, services);
    for (const [n, sample] of clip.samples.entries()) assert.equal(sample, 0.5 ** n);
  }
});

test('the delay goes from one sample to the longest and back within a period', () => {
  const sampleRate = 1000;
  const parameters = { gainIn: 1, gainOut: 1, delaySeconds: 0.009, decay: 0.5, frequencyHz: 1 } as const;
  for (const modulation of ['sine', 'triangle'] as const) {
    for (const [at, delay] of [
      [20, 1],
      [490, 9],
      [990, 1],
      [1490, 9],
    ] as const) {
      const samples = new Float32Array(2000);
      samples[at] = 1;
      const { clip } = phaser.apply({ samples, sampleRate }, { ...parameters, modulation }, services);
      assert.equal(clip.samples[at], 1);
      assert.equal(clip.samples[at + delay], 0.5, `${modulation} at ${at}`);
      assert.equal(
        clip.samples.subarray(at + 1, at + delay).findIndex((sample) => sample !== 0),
        -1,
      );
    }
  }
});

test('a delay that is less than a sample is a clear sentence', () => {
  const clip = { samples: new Float32Array(10), sampleRate: 1000 };
  assert.throws(
    () => phaser.apply(clip, { ...phaser.example, delaySeconds: 0.0004 }, services),
    /^InapplicableStep: phaser: expected a delay of at least one sample, but 0.0004 s at 1000 .*; choose a longer one/,
  );
});
