import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clip } from '../audio/clip.ts';
import { sampleHash } from '../audio/clip-measurement.ts';
import { createRandom } from '../base/random.ts';
import type { Step } from '../model/trial.ts';
import { applySteps } from './apply-steps.ts';
import type { Perturbation } from './contract.ts';
import { gain } from './gain/gain.ts';
import { hardClip } from './hard-clip/hard-clip.ts';
import { peakGuard } from './peak-guard/peak-guard.ts';
import { playbackRate } from './playback-rate/playback-rate.ts';
import { quantize } from './quantize/quantize.ts';
import { whiteNoise } from './white-noise/white-noise.ts';

const bank: Readonly<Record<string, Perturbation>> = {
  gain,
  quantize,
  'hard-clip': hardClip,
  'peak-guard': peakGuard,
  'playback-rate': playbackRate,
  'white-noise': whiteNoise,
};
const readyFor = (steps: readonly Step[]) => (position: number) => ({
  perturbation: bank[steps[position]!.perturbation]!,
  prepared: null,
});
const randomFor = (position: number) => createRandom({ position });
const clip = { samples: Float32Array.from({ length: 8000 }, (_, n) => 0.4 * Math.sin(n / 9)), sampleRate: 8000 };

test('applies steps in order, and keeps what each says', async () => {
  const steps: Step[] = [
    { perturbation: 'gain', parameters: { factor: 0.5 } },
    { perturbation: 'playback-rate', parameters: { factor: 0.5 } },
    { perturbation: 'white-noise', parameters: { snrDb: 20 } },
    { perturbation: 'playback-rate', parameters: { factor: 0.5 } },
  ];
  const before = sampleHash(clip);
  const applied = await applySteps(clip, steps, { ready: readyFor(steps), randomFor });
  assert.equal(sampleHash(clip), before);
  assert.equal(applied.clip.sampleRate, 2000);
  assert.deepEqual(
    applied.facts.map(({ perturbation }) => perturbation),
    steps.map(({ perturbation }) => perturbation),
  );
  assert.equal(applied.facts[2]!.askedSnrDb, 20);
  assert.deepEqual(applied.timeMap?.at(-1), [4, 1]);
});

test('each step has chance of its own: one step more before it changes nothing in it', async () => {
  const noise: Step = { perturbation: 'white-noise', parameters: { snrDb: 0 } };
  const ready = readyFor([noise, noise]);
  const twice = await applySteps(clip, [noise, noise], { ready, randomFor });
  const sameSeed = await applySteps(clip, [noise, noise], { ready, randomFor: () => createRandom(1) });
  assert.notEqual(sampleHash(twice.clip), sampleHash(sameSeed.clip));
  assert.equal(sampleHash(twice.clip), sampleHash((await applySteps(clip, [noise, noise], { ready, randomFor })).clip));
});

test('sounds between steps are given back, the one given and the last are not', async () => {
  const heard: Float32Array[] = [];
  const spy = (perturbation: Perturbation): Perturbation => ({
    ...perturbation,
    apply(sound, parameters, services) {
      heard.push(sound.samples);
      return perturbation.apply(sound, parameters, services);
    },
  });
  const steps: Step[] = Array.from({ length: 3 }, () => ({ perturbation: 'gain', parameters: { factor: 0.5 } }));
  const ready = () => ({ perturbation: spy(gain), prepared: null });
  const applied = await applySteps(clip, steps, { ready, randomFor });
  assert.deepEqual(
    heard.map(({ length }) => length),
    [8000, 0, 0],
  );
  assert.deepEqual(
    applied.clip.samples,
    clip.samples.map((sample) => sample / 8),
  );
});

test('steps that change every sample on its own are one pass: the same samples and facts as one after the other', async () => {
  const steps: Step[] = [
    { perturbation: 'gain', parameters: { factor: 3.1 } },
    { perturbation: 'hard-clip', parameters: { limitDb: -1, relativeTo: 'full-scale' } },
    { perturbation: 'peak-guard', parameters: { limit: 0.5 } },
    { perturbation: 'quantize', parameters: { bits: 8, rounding: 'nearest', fullScale: 'power-of-two' } },
  ];
  const before = sampleHash(clip);
  const services = (some: readonly Step[]) => ({ ready: readyFor(some), randomFor });
  const together = await applySteps(clip, steps, services(steps));
  let single: Clip = clip;
  const facts = [];
  for (const step of steps) {
    const one = await applySteps(single, [step], services([step]));
    single = one.clip;
    facts.push(...one.facts);
  }
  assert.equal(sampleHash(together.clip), sampleHash(single));
  assert.deepEqual(together.facts, facts);
  assert.equal(sampleHash(clip), before);
});

test('what a step in between made is not changed by those behind it, where somebody else has it', async () => {
  const noise: Step = { perturbation: 'white-noise', parameters: { snrDb: 20 } };
  const idle: Perturbation = { ...gain, apply: (sound) => ({ clip: sound, facts: {} }) };
  const steps: Step[] = [
    { perturbation: 'idle', parameters: {} },
    { perturbation: 'gain', parameters: { factor: 2 } },
    noise,
  ];
  const before = sampleHash(clip);
  const ready = (position: number) =>
    position === 0 ? { perturbation: idle, prepared: null } : readyFor(steps)(position);
  const applied = await applySteps(clip, steps, { ready, randomFor });
  assert.equal(sampleHash(clip), before);
  assert.deepEqual(
    applied.facts.map(({ perturbation }) => perturbation),
    ['gain', 'gain', 'white-noise'],
  );
});

test('a module that gives back what it was given does no harm', async () => {
  const idle: Perturbation = { ...gain, apply: (sound) => ({ clip: { ...sound }, facts: {} }) };
  const step: Step = { perturbation: 'gain', parameters: {} };
  const before = sampleHash(clip);
  const applied = await applySteps(clip, [step, step], {
    ready: () => ({ perturbation: idle, prepared: null }),
    randomFor,
  });
  assert.notEqual(applied.clip.samples.buffer, clip.samples.buffer);
  assert.equal(sampleHash(applied.clip), before);
  assert.equal(sampleHash(clip), before);
});

test('no steps give the clip itself', async () => {
  const applied = await applySteps(clip, [], { ready: readyFor([]), randomFor });
  assert.equal(applied.clip, clip);
  assert.deepEqual(applied.facts, []);
  assert.equal(applied.timeMap, null);
});

test('what is no sound is a failure that names the perturbation, and is never heard as one', async () => {
  const steps: Step[] = [{ perturbation: './mine.ts', parameters: {} }];
  const made = (samples: number[], sampleRate = 8000) => ({
    perturbation: { ...gain, apply: () => ({ clip: { samples: Float32Array.from(samples), sampleRate }, facts: {} }) },
    prepared: null,
  });
  for (const [ready, came] of [
    [made([]), 'one without samples'],
    [made([0, Number.NaN]), 'NaN as sample 1'],
    [made([Number.NEGATIVE_INFINITY]), '-Infinity as sample 0'],
    [made([0.1], 0), 'one with a sample rate of 0 Hz'],
  ] as const) {
    await assert.rejects(applySteps(clip, steps, { ready: () => ready, randomFor }), {
      code: 'bad-input',
      message: `./mine.ts: expected a sound from this perturbation, but got ${came}`,
    });
  }
});
