import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createFileHasher } from './contract.ts';
import { createSoundFiles } from './sound-files.ts';
import { wav } from './wav/wav.ts';

const folder = mkdtempSync(join(tmpdir(), 'earwitness-channels-'));
after(() => rmSync(folder, { recursive: true }));

/** A WAV file of two channels at 8 kHz: left 1000, right -3000, as 16-bit integers. */
function stereo(frames: number): Uint8Array {
  const bytes = Buffer.alloc(44 + 4 * frames);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(36 + 4 * frames, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  for (const [at, value] of [
    [20, 1],
    [22, 2],
    [32, 4],
    [34, 16],
  ] as const)
    bytes.writeUInt16LE(value, at);
  bytes.writeUInt32LE(8000, 24);
  bytes.writeUInt32LE(32000, 28);
  bytes.write('data', 36);
  bytes.writeUInt32LE(4 * frames, 40);
  for (let frame = 0; frame < frames; frame++) {
    bytes.writeInt16LE(1000, 44 + 4 * frame);
    bytes.writeInt16LE(-3000, 46 + 4 * frame);
  }
  return bytes;
}

test('Channels are mixed by their mean, or the first is taken; the length is known without reading the samples.', async () => {
  const file = join(folder, 'stereo.wav');
  writeFileSync(file, stereo(4000));
  const sounds = createSoundFiles({ decoders: [wav], fileHash: createFileHasher() });
  const value = async (channel?: 'mean' | 'first') =>
    (await sounds.read(file, { endSeconds: 0.1 }, channel)).samples[7];
  assert.equal(await value(), -1000 / 32768);
  assert.equal(await value('first'), 1000 / 32768);
  assert.equal((await sounds.read(file, undefined, 'first')).samples.length, 4000);
  assert.equal(await sounds.durationSeconds(file), 0.5);
});
