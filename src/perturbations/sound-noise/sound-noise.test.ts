import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clip } from '../../audio/clip.ts';
import { createRandom } from '../../base/random.ts';
import { acousticGoldens, goldenSound, goldenSpeech } from '../../decoders/testing/acoustic-goldens.ts';
import { collectionInMemory, onlySounds, type SoundInMemory } from '../shared/chosen-sounds.ts';
import { soundNoise } from './sound-noise.ts';

const noise = (seed: number, length: number, sampleRate = 16000): Clip => {
  const random = createRandom(seed);
  return { samples: Float32Array.from({ length }, () => 0.1 * random.normal()), sampleRate };
};
const speech = noise(99, 8000);

async function mix(sounds: readonly SoundInMemory[], changes: object, seed = 1, clip = speech) {
  const parameters = { ...soundNoise.example, ...changes };
  const { assets } = await soundNoise.prepare!(parameters, onlySounds(collectionInMemory('invented', sounds)));
  return soundNoise.apply(clip, parameters, { random: createRandom(seed), assets });
}
const difference = (mixed: Float32Array) => mixed.map((sample, n) => sample - speech.samples[n]!);

test('The ratio over the whole clip is the one asked for, whatever the noise, its rate and its length.', async () => {
  for (const [length, rate] of [
    [40000, 16000],
    [3000, 16000],
    [100, 16000],
    [30000, 44100],
    [9000, 8000],
  ] as const) {
    for (const snrDb of [-20, 0, 10, 30]) {
      const { clip, facts } = await mix([{ name: 'a', clip: noise(length, length, rate) }], { snrDb });
      const added = difference(clip.samples);
      const energy = (of: Float32Array) => of.reduce((sum, value) => sum + value * value, 0);
      const measured = 10 * Math.log10(energy(speech.samples) / energy(added));
      assert.ok(Math.abs(measured - snrDb) < 0.05, `${length} at ${rate}: ${measured}`);
      assert.ok(Math.abs(Number(facts.achievedSnrDb) - measured) < 1e-3);
      assert.equal(facts.sound, 'a');
    }
  }
});

test('From the beginning, a short noise is repeated as doubling it would, and other rates are taken as they come.', async () => {
  const short = noise(7, 3000, 44100);
  const { clip, facts } = await mix([{ name: 'a', clip: short }], { start: 'beginning', resampled: false });
  assert.equal(facts.repeated, true);
  const gain = Number(facts.noiseGain);
  for (const [n, value] of difference(clip.samples).entries()) {
    assert.ok(Math.abs(value - gain * short.samples[n % 3000]!) < 1e-6);
  }
});

test('A random start lies so that a long noise reaches to the end of the clip, and every place comes up.', async () => {
  // The noise says where it is: sample n is n.
  const ramp = { samples: Float32Array.from({ length: 8004 }, (_, n) => n + 1), sampleRate: 16000 };
  const starts = new Set<number>();
  for (let seed = 0; seed < 60; seed++) {
    const { facts } = await mix([{ name: 'ramp', clip: ramp }], {}, seed);
    assert.equal(facts.repeated, false);
    starts.add(Math.round(Number(facts.startSeconds) * 16000));
  }
  assert.deepEqual([...starts].sort(), [0, 1, 2, 3, 4]);
});

test('Which file it is, is drawn; facts of the collection and names choose among them.', async () => {
  const sounds = ['dog', 'cat', 'rain'].map((category, index) => ({
    name: `${category}.wav`,
    clip: noise(index, 9000),
    facts: { category, fold: index },
  }));
  const heard = new Set<unknown>();
  for (let seed = 0; seed < 30; seed++) heard.add((await mix(sounds, {}, seed)).facts.sound);
  assert.equal(heard.size, 3);
  assert.equal((await mix(sounds, { select: { category: 'cat' } })).facts.sound, 'cat.wav');
  assert.equal((await mix(sounds, { select: { fold: 2 } })).facts.sound, 'rain.wav');
  assert.equal((await mix(sounds, { select: { name: 'dog.wav' } })).facts.sound, 'dog.wav');
  await assert.rejects(
    mix(sounds, { select: { category: 'car' } }),
    /^EarwitnessError: sound-noise: expected a sound with category "car", but none of the 3 .*; correct select/,
  );
});

