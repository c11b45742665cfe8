// What every perturbation must do, whatever it does to the sound.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { z } from 'zod';
import type { Clip } from '../audio/clip.ts';
import { sampleHash } from '../audio/clip-measurement.ts';
import type { OpusSettings, SoundCodec } from '../audio/codecs/sound-codec.ts';
import { releaseSamples } from '../audio/kept-samples.ts';
import { EarwitnessError } from '../base/errors.ts';
import { canonicalJson } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import { createRandom } from '../base/random.ts';
import { readyStep } from './apply-steps.ts';
import type { AssetServices, Perturbation } from './contract.ts';

const members = await Promise.all(
  readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'ladders' && entry.name !== 'shared')
    .map(async ({ name }) => {
      const module: Record<string, Perturbation> = await import(`./${name}/${name}.ts`);
      const exportName = name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
      return { name, perturbation: module[exportName]! };
    }),
);

/** Speech-like: two tones whose loudness goes up and down, between -1 and 1. */
function syntheticClip(length: number, sampleRate: number): Clip {
  const samples = Float32Array.from({ length }, (_, n) => {
    const seconds = n / sampleRate;
    const loudness = 0.5 + 0.45 * Math.sin(2 * Math.PI * 3 * seconds);
    return loudness * (0.6 * Math.sin(2 * Math.PI * 210 * seconds + 1) + 0.4 * Math.sin(2 * Math.PI * 1500 * seconds));
  });
  return { samples, sampleRate };
}

/** The noise of a linear congruential generator: whole numbers alone, so that it is the same on every machine. */
function referenceClip(): Clip {
  let state = 12345;
  const samples = Float32Array.from({ length: 16000 }, () => {
    state = (state * 69069 + 1) % 2 ** 32;
    return (Math.floor(state / 65536) - 32768) / 65536;
  });
  return { samples, sampleRate: 16000 };
}

/** Holds every second sample, in frames of 160 of which some may be lost, whatever codec is asked for. */
const inventedCodec: SoundCodec<Partial<OpusSettings>> = {
  identity: { invented: true },
  code({ samples }, settings) {
    const lost = settings.lose?.(Math.ceil(samples.length / 160)) ?? [];
    const held = samples.map((_, n) => (lost[Math.floor(n / 160)] ? 0 : samples[n - (n % 2)]!));
    return { samples: held, encodedBytes: samples.length, delaySamples: 0 };
  },
};

/** Two seconds of two noises, whatever collection is asked for. */
const inventedAssets: AssetServices = {
  codec: async () => inventedCodec,
  // A recognizer whose loss grows along one direction.
  attacked: async () => ({
    identity: { invented: 3 },
    // Its transcript follows the sound.
    recognize: async ({ samples }) => ({ text: String(samples.reduce((sum, sample, n) => sum + sample * (n % 7), 0)) }),
    gradient: async () => ({
      sampleRate: 16000,
      async loss(samples) {
        const random = createRandom({ invented: 'direction' });
        const gradient = samples.map(() => 2 * random.next() - 1);
        return { loss: samples.reduce((sum, sample, n) => sum + sample * gradient[n]!, 0), gradient };
      },
      agreement: async () => null,
      async close() {},
    }),
  }),
  // Two clips of somebody; nothing is kept, and every transcript is wrong.
  fitting: async () => ({
    identity: { invented: 4 },
    seed: 1,
    speakers: new Set(['somebody else']),
    clips: [210, 330].map((hertz) => ({
      ...{ reference: 'some words', language: 'en' },
      read: async () => ({
        samples: Float32Array.from({ length: 2400 }, (_, n) => 0.3 * Math.sin((2 * Math.PI * hertz * n) / 16000)),
        sampleRate: 16000,
      }),
    })),
    characterErrors: () => ({ errors: 1, characters: 10 }),
    state: async () => ({ key: 'invented', state: 'none' as const }),
    fit: (_, make) =>
      make({ checkpoint: { load: async () => null, save: async () => {} }, signal: undefined, told() {} }),
  }),
  sounds: async (name) => ({
    name,
    identity: { invented: 2 },
    sounds: [
      { name: 'low.wav', facts: {} },
      { name: 'high.wav', facts: {} },
    ],
    durationSeconds: async () => 2,
    async read(index, stretch = { startSeconds: 0, endSeconds: 2 }) {
      const random = createRandom({ invented: index });
      const samples = Float32Array.from({ length: 32000 }, () => 0.2 * (2 * random.next() - 1));
      return {
        samples: samples.slice(Math.round(16000 * stretch.startSeconds), Math.round(16000 * stretch.endSeconds)),
        sampleRate: 16000,
      };
    },
  }),
};

const said = { reference: 'some words', language: 'en' };
const speaker = 'somebody';

/** Clips of hostile lengths and contents; silence in every fourth. */
const anyClip = fc
  .record({
    length: fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 5000 })),
    sampleRate: fc.constantFrom(8000, 16000, 44100, 48000),
    amplitude: fc.constantFrom(0, 1e-30, 0.3, 1),
    seed: fc.integer(),
  })
  .map(({ length, sampleRate, amplitude, seed }): Clip => {
    const random = createRandom(seed);
    return { samples: Float32Array.from({ length }, () => amplitude * (2 * random.next() - 1)), sampleRate };
  });

