import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { testQuality } from '../conformance.ts';
import { measurePitch, pitch } from './pitch.ts';

const services = { baseFolder: '/nowhere', fileHash: async () => '' };
testQuality({ measure: pitch, options: {}, services, skip: false });

/** Harmonics that get softer, as a voice has. */
function voice(hertz: number, sampleRate: number, seconds = 1): Float32Array {
  return Float32Array.from({ length: Math.round(sampleRate * seconds) }, (_, n) => {
    let sum = 0;
    for (let harmonic = 1; harmonic <= 8; harmonic++) {
      sum += Math.sin((2 * Math.PI * harmonic * hertz * n) / sampleRate) / harmonic;
    }
    return 0.1 * sum;
  });
}

test('A tone of harmonics has the pitch of the first, within half a percent, at any rate.', () => {
  for (const sampleRate of [8000, 16_000, 44_100]) {
    for (const hertz of [80, 120, 210, 333]) {
      const { medianHz, voicedShare } = measurePitch({ samples: voice(hertz, sampleRate), sampleRate })!;
      assert.ok(Math.abs(medianHz / hertz - 1) < 0.005, `${medianHz} for ${hertz} at ${sampleRate}`);
      assert.equal(voicedShare, 1);
    }
  }
});

test('A voice over noise of 10 dB keeps its pitch; silence halves the share of voiced frames.', () => {
  const random = createRandom('pitch');
  const samples = voice(150, 16_000);
  const power = samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length;
  const noisy = samples.map((sample) => sample + Math.sqrt(power / 10) * random.normal());
  assert.ok(Math.abs(measurePitch({ samples: noisy, sampleRate: 16_000 })!.medianHz - 150) < 2);
  const longer = new Float32Array(2 * samples.length);
  longer.set(samples);
  const { voicedShare } = measurePitch({ samples: longer, sampleRate: 16_000 })!;
  assert.ok(Math.abs(voicedShare - 0.5) < 0.03, String(voicedShare));
});

test('White noise has no pitch.', async () => {
  const random = createRandom('noise');
  const samples = Float32Array.from({ length: 16_000 }, () => random.normal());
  const measured = await (await pitch.open({}, services)).measure({ samples, sampleRate: 16_000 }, null);
  assert.equal(measured.values.medianPitchHz, null);
  assert.match(measured.reason!, /voiced/);
});
