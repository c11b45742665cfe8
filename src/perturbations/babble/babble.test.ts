import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { collectionInMemory, onlySounds, type SoundInMemory } from '../shared/chosen-sounds.ts';
import { babble } from './babble.ts';

/** A sine of a frequency of its own, so that talkers can be told apart in the sum. */
const sine = (hertz: number, amplitude: number, length = 16000) => ({
  samples: Float32Array.from({ length }, (_, n) => amplitude * Math.sin((2 * Math.PI * hertz * n) / 16000)),
  sampleRate: 16000,
});
const clip = sine(50, 0.5);
const talker = (hertz: number, amplitude: number, speaker?: string): SoundInMemory => ({
  name: String(hertz),
  clip: sine(hertz, amplitude),
  ...(speaker !== undefined && { facts: { speaker } }),
});

async function mix(sounds: readonly SoundInMemory[], changes: object, seed = 1) {
  const parameters = { ...babble.example, ...changes };
  const { assets } = await babble.prepare!(parameters, onlySounds(collectionInMemory('people', sounds)));
  return babble.apply(clip, parameters, { random: createRandom(seed), assets });
}

test('Talkers are alike loud, whatever their recordings, and together have the ratio asked for.', async () => {
  const { clip: mixed, facts } = await mix([talker(200, 0.5), talker(300, 0.01), talker(400, 0.1)], {
    talkers: 3,
    snrDb: 6,
  });
  const level = (hertz: number) => {
    let [re, im] = [0, 0];
    for (const [n, sample] of mixed.samples.entries()) {
      re += sample * Math.cos((2 * Math.PI * hertz * n) / 16000);
      im += sample * Math.sin((2 * Math.PI * hertz * n) / 16000);
    }
    return Math.hypot(re, im) / 8000;
  };
  assert.deepEqual([...(facts.talkers as string[])].sort(), ['200', '300', '400']);
  // Three sines with a third of the power each: .5 / 10^(6/20) / sqrt(3).
  for (const hertz of [200, 300, 400]) assert.ok(Math.abs(level(hertz) - 0.5 / 10 ** 0.3 / Math.sqrt(3)) < 1e-3);
  assert.ok(Math.abs(Number(facts.achievedSnrDb) - 6) < 0.01);
});

test('Every talker is another speaker, where the collection knows who speaks.', async () => {
  const sounds = [talker(200, 1, 'anna'), talker(300, 1, 'anna'), talker(400, 1, 'bert')];
  for (let seed = 0; seed < 10; seed++) {
    assert.ok(((await mix(sounds, { talkers: 2 }, seed)).facts.talkers as string[]).includes('400'));
  }
  await assert.rejects(
    mix(sounds, { talkers: 3 }),
    /^EarwitnessError: babble: expected 3 talkers in "people", but it has 2 who are not silent; ask for fewer/,
  );
});

test('A silent clip is one sentence.', async () => {
  const parameters = babble.example;
  const services = onlySounds(collectionInMemory('people', [talker(200, 1), talker(300, 1)]));
  const { assets } = await babble.prepare!(parameters, services);
  const silence = { samples: new Float32Array(9), sampleRate: 16000 };
  await assert.rejects(
    async () => babble.apply(silence, parameters, { random: createRandom(1), assets }),
    /digital silence/,
  );
});