for (const { name, perturbation } of members) {
  const ready = async (parameters: JsonObject) => {
    const { prepared } = await readyStep(perturbation, parameters, inventedAssets);
    return async (clip: Clip, seed = 1) =>
      perturbation.apply(clip, parameters, { random: createRandom(seed), assets: prepared?.assets, said, speaker });
  };
  const apply = async (clip: Clip, parameters: JsonObject, seed?: number) => (await ready(parameters))(clip, seed);

  test(`${name}: says what it is, and stands beside a test of its own`, () => {
    assert.equal(perturbation.name, name);
    assert.ok(Number.isInteger(perturbation.version) && perturbation.version >= 1);
    assert.match(perturbation.about, /^[A-Z].{10,150}\.$/);
    assert.ok(existsSync(new URL(`./${name}/${name}.test.ts`, import.meta.url)));
  });

  test(`${name}: its example is valid, complete and plain data; unknown parameters are refused`, () => {
    assert.deepEqual(perturbation.parameters.parse(perturbation.example), perturbation.example);
    canonicalJson(perturbation.example);
    if (perturbation.identity) {
      assert.deepEqual(perturbation.parameters.parse(perturbation.identity), perturbation.identity);
    }
    assert.equal(perturbation.parameters.safeParse({ ...perturbation.example, nonsense: 1 }).success, false);
  });

  test(`${name}: every parameter is described, and every number has a range`, () => {
    const json = z.toJSONSchema(perturbation.parameters as z.ZodType) as {
      properties: Record<string, Record<string, unknown>>;
    };
    for (const [parameter, schema] of Object.entries(json.properties)) {
      assert.ok(String(schema.description ?? '').length > 10, `${parameter} is not described`);
      if (schema.type !== 'number' && schema.type !== 'integer') continue;
      assert.ok('minimum' in schema || 'exclusiveMinimum' in schema, `${parameter} has no lower bound`);
      assert.ok('maximum' in schema || 'exclusiveMaximum' in schema, `${parameter} has no upper bound`);
      for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, '1', null]) {
        const wrong = { ...perturbation.example, [parameter]: bad };
        assert.equal(perturbation.parameters.safeParse(wrong).success, false, `${parameter} ${bad} is accepted`);
      }
    }
  });

  test(`${name}: changes the sound, leaves its input alone, and its facts are small plain data`, async () => {
    const clip = syntheticClip(32000, 16000);
    const before = sampleHash(clip);
    const { clip: changed, facts, timeMap } = await apply(clip, perturbation.example);
    assert.equal(sampleHash(clip), before);
    assert.notEqual(sampleHash(changed), before);
    assert.notEqual(changed.samples.buffer, clip.samples.buffer);
    assert.ok(canonicalJson(facts).length < 10_000);
    const heardSeconds = changed.samples.length / changed.sampleRate;
    const end = timeMap?.at(-1) ?? [heardSeconds, heardSeconds];
    assert.ok(Math.abs(end[0] - heardSeconds) < 1e-9);
    assert.ok(Math.abs(end[1] - 2) < 1e-9);
  });

  test(`${name}: the same seed gives the same samples, another seed others where it is random`, async () => {
    const clip = syntheticClip(32000, 16000);
    const hash = async (seed: number) => sampleHash((await apply(clip, perturbation.example, seed)).clip);
    assert.equal(await hash(1), await hash(1));
    assert.equal((await hash(1)) !== (await hash(2)), perturbation.random);
  });

  test(`${name}: what it made can be given back without harm to what it makes next`, async () => {
    const make = await ready(perturbation.example);
    const { clip: first } = await make(referenceClip());
    const hash = sampleHash(first);
    releaseSamples(first.samples);
    assert.equal(sampleHash((await make(referenceClip())).clip), hash);
  });

  test(`${name}: gives the samples that this version has always given`, async () => {
    const { version, sampleHash: expected } = JSON.parse(
      readFileSync(new URL(`./${name}/golden.json`, import.meta.url), 'utf8'),
    ) as { version: number; sampleHash: string };
    const hash = sampleHash((await apply(referenceClip(), perturbation.example)).clip);
    const advice = `golden.json: if the change is meant, raise the version and write ${hash}`;
    assert.deepEqual({ version: perturbation.version, hash }, { version, hash: expected }, advice);
  });

  const { identity } = perturbation;
  const atZeroStrength = async () => {
    const clip = syntheticClip(32000, 16000);
    const { clip: same, facts } = await apply(clip, identity!);
    assert.equal(same.sampleRate, clip.sampleRate);
    assert.equal(same.samples.length, clip.samples.length);
    for (const [n, sample] of same.samples.entries()) assert.ok(Math.abs(sample - clip.samples[n]!) < 1e-7);
    canonicalJson(facts);
  };
  if (identity) test(`${name}: at zero strength nothing changes`, atZeroStrength);

  test(`${name}: gives numbers or a clear sentence for sounds of any length, rate and level`, async () => {
    const make = await ready(perturbation.example);
    await fc.assert(
      fc.asyncProperty(anyClip, fc.integer(), async (clip, seed) => {
        try {
          const { clip: changed, facts } = await make(clip, seed);
          canonicalJson(facts);
          assert.ok(changed.samples.every(Number.isFinite));
          assert.ok(Number.isInteger(changed.sampleRate) && changed.sampleRate > 0);
          if (clip.samples.length === 0) assert.equal(changed.samples.length, 0);
        } catch (thrown) {
          if (!(thrown instanceof EarwitnessError)) throw thrown;
          assert.equal(thrown.code, 'bad-input');
          assert.match(thrown.message, new RegExp(`^${name}: expected .*, but .*; `));
        }
      }),
      { numRuns: 200 },
    );
  });
}

test('the family has the members that the ladders are made of', () => {
  assert.ok(members.length >= 9);
});
