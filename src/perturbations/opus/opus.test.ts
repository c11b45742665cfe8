// What libopus makes of sound is tested where it is opened (src/session/open/open-codec.ts).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpusSettings } from '../../audio/codecs/sound-codec.ts';
import { createRandom } from '../../base/random.ts';
import { opus } from './opus.ts';

test('the codec is asked at its rate, within full scale, and the sound keeps its own rate and length', async () => {
  const asked: OpusSettings[] = [];
  const silent = {
    identity: { name: 'silent' },
    code: (clip: { samples: Float32Array; sampleRate: number }, settings: OpusSettings) => {
      asked.push(settings);
      assert.equal(clip.sampleRate, 24000);
      assert.ok(clip.samples.every((sample) => Math.abs(sample) <= 1));
      return { samples: new Float32Array(clip.samples.length), encodedBytes: 150, delaySamples: 156 };
    },
  };
  const clip = { samples: new Float32Array(4801).fill(1.5), sampleRate: 48000 };
  const parameters = { kilobitsPerSecond: 9, application: 'audio', codedRateHz: 24000, packetSeconds: 0.06 } as const;
  const { clip: coded, facts } = await opus.apply(clip, parameters, { random: createRandom(1), assets: silent });
  assert.deepEqual(asked, [{ kilobitsPerSecond: 9, application: 'audio', frameSeconds: 0.06, lose: null }]);
  assert.deepEqual([coded.samples.length, coded.sampleRate], [4801, 48000]);
  assert.equal(facts.compensatedDelaySeconds, 0.0065);
  assert.ok(Math.abs(Number(facts.achievedKilobitsPerSecond) - 12) < 0.02);
  assert.ok(Number(facts.saturatedSamples) > 2000);
});

test('rates and lengths that Opus does not know are refused', () => {
  for (const wrong of [{ codedRateHz: 11025 }, { packetSeconds: 0.03 }, { kilobitsPerSecond: 5 }]) {
    assert.equal(opus.parameters.safeParse({ ...opus.example, ...wrong }).success, false);
  }
});
