import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { highPass } from './high-pass.ts';

const services = { random: createRandom(1) };
const sampleRate = 16000;

function levelDb(frequencyHz: number, cutoffHz: number): number {
  const samples = Float32Array.from(
    { length: 32000 },
    (_, n) => 0.5 * Math.sin((2 * Math.PI * frequencyHz * n) / sampleRate),
  );
  const { clip } = highPass.apply({ samples, sampleRate }, { cutoffHz }, services);
  const middle = clip.samples.subarray(8000, 24000);
  return 10 * Math.log10(middle.reduce((sum, sample) => sum + sample * sample, 0) / middle.length / 0.125);
}

test('passes what is far on the right side of the cutoff, and halves the amplitude at it', () => {
  for (const cutoffHz of [500, 700, 900]) {
    assert.ok(Math.abs(levelDb(cutoffHz, cutoffHz) + 6.0206) < 0.01);
    assert.ok(Math.abs(levelDb(cutoffHz * 6, cutoffHz)) < 0.05);
  }
});

test('takes away what is on the other side: 24 dB per octave', () => {
  // Two passes of an analogue Butterworth of order 2: -10 log10(1 + ratio^4) each; the bilinear transform bends it a little.
  for (const octaves of [1, 2, 3]) {
    const expected = -20 * Math.log10(1 + 16 ** octaves);
    const got = levelDb(600 / 2 ** octaves, 600);
    assert.ok(Math.abs(got - expected) < 0.5, `${octaves} octaves: ${got} dB`);
  }
});

test('a cutoff that the sound cannot have is a clear sentence', () => {
  const clip = { samples: new Float32Array(100), sampleRate: 8000 };
  assert.throws(
    () => highPass.apply(clip, { cutoffHz: 4000 }, services),
    /^InapplicableStep: high-pass: expected a cutoff below half .* \(4000 Hz\)/,
  );
});
