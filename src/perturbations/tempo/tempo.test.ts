import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { tempo } from './tempo.ts';

const services = { random: createRandom(1) };
const sox30 = { profile: 'general', segmentSeconds: 0.03, searchSeconds: null, overlapSeconds: null } as const;
const speech = { profile: 'speech', segmentSeconds: null, searchSeconds: null, overlapSeconds: null } as const;

/** Five tones of 1.5 s as 16-bit steps. */
const tones = {
  samples: Float32Array.from({ length: 24000 }, (_, n) => {
    const sum = [150, 440, 1000, 2500, 5200].reduce(
      (total, hz) => total + 0.08 * Math.sin(2 * Math.PI * hz * (n / 16000)),
      0,
    );
    return Math.round(sum * 32768) / 32768;
  }),
  sampleRate: 16000,
};

test('gives the samples of SoX 14.4.2: sox -D tones.wav -b 32 -e floating-point out.wav tempo FACTOR 30', () => {
  for (const [factor, length, middle] of [
    [
      1.25,
      19200,
      [-389, -6169, -5140, 781, -1557, -2391, -43, -4459, -4150, 3569, 3965, 3391, 6479, 1885, -1519, 3733],
    ],
    [
      0.5,
      48000,
      [-2911, -4363, -1315, 3136, -2427, -5297, -2372, -4985, -4552, -91, -5123, -10018, -7488, -9018, -8429],
    ],
  ] as const) {
    const { samples } = tempo.apply(tones, { ...sox30, factor }, services).clip;
    assert.equal(samples.length, length);
    for (const [n, step] of middle.entries()) {
      assert.ok(Math.abs(samples[length / 2 + n]! * 32768 - step) < 0.51, `${factor}: sample ${n}`);
    }
  }
});

test('a periodic sound goes on without a seam: every period of it is like the first', () => {
  const period = 100;
  const samples = Float32Array.from({ length: 16000 }, (_, n) => (n % period) / period - 0.5);
  for (const factor of [0.5, 0.8, 1.3, 2]) {
    const { samples: changed } = tempo.apply({ samples, sampleRate: 16000 }, { ...speech, factor }, services).clip;
    // Half a segment may hold the silence that is before and behind the sound.
    for (let n = 800; n < changed.length - 800; n++) {
      assert.ok(Math.abs(changed[n]! - changed[n - period]!) < 1e-6, `${factor}: sample ${n}`);
    }
  }
});

test('the length is divided by the factor, and times map back in a straight line', () => {
  for (const length of [1, 17, 480, 16000, 50_001]) {
    for (const factor of [0.1, 0.5, 1.25, 10]) {
      const clip = { samples: new Float32Array(length).fill(0.1), sampleRate: 16000 };
      const { clip: changed, timeMap } = tempo.apply(clip, { ...speech, factor }, services);
      assert.equal(changed.samples.length, Math.floor(length / factor + 0.5));
      if (changed.samples.length > 0)
        assert.deepEqual(timeMap!.at(-1), [changed.samples.length / 16000, length / 16000]);
    }
  }
});

test('parts without a given length follow the segments, which follow the profile', () => {
  const lengthOf = (profile: 'speech' | 'music' | 'linear' | 'general', factor: number) =>
    tempo.apply(tones, { ...speech, profile, factor }, services).facts.segmentSeconds;
  assert.equal(lengthOf('general', 2), 0.082);
  assert.equal(lengthOf('music', 2), 0.041);
  assert.equal(lengthOf('speech', 0.5), 0.035);
  assert.equal(lengthOf('linear', 4), 0.01);
});

test('a rate at which no segment has enough samples is a clear sentence', () => {
  const clip = { samples: new Float32Array(100), sampleRate: 100 };
  assert.throws(() => tempo.apply(clip, { ...speech, factor: 2 }, services), /tempo: expected .* but it has 100; /);
});
