// How libopus conceals is tested where it is opened (src/session/open/open-codec.ts).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpusSettings } from '../../audio/codecs/sound-codec.ts';
import { createRandom } from '../../base/random.ts';
import { opusPacketLoss } from './opus-packet-loss.ts';

test('the packets that the codec is told to lose are those of the facts', async () => {
  let lost: Uint8Array | null = null;
  const codec = {
    identity: {},
    code: ({ samples }: { samples: Float32Array }, { lose }: OpusSettings) => {
      lost = lose!(1000);
      return { samples: samples.slice(), encodedBytes: 1, delaySamples: 0 };
    },
  };
  const clip = { samples: new Float32Array(320_000), sampleRate: 16000 };
  const parameters = { ...opusPacketLoss.example, lossShare: 0.2, meanBurstPackets: 4 };
  const { facts } = await opusPacketLoss.apply(clip, parameters, { random: createRandom(1), assets: codec });
  assert.equal(facts.packets, 1000);
  assert.equal(facts.lostPackets, [...lost!].filter((one) => one === 1).length);
  // Standard error of the share: .0126 sqrt((1 + c) / (1 - c)), c = 1 - 1/4 - 1/16: .029.
  assert.ok(Math.abs(Number(facts.achievedLossShare) - 0.2) < 0.12);
});
