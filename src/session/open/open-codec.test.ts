import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rms } from '../../audio/levels.ts';
import { openCodec } from './open-codec.ts';

const tone = (length: number, sampleRate: number) => ({
  samples: Float32Array.from({ length }, (_, n) => 0.3 * Math.sin((2 * Math.PI * 440 * n) / sampleRate)),
  sampleRate,
});
const call = { kilobitsPerSecond: 24, application: 'voip', frameSeconds: 0.02 } as const;

test('a tone comes back through both codecs in its place, and a single sample as one', async () => {
  const [opus, mp3] = [await openCodec('opus'), await openCodec('mp3')];
  for (const sampleRate of [8000, 24000]) {
    for (const length of [1, sampleRate]) {
      const clip = tone(length, sampleRate);
      for (const coded of [
        await opus.code(clip, { ...call, lose: null }),
        await mp3.code(clip, { kilobitsPerSecond: 32 }),
      ]) {
        assert.equal(coded.samples.length, length);
        assert.ok(coded.encodedBytes > 0);
        // The tone is stationary: its middle is compared where codecs have settled.
        const middle = clip.samples.subarray(sampleRate / 2, sampleRate);
        const error = middle.map((sample, n) => coded.samples[sampleRate / 2 + n]! - sample);
        if (length > 1) assert.ok(rms(error) < 0.25 * rms(middle), `${sampleRate}: ${rms(error) / rms(middle)}`);
      }
    }
  }
});

test('the same sound gives the same samples, whatever was coded before it', async () => {
  const [opus, mp3] = [await openCodec('opus'), await openCodec('mp3')];
  const settings = { ...call, lose: null };
  const before = [
    await opus.code(tone(8000, 16000), settings),
    await mp3.code(tone(8000, 16000), { kilobitsPerSecond: 16 }),
  ];
  await opus.code(tone(3000, 8000), settings);
  await mp3.code(tone(3000, 8000), { kilobitsPerSecond: 8 });
  assert.deepEqual(await opus.code(tone(8000, 16000), settings), before[0]);
  assert.deepEqual(await mp3.code(tone(8000, 16000), { kilobitsPerSecond: 16 }), before[1]);
});

test('the decoder of Opus goes on with a tone where one packet is lost, and falls silent where all are', async () => {
  const opus = await openCodec('opus');
  const clip = tone(16000, 16000);
  const lost = (from: number, to: number) => (packets: number) =>
    Uint8Array.from({ length: packets }, (_, packet) => (packet >= from && packet < to ? 1 : 0));
  const one = await opus.code(clip, { ...call, lose: lost(25, 26) });
  // Packet 25 is 8000 to 8319 of what is decoded, less the delay of 104.
  assert.ok(rms(one.samples.subarray(7900, 8200)) > 0.3 * rms(clip.samples));
  const all = await opus.code(clip, { ...call, lose: lost(0, 1000) });
  assert.ok(rms(all.samples) < 1e-6);
  const none = await opus.code(clip, { ...call, lose: lost(0, 0) });
  assert.deepEqual(none, await opus.code(clip, { ...call, lose: null }));
});

test('says what it is made of', async () => {
  assert.match(JSON.stringify((await openCodec('opus')).identity), /libopus-wasm.*\d\.\d.*libopus \d/);
  assert.match(JSON.stringify((await openCodec('mp3')).identity), /wasm-media-encoders.*mpg123-decoder/);
});
