import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { golden } from '../../base/testing/golden.ts';
import { type SincBand, sincTaps } from './sinc-filter.ts';

const band = (highPassHz: number, lowPassHz: number): SincBand => ({
  highPassHz,
  lowPassHz,
  transitionShare: 0.05,
  attenuationDb: 120,
});

function gainDb(taps: Float64Array, frequencyHz: number, sampleRate: number): number {
  const middle = (taps.length - 1) / 2;
  const gain = taps.reduce(
    (sum, tap, n) => sum + tap * Math.cos((2 * Math.PI * frequencyHz * (n - middle)) / sampleRate),
    0,
  );
  return 20 * Math.log10(Math.abs(gain) + 1e-12);
}

test('passes on one side, is 6 dB down at the corner and beyond the transition as far down as asked', () => {
  for (const sampleRate of [8000, 16000, 44100]) {
    for (const attenuationDb of [70, 120]) {
      // The transition is 5 % of half the rate wide, and its middle at the corner.
      const beyond = 0.026 * (sampleRate / 2);
      const low = sincTaps({ ...band(0, 1500), attenuationDb }, sampleRate);
      const high = sincTaps({ ...band(1500, 0), attenuationDb }, sampleRate);
      for (const [taps, side] of [
        [low, 1],
        [high, -1],
      ] as const) {
        assert.ok(Math.abs(gainDb(taps, 1500, sampleRate) + 6.02) < 0.05);
        assert.ok(Math.abs(gainDb(taps, 1500 - side * beyond, sampleRate)) < 0.01);
        for (const more of [0, 77, 333]) {
          assert.ok(gainDb(taps, 1500 + side * (beyond + more), sampleRate) < -(attenuationDb - 4));
        }
      }
    }
  }
});

test('two corners pass what is between them, or, the other way round, all else', () => {
  const between = sincTaps(band(300, 3400), 16000);
  const around = sincTaps(band(3400, 300), 16000);
  for (const [frequencyHz, inside] of [
    [50, false],
    [1000, true],
    [5000, false],
  ] as const) {
    assert.equal(gainDb(between, frequencyHz, 16000) > -0.01, inside);
    assert.equal(gainDb(around, frequencyHz, 16000) > -0.01, !inside);
  }
});

test('no corner takes nothing away; a corner at half the sample rate is refused', () => {
  assert.deepEqual([...sincTaps(band(0, 0), 16000)], [1]);
  assert.throws(() => sincTaps(band(0, 8000), 16000), /expected corners from 0 to below 8000 Hz/);
  assert.throws(() => sincTaps({ ...band(0, 100), attenuationDb: 40 }, 16000), /60 dB/);
});

const goldens = golden('sox/coefficients.json');

test('the taps are those that SoX prints', () => {
  const { sinc } = JSON.parse(readFileSync(goldens, 'utf8')) as {
    sinc: { rate: number; effect: string; taps: number; first_half_and_centre: number[] }[];
  };
  for (const { rate, effect, taps, first_half_and_centre: half } of sinc) {
    const [, high, low] = /^sinc (\d+)(?:-(\d+))?$/.exec(effect)!;
    const ours = sincTaps(band(Number(high), Number(low ?? 0)), rate);
    assert.equal(ours.length, taps, effect);
    for (const [n, tap] of half.entries()) assert.ok(Math.abs(ours[n]! - tap) < 1e-10, `${effect} at ${n}`);
  }
});

const sox = spawnSync('sox', ['--version'], { encoding: 'utf8' });

test('the taps are those of the SoX that is installed, at other corners, rates, widths and attenuations', {
  skip: !/v14\.4\.2/.test(sox.stdout ?? '') && 'SoX 14.4.2 is not installed',
}, () => {
  const cases: [sampleRate: number, options: string[], corners: string, SincBand][] = [
    [8000, [], '0-37', band(0, 37)],
    [11025, ['-a', '75'], '5000', { ...band(5000, 0), attenuationDb: 75 }],
    [22050, ['-a', '150', '-t', '300'], '0-10', { ...band(0, 10), attenuationDb: 150, transitionShare: 300 / 11025 }],
    [44100, ['-a', '60'], '3000-3500', { ...band(3000, 3500), attenuationDb: 60 }],
    [48000, ['-a', '180', '-t', '90'], '23000', { ...band(23000, 0), attenuationDb: 180, transitionShare: 90 / 24000 }],
    [16000, [], '3900-50', band(3900, 50)],
  ];
  for (const [sampleRate, options, corners, asked] of cases) {
    const plot = ['--plot', 'data', '-r', String(sampleRate), '-n', '-n', 'sinc', ...options, corners];
    const { stdout } = spawnSync('sox', plot, { encoding: 'utf8' });
    const theirs = stdout.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
    const ours = sincTaps(asked, sampleRate);
    assert.equal(ours.length, theirs.length, corners);
    for (const [n, tap] of theirs.entries()) assert.ok(Math.abs(ours[n]! - Number(tap)) < 1e-12, `${corners} at ${n}`);
  }
});
