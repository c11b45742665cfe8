import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sha256 } from '../base/hash.ts';
import { createFileHasher } from './contract.ts';
import { ffmpeg } from './ffmpeg/ffmpeg.ts';
import { flac } from './flac/flac.ts';
import { mp3 } from './mp3/mp3.ts';
import { oggOpus } from './ogg-opus/ogg-opus.ts';
import { oggVorbis } from './ogg-vorbis/ogg-vorbis.ts';
import { createSoundFiles } from './sound-files.ts';
import { wavOfChannels } from './testing/wav-of-channels.ts';
import { wav } from './wav/wav.ts';

const folder = mkdtempSync(join(tmpdir(), 'earwitness-channels-'));
after(() => rmSync(folder, { recursive: true }));

const decoders = [wav, flac, mp3, oggOpus, oggVorbis, ffmpeg];
const soundFiles = () => createSoundFiles({ decoders, fileHash: createFileHasher() });
const sampleRate = 8000;

function written(name: string, channels: readonly (readonly number[])[]): string {
  const file = join(folder, name);
  writeFileSync(file, wavOfChannels(channels, sampleRate));
  return file;
}

/** Tones of 500 and 800 Hz: which is heard shows in how often the sign changes. */
const tone = (hz: number, seconds = 1) =>
  Array.from({ length: seconds * sampleRate }, (_, n) =>
    Math.round(9000 * Math.sin((2 * Math.PI * hz * n) / sampleRate)),
  );
const [left, right] = [tone(500), tone(800)];
const hzOf = (samples: Float32Array, rate: number) => {
  const changes = samples.reduce((sum, sample, n) => sum + (n > 0 && sample > 0 !== samples[n - 1]! > 0 ? 1 : 0), 0);
  return (changes * rate) / (2 * samples.length);
};

test('Each channel is read as it is, whole and in stretches, and unlike ones are not mixed unless somebody says so.', async () => {
  const file = written('call.wav', [left, right]);
  const sounds = soundFiles();
  const value = async (channel: 'mean' | number) => (await sounds.read(file, { endSeconds: 0.1, channel })).samples[7];
  assert.equal(await value(1), left[7]! / 32768);
  assert.equal(await value(2), right[7]! / 32768);
  assert.equal(await value('mean'), (left[7]! + right[7]!) / 65536);
  assert.equal((await sounds.read(file, { channel: 2 })).samples.length, sampleRate);
  assert.equal(await sounds.durationSeconds(file), 1);
  const refused = /call\.wav: expected one sound, but it has 2 channels, unlike from second 0\.0 on .* config: 1, each/;
  await assert.rejects(sounds.read(file), refused);
  await assert.rejects(sounds.identity(file), refused);
  await assert.rejects(
    sounds.read(file, { channel: 3 }),
    /call\.wav: expected a channel 3, but the file has 2 channels/,
  );
  await assert.rejects(sounds.identity(file, { channel: 0 }), /expected a channel 0/);
});

test('A stretch in which one side is silent is of a call all the same.', async () => {
  const half = left.map((sample, n) => (n < 4000 ? sample : 0));
  const sounds = soundFiles();
  const file = written('turns.wav', [half, half.toReversed()]);
  await assert.rejects(sounds.read(file, { endSeconds: 0.5 }), /2 channels, unlike/);
});

test('The identity of a sound says the channel, and of one channel, equal ones and their mean it is what it was before.', async () => {
  const sounds = soundFiles();
  const before = (file: string) => ({ file: sha256(readFileSync(file)), decoder: 'wav', version: '1' });
  const mono = written('mono.wav', [left]);
  for (const channel of [undefined, 'mean', 1] as const) {
    assert.deepEqual(await sounds.identity(mono, channel && { channel }), before(mono));
  }
  const dual = written('dual.wav', [left, left]);
  for (const channel of [undefined, 'mean', 1, 2] as const) {
    assert.deepEqual(await sounds.identity(dual, channel && { channel }), before(dual));
    assert.deepEqual((await sounds.read(dual, channel && { channel })).samples, (await sounds.read(mono)).samples);
  }
  const near = written('near.wav', [left, left.map((sample) => Math.round(0.9 * sample))]);
  assert.deepEqual(await sounds.identity(near), before(near));
  assert.deepEqual(await sounds.identity(near, { channel: 2 }), { ...before(near), channel: 2 });
  const call = written('sides.wav', [left, right]);
  assert.deepEqual(await sounds.identity(call, { channel: 'mean' }), before(call));
  assert.deepEqual(await sounds.identity(call, { channel: 2 }), { ...before(call), channel: 2 });
  const stretch = { startSeconds: 0.25, endSeconds: 0.5 };
  assert.deepEqual(await sounds.identity(call, { channel: 1, ...stretch }), { ...before(call), channel: 1, stretch });
});

