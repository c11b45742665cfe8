import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { applySteps } from '../apply-steps.ts';
import { clipPeaks } from '../clip-peaks/clip-peaks.ts';
import type { Perturbation } from '../contract.ts';
import { dropChunks } from '../drop-chunks/drop-chunks.ts';
import { gain } from '../gain/gain.ts';
import { highPass } from '../high-pass/high-pass.ts';
import { lowPass } from '../low-pass/low-pass.ts';
import { playbackRate } from '../playback-rate/playback-rate.ts';
import { quantize } from '../quantize/quantize.ts';
import { sampleRate } from '../sample-rate/sample-rate.ts';
import { listScenarios, resolveScenario } from '../scenarios.ts';
import { whiteNoise } from '../white-noise/white-noise.ts';
import { aequevox } from './aequevox.ts';

const members: Perturbation[] = [
  sampleRate,
  gain,
  clipPeaks,
  dropChunks,
  highPass,
  lowPass,
  playbackRate,
  quantize,
  whiteNoise,
];
const bank = new Map(members.map((member) => [member.name, member]));

/** Half of the range, as 16-bit integers. */
const random = createRandom('speech');
const integers = Int16Array.from({ length: 16000 }, () => Math.round((2 * random.next() - 1) * 16000));
const clip = { samples: Float32Array.from(integers, (integer) => integer / 32768), sampleRate: 16000 };

async function apply(name: string) {
  const { steps } = resolveScenario(name, [aequevox])[0]!;
  const applied = await applySteps(clip, steps, {
    ready: (position) => ({ perturbation: bank.get(steps[position]!.perturbation)!, prepared: null }),
    randomFor: (position) => createRandom({ name, position }),
  });
  return applied.clip;
}

test('the severities are those of Table 2 of the paper, least to most destructive, with the amplitude of 2', () => {
  const severities = Object.fromEntries(
    aequevox.families.map(({ name, rungs }) => [name, rungs.map(({ label }) => Number.parseFloat(label))]),
  );
  assert.deepEqual(severities, {
    original: [1],
    amplitude: [2, 0.5, 0.4, 0.3, 0.2, 0.1],
    clipping: [0.05, 0.04, 0.03, 0.02, 0.01],
    drop: [5, 10, 15, 20, 25],
    frame: [10, 20, 30, 40, 50],
    'high-pass': [500, 600, 700, 800, 900],
    'low-pass': [900, 800, 700, 600, 500],
    noise: [10, 8, 6, 4, 2],
    scale: [0.9, 0.8, 0.7, 0.6, 0.5],
  });
});

test('every step is complete: its perturbation takes the parameters as they are', () => {
  for (const { condition } of listScenarios([aequevox])) {
    for (const { perturbation, parameters } of condition.steps) {
      assert.deepEqual(bank.get(perturbation)!.parameters.parse(parameters), parameters, condition.name);
    }
  }
});

/** The program's own last lines, in doubles: `y /= 1.414; y *= 32767; int16(y)`, but for overflow. */
function program(value: number, limit = Number.POSITIVE_INFINITY): number {
  // biome-ignore lint/suspicious/noApproximativeNumericConstant: the program divides by 1.414, not by the root of 2
  const softer = Math.max(-limit, Math.min(limit, value / 1.414));
  return Math.trunc(Math.max(-32768, Math.min(32767, softer * 32767)));
}

test('gives the integers of the paper’s program, but for one step in a few of a thousand', async () => {
  for (const [name, expected] of [
    ['aequevox/original:1', (sample: number) => program(sample)],
    ['aequevox/amplitude:1', (sample: number) => program(2 * sample)],
    ['aequevox/amplitude:6', (sample: number) => program(0.1 * sample)],
    ['aequevox/clipping:1', (sample: number) => program(sample, 0.05)],
    ['aequevox/clipping:5', (sample: number) => program(sample, 0.01)],
    ['aequevox/scale:5', (sample: number) => program(sample)],
  ] as const) {
    const changed = await apply(name);
    let different = 0;
    for (const [n, sample] of changed.samples.entries()) {
      const integer = sample * 32768;
      assert.ok(Number.isInteger(integer), `${name} at ${n}`);
      const difference = Math.abs(integer - expected(clip.samples[n]!));
      assert.ok(difference <= 1, `${name} at ${n}: ${difference}`);
      different += difference;
    }
    // The program calculates in doubles, a clip holds 32-bit floats: what lies just at an integer may be cut otherwise.
    assert.ok(different < 0.005 * 16000, `${name}: ${different} samples differ`);
  }
});

test('high-pass takes away low frequencies and low-pass high ones, as their names say', async () => {
  const power = (samples: Float32Array) => samples.reduce((sum, sample) => sum + sample * sample, 0);
  const differences = ({ samples }: { samples: Float32Array }) =>
    power(samples.map((sample, n) => sample - (samples[n - 1] ?? 0))) / power(samples);
  // Neighbours in white noise are independent (2); a rise in either frequency content moves this ratio its own way.
  assert.ok(differences(await apply('aequevox/high-pass:5')) > 1.9);
  assert.ok(differences(await apply('aequevox/low-pass:5')) < 0.1);
});

test('every scenario sounds different from every other, and none is silent', async () => {
  const heard = new Set<string>();
  for (const { condition } of listScenarios([aequevox])) {
    const { samples, sampleRate } = await apply(condition.name);
    assert.ok(samples.some((sample) => sample !== 0));
    heard.add(`${sampleRate} ${samples.join()}`);
  }
  assert.equal(heard.size, 42);
});

const note = new URL('../../../design/aequevox.md', import.meta.url);

test('the design note lists every name with its severity', {
  skip: !existsSync(note) && 'the note is not here',
}, () => {
  const text = readFileSync(note, 'utf8');
  for (const { condition } of listScenarios([aequevox])) {
    assert.ok(text.includes(`| \`${condition.name}\` | ${condition.rung.label} |`), condition.name);
  }
});
