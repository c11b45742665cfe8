import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { withoutRate } from '../../model/trial.ts';
import { applySteps } from '../apply-steps.ts';
import type { Perturbation } from '../contract.ts';
import { listScenarios, resolveScenario } from '../scenarios.ts';
import { earwitness } from './earwitness.ts';
import { srb } from './srb.ts';

/** The families that both have; the others are of calls and recordings. */
const mended = { ...earwitness, families: earwitness.families.slice(0, srb.families.length) };
const ladders = [srb, mended];
const steps = listScenarios(ladders).flatMap(({ condition }) =>
  condition.steps.map((step) => ({ name: condition.name, ...step })),
);
const bank = new Map(
  await Promise.all(
    [...new Set(steps.map(({ perturbation }) => perturbation))].map(async (name) => {
      const module: Record<string, Perturbation> = await import(`../${name}/${name}.ts`);
      return [name, Object.values(module).find((value) => value?.name === name)!] as const;
    }),
  ),
);

test('every step of both ladders is complete: its perturbation takes the parameters as they are', () => {
  for (const { name, perturbation, parameters } of steps) {
    assert.deepEqual(bank.get(perturbation)!.parameters.parse(parameters), parameters, name);
  }
});

test('both ladders have the same 25 families of four', () => {
  const names = (ladder: typeof srb) => ladder.families.map(({ name }) => name);
  assert.equal(listScenarios([srb]).length, 100);
  assert.deepEqual(names(mended), names(srb));
  for (const { name, rungs } of ladders.flatMap(({ families }) => families)) assert.equal(rungs.length, 4, name);
});

const list = new URL('../../../../shared/golden/srb/scenarios.csv', import.meta.url);

/** Table 2 of M. A. Shah et al., "Speech Robust Bench" (ICLR 2025), without its attacks; octaves are of twelve semitones. */
const table2: readonly (readonly [families: readonly string[], severities: readonly number[], factor?: number])[] = [
  [['gnoise'], [30, 20, 10, 0]],
  [
    ['env_noise', 'env_noise_esc50', 'env_noise_musan', 'env_noise_wham'],
    [30, 20, 10, 0],
  ],
  [['music'], [30, 20, 10, 0]],
  [['crosstalk'], [30, 20, 10, 0]],
  // Rooms are classes of those that are loaded, and not of the paper's.
  [
    ['rir', 'real_rir'],
    [1, 2, 3, 4],
  ],
  [['echo'], [125, 250, 500, 1000]],
  [['bass'], [20, 30, 40, 50]],
  [['treble'], [10, 23, 36, 50]],
  [['phaser'], [0.3, 0.5, 0.7, 0.9]],
  [
    ['tempo_up', 'speedup'],
    [1.25, 1.5, 1.75, 2],
  ],
  [
    ['tempo_down', 'slowdown'],
    [0.875, 0.75, 0.625, 0.5],
  ],
  [['pitch_up'], [0.25, 0.5, 0.75, 1], 12],
  [['pitch_down'], [0.25, 0.5, 0.75, 1], -12],
  [['chorus'], [30, 50, 70, 90]],
  [['tremolo'], [50, 66, 83, 100]],
  [['resample'], [0.75, 0.5, 0.25, 0.125]],
  [['gain'], [10, 20, 30, 40]],
  [['lowpass'], [4000, 2833, 1666, 500]],
  [['highpass'], [500, 1333, 2166, 3000]],
];

test('names and severities are those of the benchmark’s list and of Table 2 of its paper', () => {
  const ours = listScenarios([srb]).map(
    ({ condition }) => [condition.name, Number.parseFloat(condition.rung.label)] as const,
  );
  const printed = table2.flatMap(([families, severities, factor = 1]) =>
    families.flatMap((family) =>
      severities.map((severity, index) => [`srb/${family}:${index + 1}`, factor * severity] as const),
    ),
  );
  assert.equal(printed.length, 100);
  assert.deepEqual(new Map(ours), new Map(printed));
  if (!existsSync(list)) return;
  const rows = readFileSync(list, 'utf8')
    .split('\n')
    .slice(1, 101)
    .map((line) => line.split(','));
  const listed = rows.map(([, , family = '', severity, , value]) => [
    `srb/${family}:${severity}`,
    Number(family.endsWith('rir') ? severity : value),
  ]);
  assert.deepEqual(ours, listed);
});

/** A second of something like speech: a voice whose loudness goes up and down. */
const clip = {
  samples: Float32Array.from({ length: 16000 }, (_, n) => 0.4 * Math.sin(n / 13) * Math.sin(n / 900) ** 2),
  sampleRate: 16000,
};
/** What needs collections, and what has tests of its own and takes long to prepare. */
const notHere = new Set(['sound-noise', 'room-response', 'tempo', 'speed', 'pitch-shift', 'resample-rate']);

test('every scenario of effects that keep the time scale gives a sound of its own', async () => {
  const heard = new Map<string, string>();
  for (const ladder of ladders) {
    for (const { condition } of listScenarios([ladder])) {
      if (condition.steps.some(({ perturbation }) => notHere.has(perturbation))) continue;
      const { clip: changed } = await applySteps(clip, condition.steps, {
        ready: (position) => ({ perturbation: bank.get(condition.steps[position]!.perturbation)!, prepared: null }),
        randomFor: (position) => createRandom({ name: condition.name, position }),
      });
      assert.ok(changed.samples.some((sample) => sample !== 0) && changed.samples.every(Number.isFinite));
      const key = `${ladder.name} ${changed.samples.join()}`;
      assert.equal(heard.get(key), undefined, condition.name);
      heard.set(key, condition.name);
      if (ladder === mended)
        assert.ok(
          changed.samples.every((sample) => Math.abs(sample) <= 1),
          condition.name,
        );
    }
  }
  assert.equal(heard.size, 2 * 10 * 4);
});

test('chorus has the gain of the program in one ladder and that of the paper in the other', () => {
  const gains = ladders.map((ladder) => {
    const [condition] = resolveScenario(`${ladder.name}/chorus:1`, ladders);
    return withoutRate(condition!.steps)[0]!.parameters.gainIn;
  });
  assert.deepEqual(gains, [0.7, 0.9]);
});

const note = new URL('../../../design/srb.md', import.meta.url);

test('the design note lists every family with its severities', {
  skip: !existsSync(note) && 'the note is not here',
}, () => {
  const text = readFileSync(note, 'utf8');
  for (const { name, rungs } of srb.families) {
    const row = `| \`${name}\` | ${rungs.map(({ label }) => label).join(' | ')} |`;
    assert.ok(text.includes(row), row);
  }
});
