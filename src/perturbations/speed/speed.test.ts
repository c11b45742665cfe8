import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { speed } from './speed.ts';

const services = { random: createRandom(1) };
const tone = (hz: number) => ({
  samples: Float32Array.from({ length: 16000 }, (_, n) => 0.5 * Math.sin((2 * Math.PI * hz * n) / 16000)),
  sampleRate: 16000,
});

test('a tone comes out as the tone that is faster, and as long as it should be', () => {
  for (const [method, limit] of [
    ['kaiser', 1e-5],
    ['hann', 2e-3],
  ] as const) {
    for (const factor of [0.5, 0.875, 1.1, 1.25, 2]) {
      const { clip, timeMap } = speed.apply(tone(400), { factor, method }, services);
      const length = 16000 / factor;
      assert.equal(clip.samples.length, method === 'hann' ? Math.ceil(length) : Math.round(length));
      assert.deepEqual(timeMap!.at(-1), [clip.samples.length / 16000, 1]);
      for (let n = 1000; n < clip.samples.length - 1000; n++) {
        const expected = 0.5 * Math.sin((2 * Math.PI * 400 * factor * n) / 16000);
        assert.ok(Math.abs(clip.samples[n]! - expected) < limit, `${method} ${factor}: sample ${n}`);
      }
    }
  }
});

test('a factor that gives no whole rate is kept exactly by kaiser, cut by hann', () => {
  const clip = { samples: new Float32Array(8000), sampleRate: 8000 };
  const rate = (method: 'kaiser' | 'hann') =>
    speed.apply(clip, { factor: 1.23456, method }, services).facts.playedRateHz;
  assert.ok(Math.abs(Number(rate('kaiser')) - 9876.48) < 1e-9);
  assert.equal(rate('hann'), 9876);
});

test('what lies above the band of the faster sound is gone', () => {
  const { clip } = speed.apply(tone(4500), { factor: 2, method: 'kaiser' }, services);
  const loudest = clip.samples.subarray(1000, 7000).reduce((max, sample) => Math.max(max, Math.abs(sample)), 0);
  assert.ok(loudest < 1e-5, `${loudest}`);
});
