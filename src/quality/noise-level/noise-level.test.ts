import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { testQuality } from '../conformance.ts';
import { estimateNoise, noiseLevel } from './noise-level.ts';

const services = { baseFolder: '/nowhere', fileHash: async () => '' };
testQuality({ measure: noiseLevel, options: {}, services, skip: false });

/** A tone that sounds half of the time, with white noise everywhere. */
function bursts(noise: number, sampleRate = 16_000, seconds = 4): Float32Array {
  const random = createRandom('bursts');
  return Float32Array.from({ length: sampleRate * seconds }, (_, n) => {
    const sounding = n % sampleRate < sampleRate / 2;
    return (sounding ? 0.2 * Math.sin((2 * Math.PI * 440 * n) / sampleRate) : 0) + noise * random.normal();
  });
}

test('A tone in bursts over noise of known power has the ratio of the two, within a decibel.', () => {
  for (const noise of [0.001, 0.01, 0.05]) {
    const { snrDb, noiseDbfs, speechDbfs } = estimateNoise({ samples: bursts(noise), sampleRate: 16_000 })!;
    // The tone's power is half its squared amplitude.
    const truth = 10 * Math.log10(0.02 / noise ** 2);
    assert.ok(Math.abs(snrDb - truth) < 1, `${snrDb} for ${truth}`);
    assert.ok(Math.abs(noiseDbfs - 20 * Math.log10(noise)) < 1, String(noiseDbfs));
    assert.ok(Math.abs(speechDbfs - 10 * Math.log10(0.02)) < 0.5, String(speechDbfs));
  }
});

test('A change of level moves both levels and leaves the ratio alone.', () => {
  const samples = bursts(0.01);
  const once = estimateNoise({ samples, sampleRate: 16_000 })!;
  const softer = estimateNoise({ samples: samples.map((sample) => sample / 2), sampleRate: 16_000 })!;
  assert.ok(Math.abs(once.snrDb - softer.snrDb) < 1e-4);
  assert.ok(Math.abs(once.noiseDbfs - softer.noiseDbfs - 6.0206) < 1e-3);
});

test('Stretches of digital silence are not taken for its noise.', () => {
  const samples = bursts(0.01);
  const gated = new Float32Array(2 * samples.length);
  gated.set(samples);
  const [plain, padded] = [samples, gated].map((one) => estimateNoise({ samples: one, sampleRate: 16_000 })!.snrDb);
  assert.ok(Math.abs(plain! - padded!) < 0.5, `${plain} ${padded}`);
});

test('A sound that never stops has none, with the reason.', async () => {
  const samples = Float32Array.from({ length: 16_000 }, (_, n) => Math.sin(n / 5));
  const measured = await (await noiseLevel.open({}, services)).measure({ samples, sampleRate: 16_000 }, null);
  assert.deepEqual(Object.values(measured.values), [null, null, null]);
  assert.match(measured.reason!, /no speech stands out/);
});
