import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rms } from '../../audio/levels.ts';
import { createRandom } from '../../base/random.ts';
import { narrowBand } from './narrow-band.ts';

/** Level in dB of a tone behind the band-pass, beside what it was, in the middle of the sound. */
function gainDb(hz: number, sampleRate: number): number {
  const samples = Float32Array.from(
    { length: sampleRate },
    (_, n) => 0.5 * Math.sin((2 * Math.PI * hz * n) / sampleRate),
  );
  const { clip } = narrowBand.apply({ samples, sampleRate }, { lowHz: 300, highHz: 3400 }, { random: createRandom(1) });
  const middle = (all: Float32Array) => all.subarray(sampleRate / 4, (3 * sampleRate) / 4);
  return 20 * Math.log10(rms(middle(clip.samples)) / rms(middle(samples)));
}

test('tones pass between the corners, are 6 dB down at them, and gone beyond, at every rate', () => {
  for (const sampleRate of [8000, 16000, 44100, 48000]) {
    for (const hz of [440, 1000, 3200]) assert.ok(Math.abs(gainDb(hz, sampleRate)) < 0.01, `${hz} at ${sampleRate}`);
    for (const hz of [300, 3400]) assert.ok(Math.abs(gainDb(hz, sampleRate) + 6.02) < 0.05, `${hz} at ${sampleRate}`);
    for (const hz of [50, 150, 3600]) assert.ok(gainDb(hz, sampleRate) < -90, `${hz} at ${sampleRate}`);
  }
  for (const hz of [4100, 7000]) assert.ok(gainDb(hz, 16000) < -90);
});

test('corners in the wrong order are refused', () => {
  assert.equal(narrowBand.parameters.safeParse({ lowHz: 3000, highHz: 2000 }).success, false);
});
