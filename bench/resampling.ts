/**
 * Quality and speed of the resampler, beside SoX where it is installed: `node bench/resampling.ts`.
 *
 * SNR: the lowest of tones at .01, .3, .7 and .9 of half the lower rate, against the tone computed at the new rate; beside
 * it that of a tone at .93, the end of our pass band (SoX is 3 dB down at .95). Alias: the highest level of tones at 1.0005,
 * 1.1 and 1.5 of half the lower rate, relative to their input. Speed: the best of five for a minute of noise, times 60,
 * elapsed time of both, so the machine must be idle. SoX reads and writes files of 32-bit floats, ours works in memory; the
 * time SoX takes to start is taken off.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Table from 'cli-table3';
import { encodeWav } from '../src/audio/encode-wav.ts';
import { decodePcm } from '../src/audio/pcm.ts';
import { resample } from '../src/audio/resample.ts';
import { wavLayout } from '../src/audio/wav-layout.ts';
import { createRandom } from '../src/base/random.ts';

type Resample = (samples: Float32Array, from: number, to: number) => Float32Array;

const pairs = [
  [44100, 16000],
  [48000, 16000],
  [8000, 16000],
  [16000, 8000],
  [16000, 44100],
  [39690, 16000],
  [16000, 15999],
] as const;

const folder = mkdtempSync(join(tmpdir(), 'earwitness-bench-'));
try {
  const table = new Table({
    head: ['from', 'to', 'SNR dB', '.93', 'alias dB', 's per hour', 'SoX SNR dB', '.93', 'alias dB', 's per hour'],
    colAligns: Array.from({ length: 10 }, () => 'right' as const),
    style: { head: [], border: [] },
  });
  const hasSox = spawnSync('sox', ['--version']).status === 0;
  const ours: Resample = (samples, from, to) => resample({ samples, sampleRate: from }, to).samples;
  for (const [from, to] of pairs) {
    const own = quality(ours, from, to);
    const sox = hasSox ? quality(throughSox, from, to) : null;
    table.push([
      from,
      to,
      own.snrDb.toFixed(1),
      own.edgeSnrDb.toFixed(1),
      shown(own.aliasDb),
      secondsPerHour(from, to).toFixed(2),
      sox?.snrDb.toFixed(1) ?? '-',
      sox?.edgeSnrDb.toFixed(1) ?? '-',
      shown(sox?.aliasDb ?? null),
      hasSox ? soxSecondsPerHour(from, to).toFixed(2) : '-',
    ]);
  }
  console.log(table.toString());
} finally {
  rmSync(folder, { recursive: true });
}

/** Digital silence has no level. */
function shown(levelDb: number | null): string {
  return levelDb === null ? '-' : levelDb < -200 ? '< -200' : levelDb.toFixed(1);
}

function quality(change: Resample, from: number, to: number) {
  const half = Math.min(from, to) / 2;
  const snrs = [0.01, 0.3, 0.7, 0.9, 0.93].map((place) => {
    const found = change(tone(place * half, from, from), from, to);
    const expected = tone(place * half, to, found.length);
    return decibels(
      energy(expected, to),
      energy(
        expected.map((sample, n) => sample - found[n]!),
        to,
      ),
    );
  });
  const above = [1.0005, 1.1, 1.5].filter((place) => place * half < from / 2);
  const aliases = above.map((place) => {
    const input = tone(place * half, from, from);
    return decibels(energy(change(input, from, to), to) * (from / to), energy(input, from));
  });
  return {
    snrDb: Math.min(...snrs.slice(0, -1)),
    edgeSnrDb: snrs.at(-1)!,
    aliasDb: aliases.length > 0 ? Math.max(...aliases) : null,
  };
}

function tone(hz: number, sampleRate: number, length: number): Float32Array {
  return Float32Array.from({ length }, (_, n) => 0.5 * Math.sin((2 * Math.PI * hz * n) / sampleRate + 0.3));
}

/** Of the middle: the tones are switched on and off, which is heard at all frequencies. */
function energy(samples: Float32Array, sampleRate: number): number {
  const margin = Math.ceil(0.3 * sampleRate);
  return samples.subarray(margin, samples.length - margin).reduce((sum, sample) => sum + sample * sample, 0);
}

function decibels(above: number, below: number): number {
  return 10 * Math.log10(above / below);
}

function noise(sampleRate: number): Float32Array {
  const random = createRandom('noise');
  return Float32Array.from({ length: 60 * sampleRate }, () => random.next() - 0.5);
}

function secondsPerHour(from: number, to: number): number {
  const clip = { samples: noise(from), sampleRate: from };
  const times = Array.from({ length: 6 }, () => {
    const began = performance.now();
    resample(clip, to);
    return (performance.now() - began) / 1000;
  });
  return 60 * Math.min(...times.slice(1));
}

function throughSox(samples: Float32Array, from: number, to: number): Float32Array {
  const output = join(folder, 'out.wav');
  writeFileSync(join(folder, 'in.wav'), encodeWav({ samples, sampleRate: from }, { format: 'f32' }));
  runSox(to, output);
  const bytes = readFileSync(output);
  const layout = wavLayout(bytes, bytes.length, output);
  if (layout === null) throw new Error('SoX wrote no samples');
  return decodePcm(bytes.subarray(layout.dataOffset), layout).samples;
}

function soxSecondsPerHour(from: number, to: number): number {
  writeFileSync(join(folder, 'in.wav'), encodeWav({ samples: noise(from), sampleRate: from }, { format: 'f32' }));
  const elapsed = (action: () => void) => {
    const times = Array.from({ length: 5 }, () => {
      const began = performance.now();
      action();
      return (performance.now() - began) / 1000;
    });
    return Math.min(...times);
  };
  return 60 * (elapsed(() => runSox(to, join(folder, 'out.wav'))) - elapsed(() => spawnSync('sox', ['--version'])));
}

function runSox(to: number, output: string): void {
  const format = ['-b', '32', '-e', 'floating-point'];
  spawnSync('sox', ['--single-threaded', join(folder, 'in.wav'), ...format, output, 'rate', '-v', `${to}`]);
}
