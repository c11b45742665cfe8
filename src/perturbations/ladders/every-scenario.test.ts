// Every published scenario on the sounds that break things: telephone and studio rates, and less than a frame of sound.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clip } from '../../audio/clip.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { createRandom } from '../../base/random.ts';
import { applySteps, type ReadyStep, readyStep } from '../apply-steps.ts';
import type { AssetServices, Perturbation } from '../contract.ts';
import { listScenarios } from '../scenarios.ts';
import { collectionInMemory, onlySounds } from '../shared/chosen-sounds.ts';
import { aequevox } from './aequevox.ts';
import { earwitness } from './earwitness.ts';
import { srMt } from './sr-mt.ts';
import { srb } from './srb.ts';

const noise = (length: number, seed: number) => {
  const random = createRandom({ length, seed });
  return Float32Array.from({ length }, () => 0.1 * random.normal());
};
/** Serves as noise, music, talkers and rooms, by class too. */
const sounds = [0.3, 0.6, 0.9, 1.2].map((rt60Seconds, index) => ({
  name: `${index}.wav`,
  clip: {
    samples: noise(8000, index).map((value, n) => value * 10 ** ((-3 * n) / 16000 / rt60Seconds)),
    sampleRate: 16000,
  },
  facts: { kind: 'measured', rt60Seconds, srmr: 10 - 2 * index, speaker: `${index}` },
}));
const services: AssetServices = {
  ...onlySounds(collectionInMemory('invented', sounds)),
  // Codecs of WebAssembly have tests of their own.
  codec: async () => ({
    identity: { invented: true },
    code: ({ samples }: Clip) => ({ samples: samples.slice(), encodedBytes: samples.length, delaySamples: 0 }),
  }),
};

const loaded = new Map<string, Promise<Perturbation>>();
function perturbationOf(name: string): Promise<Perturbation> {
  const load = async () => {
    const module: Record<string, Perturbation> = await import(`../${name}/${name}.ts`);
    return Object.values(module).find((value) => value?.name === name)!;
  };
  const known = loaded.get(name) ?? load();
  loaded.set(name, known);
  return known;
}

const hardClips: Readonly<Record<string, Clip>> = {
  'half a second at 8 kHz': { samples: noise(4000, 1), sampleRate: 8000 },
  'half a second at 48 kHz': { samples: noise(24_000, 2), sampleRate: 48_000 },
  'five samples': { samples: noise(5, 3), sampleRate: 16_000 },
};

for (const [what, clip] of Object.entries(hardClips)) {
  test(`every scenario makes numbers or one clear sentence of ${what}`, async () => {
    let made = 0;
    for (const { condition } of listScenarios([srb, earwitness, srMt, aequevox])) {
      const { name, steps } = condition;
      const ready: ReadyStep[] = [];
      for (const { perturbation, parameters } of steps) {
        ready.push(await readyStep(await perturbationOf(perturbation), parameters, services));
      }
      try {
        const changed = await applySteps(clip, steps, {
          ready: (position) => ready[position]!,
          randomFor: (position) => createRandom({ name, position }),
        });
        assert.ok(changed.clip.samples.every(Number.isFinite), name);
        assert.ok(changed.clip.sampleRate > 0, name);
        made++;
      } catch (thrown) {
        if (!(thrown instanceof EarwitnessError)) throw thrown;
        assert.match(thrown.message, /^[a-z0-9-]+: expected .*, but .*; .+$/, name);
      }
    }
    // Whatever is refused, most of the scenarios are not.
    assert.ok(made > 150, `${made}`);
  });
}
