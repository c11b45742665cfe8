import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rms } from '../../audio/levels.ts';
import { createRandom } from '../../base/random.ts';
import { whiteNoise } from './white-noise.ts';

const sine = (length: number) => Float32Array.from({ length }, (_, n) => 0.3 * Math.sin(n / 5));

test('the signal-to-noise ratio is the one asked for, on short clips and long ones', () => {
  for (const length of [10, 1600, 160_000]) {
    for (const snrDb of [-20, 2, 4, 6, 8, 10, 40]) {
      const samples = sine(length);
      const { clip, facts } = whiteNoise.apply(
        { samples, sampleRate: 16000 },
        { snrDb },
        { random: createRandom(length) },
      );
      const noise = clip.samples.map((sample, n) => sample - samples[n]!);
      const measured = 20 * Math.log10(rms(samples) / rms(noise));
      assert.ok(Math.abs(measured - snrDb) < 0.01, `${length} samples at ${snrDb} dB: ${measured}`);
      assert.equal(facts.askedSnrDb, snrDb);
      assert.ok(Math.abs(Number(facts.achievedSnrDb) - measured) < 0.01);
    }
  }
});

test('the noise is Gaussian and white', () => {
  const samples = sine(160_000);
  const { clip } = whiteNoise.apply({ samples, sampleRate: 16000 }, { snrDb: 0 }, { random: createRandom('white') });
  const level = rms(samples);
  const noise = clip.samples.map((sample, n) => (sample - samples[n]!) / level);
  const mean = (of: (n: number) => number) => noise.reduce((sum, _, n) => sum + of(n), 0) / noise.length;
  // Each mean has a standard error of at most .0025 sqrt(96) = .025 (the fourth power), the others .0025 to .01.
  assert.ok(Math.abs(mean((n) => noise[n]!)) < 0.01);
  assert.ok(Math.abs(mean((n) => noise[n]! ** 3)) < 0.05);
  assert.ok(Math.abs(mean((n) => noise[n]! ** 4) - 3) < 0.1);
  for (let lag = 1; lag <= 20; lag++) assert.ok(Math.abs(mean((n) => noise[n]! * (noise[n - lag] ?? 0))) < 0.0125);
});

test('digital silence is a clear sentence, no sound stays no sound', () => {
  const silence = { samples: new Float32Array(100), sampleRate: 8000 };
  assert.throws(
    () => whiteNoise.apply(silence, { snrDb: 10 }, { random: createRandom(1) }),
    /^InapplicableStep: white-noise: expected a clip .* digital silence/,
  );
  const nothing = { samples: new Float32Array(0), sampleRate: 8000 };
  const { facts } = whiteNoise.apply(nothing, { snrDb: 10 }, { random: createRandom(1) });
  assert.deepEqual(facts, { askedSnrDb: 10, achievedSnrDb: null });
});

test('a ratio without end is refused', () => {
  assert.equal(whiteNoise.parameters.safeParse({ snrDb: Number.POSITIVE_INFINITY }).success, false);
  assert.equal(whiteNoise.parameters.safeParse({ snrDb: 1000 }).success, false);
});
