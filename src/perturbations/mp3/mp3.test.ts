// What LAME makes of sound is tested where it is opened (src/session/open/open-codec.ts).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { mp3 } from './mp3.ts';

test('no sound stays no sound, and the codec is not asked', async () => {
  const assets = { identity: {}, code: () => assert.fail('asked') };
  const nothing = { samples: new Float32Array(0), sampleRate: 48000 };
  const { clip, facts } = await mp3.apply(nothing, mp3.example, { random: createRandom(1), assets });
  assert.equal(clip.samples.length, 0);
  assert.equal(facts.achievedKilobitsPerSecond, null);
});

test('rates that MPEG-2 does not know are refused', () => {
  for (const wrong of [{ kilobitsPerSecond: 20 }, { kilobitsPerSecond: 4 }, { codedRateHz: 32000 }]) {
    assert.equal(mp3.parameters.safeParse({ ...mp3.example, ...wrong }).success, false);
  }
});