test('One live channel of eight is heard as loud as it is, under an identity of its own.', async () => {
  const silent = left.map(() => 0);
  const file = written('eight.wav', [silent, silent, silent, left, silent, silent, silent, silent]);
  const sounds = soundFiles();
  const { samples } = await sounds.read(file);
  assert.equal(samples[7], left[7]! / 32768);
  assert.equal((await sounds.identity(file)).channel, 4);
});

test('A file that was replaced is looked at again.', async () => {
  const sounds = soundFiles();
  const file = written('changing.wav', [left, left]);
  await sounds.identity(file);
  written('changing.wav', [left, right, right]);
  await assert.rejects(sounds.identity(file), /3 channels, unlike/);
});

const forms: readonly [decoder: string, ending: string, ...options: string[]][] = [
  ['flac', 'flac'],
  ['flac', 'oga', '-c:a', 'flac', '-f', 'ogg'],
  ['mp3', 'mp3', '-b:a', '128k', '-joint_stereo', '0'],
  ['ogg-vorbis', 'ogg', '-c:a', 'libvorbis'],
  ['ogg-opus', 'opus', '-b:a', '128k'],
  ['ffmpeg', 'm4a', '-b:a', '128k'],
];
const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
for (const [decoder, ending, ...options] of forms) {
  test(`Of .${ending} files each channel is read by itself, and one channel or two equal ones are one sound.`, {
    skip: !hasFfmpeg,
  }, async () => {
    const coded = (name: string, ...channels: number[][]) => {
      const file = join(folder, `${name}.${ending}`);
      execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', written(`${name}-plain.wav`, channels), ...options, file]);
      return file;
    };
    const sounds = soundFiles();
    const call = coded('call', left, right);
    for (const part of [{}, { startSeconds: 0.25, endSeconds: 0.75 }]) {
      for (const [channel, hz] of [
        [1, 500],
        [2, 800],
      ] as const) {
        const clip = await sounds.read(call, { ...part, channel });
        assert.ok(Math.abs(hzOf(clip.samples, clip.sampleRate) - hz) < 25, `${channel}: ${hz} Hz`);
        const identity = await sounds.identity(call, { ...part, channel });
        assert.deepEqual([identity.decoder, identity.channel], [decoder, channel]);
      }
      await assert.rejects(sounds.read(call, part), /2 channels, unlike/);
    }
    // Files of AAC do not join by a copy of their bytes.
    for (const order of [
      [coded('one', left), call],
      [call, coded('one', left)],
    ].slice(0, ending === 'm4a' ? 0 : 2)) {
      const file = join(folder, `joined.${ending}`);
      writeFileSync(file, Buffer.concat(order.map((path) => readFileSync(path))));
      for (const channel of [undefined, 'mean', 1] as const)
        await assert.rejects(
          sounds.read(file, channel && { channel }),
          /number of channels changes from|2 channels, unlike/,
        );
      await assert.rejects(
        sounds.read(file, { channel: 'mean' }),
        /number of channels changes from [12] to [12]; make/,
      );
    }
    for (const [name, ...channels] of [['mono', left] as const, ['dual', left, left] as const]) {
      const file = coded(name, ...channels);
      const clip = await sounds.read(file);
      assert.ok(Math.abs(hzOf(clip.samples, clip.sampleRate) - 500) < 25);
      assert.equal((await sounds.identity(file)).channel, undefined);
    }
  });
}
