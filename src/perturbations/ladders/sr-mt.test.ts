import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { applySteps, readyStep } from '../apply-steps.ts';
import type { AssetServices, Perturbation } from '../contract.ts';
import { sampleRate } from '../sample-rate/sample-rate.ts';
import { listScenarios } from '../scenarios.ts';
import { soundNoise } from '../sound-noise/sound-noise.ts';
import { tone } from '../tone/tone.ts';
import { wsola } from '../wsola/wsola.ts';
import { srMt } from './sr-mt.ts';

const bank = new Map<string, Perturbation>(
  [sampleRate, soundNoise, wsola, tone].map((member) => [member.name, member as unknown as Perturbation]),
);
const voice = {
  samples: Float32Array.from({ length: 32000 }, (_, n) => 0.3 * Math.sin(n / 13) * Math.sin(n / 900) ** 2),
  sampleRate: 16000,
};

/** One noise of 3 s, whatever collection is asked for. */
const assets: Pick<AssetServices, 'sounds'> = {
  sounds: async (name) => ({
    name,
    identity: { invented: 1 },
    sounds: [{ name: 'noise.wav', facts: {} }],
    durationSeconds: async () => 3,
    async read(_, stretch = { startSeconds: 0, endSeconds: 3 }) {
      const random = createRandom('noise');
      const samples = Float32Array.from({ length: 48000 }, () => 0.1 * random.normal());
      return {
        samples: samples.slice(Math.round(16000 * stretch.startSeconds), Math.round(16000 * stretch.endSeconds)),
        sampleRate: 16000,
      };
    },
  }),
};

test('every step is complete: its perturbation takes the parameters as they are', () => {
  for (const { condition } of listScenarios([srMt])) {
    for (const { perturbation, parameters } of condition.steps) {
      assert.deepEqual(bank.get(perturbation)!.parameters.parse(parameters), parameters, condition.name);
    }
  }
});

test('speech gets longer by 1.25 or by .75, tone keeps its length, and noise has the ratio of its name', async () => {
  const lengths: Record<string, number> = {};
  for (const { condition } of listScenarios([srMt])) {
    const { steps } = condition;
    const ready = await Promise.all(
      steps.map(({ perturbation, parameters }) =>
        readyStep(bank.get(perturbation)!, parameters, assets as unknown as AssetServices),
      ),
    );
    const { clip, facts } = await applySteps(voice, steps, {
      ready: (position) => ready[position]!,
      randomFor: (position) => createRandom({ position }),
    });
    lengths[condition.rung.family] = clip.samples.length;
    assert.ok(clip.samples.every(Number.isFinite), condition.name);
    const { achievedSnrDb } = facts.at(-1)!;
    if (achievedSnrDb !== undefined) {
      assert.ok(Math.abs(Number(achievedSnrDb) - Number.parseFloat(condition.rung.label)) < 0.05, condition.name);
    }
  }
  assert.deepEqual(lengths, {
    'sr-mt/noise': 32000,
    'sr-mt/slow': 40000,
    'sr-mt/fast': 24000,
    'sr-mt/tone-up': 32000,
    'sr-mt/tone-down': 32000,
    'sr-mt/slow-noise': 40000,
  });
});

const note = new URL('../../../design/sr-mt.md', import.meta.url);

test('the design note lists every name with its severity', {
  skip: !existsSync(note) && 'the note is not here',
}, () => {
  const text = readFileSync(note, 'utf8');
  for (const { condition } of listScenarios([srMt])) {
    assert.ok(text.includes(`| \`${condition.name}\` | ${condition.rung.label} |`), condition.name);
  }
});
