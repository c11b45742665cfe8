import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { shelf } from './shelf.ts';

const services = { random: createRandom(1) };
const sampleRate = 16000;

function gainDb(frequencyHz: number, parameters: Parameters<typeof shelf.apply>[1]): number {
  const samples = Float32Array.from(
    { length: 32000 },
    (_, n) => 0.5 * Math.sin((2 * Math.PI * frequencyHz * n) / sampleRate),
  );
  const middle = shelf.apply({ samples, sampleRate }, parameters, services).clip.samples.subarray(16000, 32000);
  return 10 * Math.log10(middle.reduce((sum, sample) => sum + sample * sample, 0) / middle.length / 0.125);
}

test('a tone gets the gain on its side, half of it at the corner, and none far away', () => {
  for (const gainDbAsked of [-20, 6, 30]) {
    const low = { side: 'low', gainDb: gainDbAsked, cornerHz: 500, slope: 1 } as const;
    assert.ok(Math.abs(gainDb(500, low) - gainDbAsked / 2) < 0.01);
    assert.ok(Math.abs(gainDb(10, low) - gainDbAsked) < 0.1);
    assert.ok(Math.abs(gainDb(7500, low)) < 0.05);
    const high = { ...low, side: 'high', cornerHz: 3000 } as const;
    assert.ok(Math.abs(gainDb(3000, high) - gainDbAsked / 2) < 0.01);
    assert.ok(Math.abs(gainDb(50, high)) < 0.05);
  }
});

test('a corner that the sound cannot have is a clear sentence', () => {
  const clip = { samples: new Float32Array(100), sampleRate: 4000 };
  assert.throws(
    () => shelf.apply(clip, { side: 'high', gainDb: 10, cornerHz: 3000, slope: 0.5 }, services),
    /^EarwitnessError: shelf: expected a corner below half .* \(2000 Hz\), but it is 3000 Hz; /,
  );
});
