import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rms } from '../../audio/levels.ts';
import { createRandom } from '../../base/random.ts';
import { collectionInMemory, onlySounds } from '../shared/chosen-sounds.ts';
import { replaceSound } from './replace-sound.ts';

const random = createRandom('speech');
const clip = { samples: Float32Array.from({ length: 5000 }, () => 0.05 * random.normal()), sampleRate: 8000 };
const hum = {
  samples: Float32Array.from({ length: 32000 }, (_, n) => 0.7 * Math.sin((2 * Math.PI * 100 * n) / 16000)),
  sampleRate: 16000,
};

async function replace(changes: object, sound = clip, asset = hum) {
  const parameters = { ...replaceSound.example, ...changes };
  const services = onlySounds(collectionInMemory('hums', [{ name: 'hum.wav', clip: asset }]));
  const { assets } = await replaceSound.prepare!(parameters, services);
  return replaceSound.apply(sound, parameters, { random: createRandom(3), assets });
}

test('Silence is silence of the same length.', async () => {
  const { clip: silent, facts } = await replace({ sounds: 'silence' });
  assert.deepEqual(silent, { samples: new Float32Array(5000), sampleRate: 8000 });
  assert.deepEqual(facts, { sound: 'silence' });
});

test('Noise and recorded sounds have the level asked for, or that of the clip; nothing of the clip is left.', async () => {
  for (const sounds of ['white-noise', 'hums']) {
    const { clip: quiet } = await replace({ sounds, levelDbfs: -40 });
    assert.equal(quiet.samples.length, 5000);
    assert.ok(Math.abs(20 * Math.log10(rms(quiet.samples)) + 40) < 0.01);
    const { clip: alike, facts } = await replace({ sounds, levelDbfs: null });
    assert.ok(Math.abs(rms(alike.samples) / rms(clip.samples) - 1) < 1e-5);
    const likeness = alike.samples.reduce((sum, sample, n) => sum + sample * clip.samples[n]!, 0);
    assert.ok(Math.abs(likeness) < 0.06 * 5000 * rms(clip.samples) ** 2, sounds);
    assert.equal(facts.sound, sounds === 'hums' ? 'hum.wav' : sounds);
  }
});

test('A recorded silence is one sentence.', async () => {
  const silence = { samples: new Float32Array(32000), sampleRate: 16000 };
  await assert.rejects(
    replace({ sounds: 'hums' }, clip, silence),
    /^EarwitnessError: replace-sound: expected a sound, but "hum.wav" is digital silence there; take it out, or ask for "silence"/,
  );
});
