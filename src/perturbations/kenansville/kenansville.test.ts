import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { kenansville } from './kenansville.ts';

const services = { random: createRandom(1) };
const sampleRate = 16_000;
const apply = (samples: Float32Array, snrDb: number) => kenansville.apply({ samples, sampleRate }, { snrDb }, services);
const tones = (length: number, ...parts: readonly (readonly [cycles: number, size: number])[]) =>
  Float32Array.from({ length }, (_, n) =>
    parts.reduce((sum, [cycles, size]) => sum + size * Math.cos((2 * Math.PI * cycles * n) / length), 0),
  );
const snrDbOf = (before: Float32Array, after: Float32Array) => {
  let [signal, gone] = [0, 0];
  before.forEach((sample, n) => {
    signal += sample ** 2;
    gone += (sample - after[n]!) ** 2;
  });
  return 10 * Math.log10(signal / gone);
};

test('of three tones the weakest go as soon as the ratio allows, and the others stay', () => {
  // Energies 1, .01 and .0001 of the strongest: the weakest is 40.04 dB below all, the two weaker together 20 dB.
  const all = tones(1600, [100, 0.5], [220, 0.05], [340, 0.005]);
  const close = (found: Float32Array, expected: Float32Array) =>
    found.forEach((sample, n) => {
      assert.ok(Math.abs(sample - expected[n]!) < 1e-6);
    });
  close(apply(all, 40.1).clip.samples, all);
  close(apply(all, 40).clip.samples, tones(1600, [100, 0.5], [220, 0.05]));
  close(apply(all, 20.01).clip.samples, tones(1600, [100, 0.5], [220, 0.05]));
  close(apply(all, 19.99).clip.samples, tones(1600, [100, 0.5]));
});

test('never takes more than the ratio allows, and of noise nearly all that it does, at any length', () => {
  const random = createRandom('kenansville');
  for (const length of [1, 2, 999, 16_001, 20_011]) {
    const samples = Float32Array.from({ length }, () => 0.1 * random.normal());
    for (const snrDb of [10, 20, 30]) {
      const { clip, facts } = apply(samples, snrDb);
      assert.equal(clip.samples.length, length);
      if (facts.achievedSnrDb === null) continue;
      const found = snrDbOf(samples, clip.samples);
      assert.ok(found >= snrDb - 1e-4, `${found} dB of ${snrDb} at ${length}`);
      assert.ok(Math.abs(found - Number(facts.achievedSnrDb)) < 1e-6);
      if (length > 10_000) assert.ok(found < snrDb + 0.3, `${found} dB of ${snrDb} at ${length}`);
    }
  }
});

test('silence has no ratio', () => {
  assert.throws(() => apply(new Float32Array(100), 10), /kenansville: expected a clip .* but it is digital silence/);
});
