import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { createRandom } from '../base/random.ts';
import { encodeWav } from './encode-wav.ts';
import { decodePcm } from './pcm.ts';
import { resample } from './resample.ts';
import { wavLayout } from './wav-layout.ts';

function tones(frequencies: readonly number[], sampleRate: number, length: number): Float32Array {
  return Float32Array.from({ length }, (_, n) =>
    frequencies.reduce((sum, hz, k) => sum + Math.sin((2 * Math.PI * hz * n) / sampleRate + k) / frequencies.length, 0),
  );
}

/** Ratio of energies in decibels, a third of a second left out at both ends, where tones are switched on and off. */
function energyRatioDb(
  of: (n: number) => number,
  by: (n: number) => number,
  length: number,
  sampleRate: number,
): number {
  const margin = Math.ceil(sampleRate * 0.3);
  let above = 0;
  let below = 0;
  for (let n = margin; n < length - margin; n++) {
    above += of(n) ** 2;
    below += by(n) ** 2;
  }
  return 10 * Math.log10(above / below);
}

const ratePairs = [
  [16000, 8000],
  [8000, 16000],
  [44100, 16000],
  [48000, 16000],
  [22050, 16000],
  [16000, 44100],
  [39690, 16000],
  [13454, 16000],
  [192000, 8000],
  // Ratios that no fast transform fits.
  [16000, 15999],
  [44100, 7999],
  [16000, 16596.8],
] as const;

for (const [from, to] of ratePairs) {
  const lower = Math.min(from, to) / 2;

  test(`tones up to .93 of half the lower rate come out of ${from} to ${to} with at least 120 dB SNR and no delay`, () => {
    for (const place of [0.01, 0.3, 0.7, 0.93]) {
      const { samples } = resample({ samples: tones([place * lower], from, from), sampleRate: from }, to);
      const expected = tones([place * lower], to, samples.length);
      const snr = energyRatioDb(
        (n) => expected[n]!,
        (n) => expected[n]! - samples[n]!,
        samples.length,
        to,
      );
      assert.ok(snr >= 120, `${place}: ${snr.toFixed(1)} dB`);
    }
  });

  if (from > to) {
    test(`tones from half the lower rate on are at least 110 dB down from ${from} to ${to}`, () => {
      for (const place of [1.0005, 1.1, 1.5, 1.9]) {
        if (place * lower >= from / 2) continue;
        const { samples } = resample({ samples: tones([place * lower], from, from), sampleRate: from }, to);
        const level = energyRatioDb(
          (n) => samples[n]!,
          () => Math.SQRT1_2,
          samples.length,
          to,
        );
        assert.ok(level <= -110, `${place}: ${level.toFixed(1)} dB`);
      }
    });
  }
}

test('the length is that of the clip times the ratio, rounded, for any length', () => {
  for (const [from, to] of ratePairs) {
    for (const length of [0, 1, 2, 99, 4097]) {
      const { samples } = resample({ samples: new Float32Array(length), sampleRate: from }, to);
      assert.equal(samples.length, Math.round((length * to) / from), `${length} from ${from} to ${to}`);
    }
  }
});

test('a clip of many blocks gives the same samples as its parts do, and a second call the same as the first', () => {
  const random = createRandom('blocks');
  const samples = Float32Array.from({ length: 50_000 }, () => random.normal() / 5);
  const whole = resample({ samples, sampleRate: 16000 }, 8000).samples;
  assert.deepEqual(resample({ samples, sampleRate: 16000 }, 8000).samples, whole);
  const part = resample({ samples: samples.subarray(20_000, 40_000), sampleRate: 16000 }, 8000).samples;
  for (let n = 500; n < 9500; n++) assert.ok(Math.abs(part[n]! - whole[n + 10_000]!) < 2e-7, `sample ${n}`);
});

test('there and back again nothing is lost below .93 of half the lower rate', () => {
  const samples = tones([100, 1000, 3000, 3700], 16000, 16000);
  const there = resample({ samples, sampleRate: 16000 }, 8000);
  const back = resample(there, 16000).samples;
  assert.equal(back.length, samples.length);
  const snr = energyRatioDb(
    (n) => samples[n]!,
    (n) => samples[n]! - back[n]!,
    back.length,
    16000,
  );
  assert.ok(snr >= 115, `${snr.toFixed(1)} dB`);
});

test('the input is left as it was, and the same rate gives the clip itself', () => {
  const clip = { samples: tones([440], 16000, 1000), sampleRate: 16000 };
  const copy = clip.samples.slice();
  resample(clip, 44100);
  assert.deepEqual(clip.samples, copy);
  assert.equal(resample(clip, 16000), clip);
  assert.throws(() => resample(clip, 0), RangeError);
  assert.throws(() => resample(clip, Number.NaN), RangeError);
  assert.throws(
    () => resample({ ...clip, sampleRate: 1_536_000 }, 16_000),
    /EarwitnessError: expected audio that can be brought to 16000 Hz .* rate is 1536000 Hz; make .* -ar 48000 OUT/,
  );
  assert.equal(resample({ ...clip, sampleRate: 64 * 16_000 }, 16_000).samples.length, 16);
});

const sox = spawnSync('sox', ['--version']).status === 0;
for (const [from, to] of ratePairs.filter((pair) => pair.every(Number.isInteger))) {
  test(`SoX's best resampler gives the same from ${from} to ${to}`, {
    skip: !sox && 'the program sox is not installed',
  }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'earwitness-test-'));
    try {
      const lower = Math.min(from, to) / 2;
      const clip = {
        samples: tones(
          [0.02, 0.1, 0.37, 0.6, 0.85, 0.9].map((f) => f * lower),
          from,
          from,
        ),
        sampleRate: from,
      };
      const [input, output] = [join(folder, 'in.wav'), join(folder, 'out.wav')];
      writeFileSync(input, encodeWav(clip, { format: 'f32' }));
      execFileSync('sox', [input, '-b', '32', '-e', 'floating-point', output, 'rate', '-v', `${to}`]);
      const bytes = readFileSync(output);
      const layout = wavLayout(bytes, bytes.length, output)!;
      const theirs = decodePcm(bytes.subarray(layout.dataOffset), layout).samples;
      const ours = resample(clip, to).samples;
      assert.ok(Math.abs(theirs.length - ours.length) <= 1, `${theirs.length} and ${ours.length} samples`);
      const difference = energyRatioDb(
        (n) => ours[n]! - theirs[n]!,
        (n) => theirs[n]!,
        Math.min(theirs.length, ours.length),
        to,
      );
      // Where its filter has no row for every phase, SoX itself is 70 to 83 dB from the tones (bench/resampling.ts).
      const whole = Number.isInteger(Math.max(from, to) / Math.min(from, to));
      assert.ok(difference <= (whole ? -110 : -68), `${difference.toFixed(1)} dB`);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
