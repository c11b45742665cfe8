import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { shelf } from './shelf.ts';

const services = { random: createRandom(1) };
const sampleRate = 16000;

type ShelfParameters = Parameters<typeof shelf.apply>[1];

function gainDb(frequencyHz: number, parameters: ShelfParameters): number {
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
    /^InapplicableStep: shelf: expected a corner below half .* \(2000 Hz\), but it is 3000 Hz; /,
  );
});

test('a steepness may be a slope, octaves or a quality factor, one and the same where they say the same', () => {
  const tone = { side: 'low', gainDb: 12, cornerHz: 500 } as const;
  // By the cookbook: S = 1 is Q = 1 / sqrt(2), and Q = 2 the slope 1 / (1 - 1.75 / (A + 1 / A)).
  const amplitude = 10 ** (12 / 40);
  const same: readonly (readonly [ShelfParameters['slope'], ShelfParameters['slope']])[] = [
    [1, { quality: Math.SQRT1_2 }],
    [1 / (1 - 1.75 / (amplitude + 1 / amplitude)), { quality: 2 }],
  ];
  for (const [slope, other] of same) {
    for (const hertz of [200, 500, 900]) {
      const difference = gainDb(hertz, { ...tone, slope }) - gainDb(hertz, { ...tone, slope: other });
      assert.ok(Math.abs(difference) < 1e-6, `${hertz} Hz: ${difference} dB`);
    }
  }
  // A steep one has a bump: more than its gain below the corner.
  assert.ok(gainDb(300, { ...tone, slope: { quality: 3 } }) > 13);
  assert.ok(gainDb(300, { ...tone, slope: { octaves: 3 } }) < 11);
});

test('a slope that no shelf of the gain has is refused, and a width beyond all makes no sound of no numbers', () => {
  const accepted = (slope: unknown, gain: number) =>
    shelf.parameters.safeParse({ side: 'low', gainDb: gain, cornerHz: 150, slope });
  assert.ok(accepted(1.9, -12).success);
  assert.match(accepted(6, -12).error!.issues[0]!.message, /at most 5\.03, the steepest of this gain/);
  assert.ok(accepted(6, 3).success);
  assert.ok(!accepted({ octaves: 0 }, 3).success);
  const wide = { side: 'high', gainDb: 12, cornerHz: 7999.9, slope: { octaves: 20 } } as const;
  assert.ok(Math.abs(gainDb(500, wide)) < 13);
});
