import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clipHash, heardKey, namedKey, soundHash, stepSeed, unreadableKey } from './keys.ts';

test('everything that a recognizer of names is told is in its key', () => {
  const keys = [
    namedKey('r', 'u', 'clean', 'en', 0),
    namedKey('q', 'u', 'clean', 'en', 0),
    namedKey('r', 'v', 'clean', 'en', 0),
    namedKey('r', 'u', 'noise', 'en', 0),
    namedKey('r', 'u', 'clean', 'de', 0),
    namedKey('r', 'u', 'clean', 'en', 1),
  ];
  assert.equal(new Set(keys).size, keys.length);
});

test('everything that an answer to a sound depends on is in its key, and nothing else', () => {
  const keys = [
    heardKey('r', 'c', 'en', 0),
    heardKey('q', 'c', 'en', 0),
    heardKey('r', 'd', 'en', 0),
    heardKey('r', 'c', 'de', 0),
    heardKey('r', 'c', 'en', 1),
    namedKey('r', 'c', 'clean', 'en', 0),
    unreadableKey('run', 'c', 'clean', 'r'),
    unreadableKey('other', 'c', 'clean', 'r'),
    unreadableKey('run', 'd', 'clean', 'r'),
    unreadableKey('run', 'c', 'noise', 'r'),
    unreadableKey('run', 'c', 'clean', 'q'),
  ];
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(heardKey('r', 'c', 'en', 0), keys[0]);
});

test('a clip is its sound where nothing is done to it; seed and draw count only where a step is random', () => {
  const step = { perturbation: 'gain', parameters: { gainDb: 3 } };
  const of = (steps: (typeof step)[], random: boolean, readsText = false) => ({
    condition: { name: 'c', category: 'c', severity: null, steps },
    recipe: steps.map((one) => ({ ...one, version: 1 })),
    random,
    readsText,
  });
  const sound = soundHash({ file: 'a' });
  const said = { reference: 'yes', language: 'en' };
  const [none, fixed, random] = [of([], false), of([step], false), of([step], true)];
  assert.notEqual(sound, soundHash({ file: 'b' }));
  assert.equal(clipHash(sound, none, 1, 2, said), sound);
  assert.equal(clipHash(sound, fixed, 0, 1, said), clipHash(sound, fixed, 1, 2, said));
  // What was said counts only where a step reads it.
  assert.equal(clipHash(sound, fixed, 0, 1, said), clipHash(sound, fixed, 0, 1, { language: 'de' }));
  const against = of([step], false, true);
  const keys = [
    sound,
    clipHash(sound, fixed, 0, 1, said),
    clipHash(sound, random, 0, 1, said),
    clipHash(sound, random, 1, 1, said),
    clipHash(sound, random, 0, 2, said),
    clipHash('other', random, 0, 1, said),
    clipHash(sound, of([step, step], true), 0, 1, said),
    clipHash(sound, against, 0, 1, said),
    clipHash(sound, against, 0, 1, { ...said, reference: 'no' }),
    clipHash(sound, against, 0, 1, { ...said, language: 'de' }),
    clipHash(sound, against, 0, 1, { language: 'en' }),
  ];
  assert.equal(new Set(keys).size, keys.length);
  const seeds = [
    stepSeed(1, 's', 0, step, 0),
    stepSeed(2, 's', 0, step, 0),
    stepSeed(1, 't', 0, step, 0),
    stepSeed(1, 's', 1, step, 0),
    stepSeed(1, 's', 0, { ...step, perturbation: 'noise' }, 0),
    stepSeed(1, 's', 0, { ...step, parameters: { gainDb: 4 } }, 0),
    stepSeed(1, 's', 0, step, 1),
  ].map((seed) => JSON.stringify(seed));
  assert.equal(new Set(seeds).size, seeds.length);
});