test('What may be chosen is part of the identity, not what it is called.', async () => {
  const collection = (fact: string) =>
    collectionInMemory('x', [
      { name: 'a', clip: speech, facts: { [fact]: 1 } },
      { name: 'b', clip: speech, facts: { [fact]: 2 } },
    ]);
  const identity = async (fact: string, select: Record<string, number>) =>
    (await soundNoise.prepare!({ ...soundNoise.example, select }, onlySounds(collection(fact)))).identity;
  assert.deepEqual(await identity('kind', { kind: 1 }), await identity('sort', { sort: 1 }));
  assert.notDeepEqual(await identity('kind', { kind: 1 }), await identity('kind', { kind: 2 }));
  assert.notDeepEqual(await identity('kind', { kind: 1 }), await identity('kind', {}));
  assert.deepEqual(soundNoise.assetParameters, ['sounds']);
});

test('Silent noise and a silent clip are one sentence; a silent file among others is drawn again.', async () => {
  const silent = { name: 'silent.wav', clip: { samples: new Float32Array(9000), sampleRate: 16000 } };
  await assert.rejects(
    mix([silent], {}),
    /^EarwitnessError: sound-noise: expected noise, but "silent.wav" of "invented" is silence there; take it out/,
  );
  // As SoX writes silence to 16 bits: dither of a step up or down.
  const dither = noise(5, 9000).samples.map((sample) => Math.round(5 * sample) / 32768);
  await assert.rejects(
    mix([{ name: 'dither.wav', clip: { ...silent.clip, samples: dither } }], {}),
    /is silence there/,
  );
  for (let seed = 0; seed < 10; seed++) {
    assert.equal((await mix([silent, { name: 'loud', clip: noise(1, 9000) }], {}, seed)).facts.sound, 'loud');
  }
  const nothing = { samples: new Float32Array(50), sampleRate: 16000 };
  await assert.rejects(
    mix([{ name: 'a', clip: speech }], {}, 1, nothing),
    /digital silence, which has no signal-to-noise ratio/,
  );
});

test('A ratio without end is refused.', () => {
  for (const snrDb of [Number.POSITIVE_INFINITY, 121, -61]) {
    assert.equal(soundNoise.parameters.safeParse({ ...soundNoise.example, snrDb }).success, false);
  }
});

test("Gains and samples are numpy's.", async () => {
  const { speech, noise } = acousticGoldens();
  for (const expected of noise) {
    const clip = await goldenSpeech(speech[expected.speech]);
    const sounds = [{ name: expected.noise, clip: await goldenSound('noise', expected) }];
    const changes = { snrDb: expected.snr_db, start: expected.offset / 16000 };
    const { clip: mixed, facts } = await mix(sounds, changes, 1, clip);
    assert.ok(Math.abs(Number(facts.noiseGain) / expected.gain - 1) < 1e-9, expected.noise);
    assert.ok(Math.abs(Number(facts.achievedSnrDb) - expected.snr_db) < 0.001);
    assert.ok(Math.abs(Number(facts.samplesBeyondFullScale) - expected.samples_beyond_full_scale) <= 1);
    const middle = Math.floor(mixed.samples.length / 2);
    for (const [from, key] of [
      [0, 'first_64_x32768'],
      [middle, '64_from_middle_floor(n/2)_x32768'],
    ] as const) {
      for (const [n, value] of expected.out[key].entries()) {
        assert.ok(Math.abs(32768 * mixed.samples[from + n]! - value) <= 0.51, `${expected.noise} ${from + n}`);
      }
    }
  }
});
