import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
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

test('names and severities are those of the benchmark’s list', {
  skip: !existsSync(list) && '../shared/golden is not beside the repository',
}, () => {
  const rows = readFileSync(list, 'utf8')
    .split('\n')
    .slice(1, 101)
    .map((line) => line.split(','));
  // Rooms are classes of those that are loaded, and not of the paper's.
  const expected = rows.map(([, , family = '', severity, , value]) => [
    `srb/${family}:${severity}`,
    Number(family.endsWith('rir') ? severity : value),
  ]);
  const ours = listScenarios([srb]).map(({ condition }) => [condition.name, Number.parseFloat(condition.rung.label)]);
  assert.deepEqual(ours, expected);
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
  const gains = ladders.map(
    (ladder) => resolveScenario(`${ladder.name}/chorus:1`, ladders)[0]!.steps[0]!.parameters.gainIn,
  );
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
