import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { encodeWav } from '../audio/encode-wav.ts';
import { createServices } from './services.ts';

const root = mkdtempSync(join(tmpdir(), 'earwitness-collection-'));
after(() => rmSync(root, { recursive: true }));

function write(path: string, level: number, length = 1600): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  const samples = Float32Array.from({ length }, (_, n) => level * Math.sin(n));
  writeFileSync(join(root, path), encodeWav({ samples, sampleRate: 16000 }, { format: 's16' }));
}

const open = (name: string, sounds = {}) =>
  createServices({ baseFolder: root, soundCollections: sounds }).assets.sounds(name);

test('A collection is what its sounds are, in order: not what it, its folder or its files are called.', async () => {
  write('one/a.wav', 0.1);
  write('one/b.wav', 0.2);
  cpSync(join(root, 'one'), join(root, 'two'), { recursive: true });
  renameSync(join(root, 'two/a.wav'), join(root, 'two/Z.wav'));
  renameSync(join(root, 'two/b.wav'), join(root, 'two/ZZ.wav'));
  const one = await open('one');
  assert.deepEqual(
    one.sounds.map(({ name }) => name),
    ['a.wav', 'b.wav'],
  );
  assert.deepEqual((await open('two')).identity, one.identity);
  assert.deepEqual((await open(join(root, 'two'))).identity, one.identity);
  const named = { noises: { type: 'folder', options: { folder: 'two' }, moduleHash: null } };
  assert.deepEqual((await open('noises', named)).identity, one.identity);
  renameSync(join(root, 'two/Z.wav'), join(root, 'two/zz.wav'));
  assert.notDeepEqual((await open('two')).identity, one.identity, 'another order');
  write('two/zz.wav', 0.3);
  assert.notDeepEqual((await open('two')).identity, one.identity);
});

test('Stretches are parts of the whole, and lengths are known.', async () => {
  write('long/a.wav', 0.5, 16000);
  const collection = await open('long');
  assert.equal(await collection.durationSeconds(0), 1);
  const whole = await collection.read(0);
  assert.equal(whole.sampleRate, 16000);
  const part = await collection.read(0, { startSeconds: 0.25, endSeconds: 0.5 });
  assert.deepEqual(part.samples, whole.samples.slice(4000, 8000));
});

test('A file that vanished or was changed meanwhile is one sentence.', async () => {
  write('gone/a.wav', 0.1);
  write('gone/b.wav', 0.1, 800);
  const collection = await open('gone');
  await collection.read(1);
  rmSync(join(root, 'gone/a.wav'));
  await assert.rejects(
    collection.read(0),
    /a\.wav: expected an audio file, but there is no such file; correct the path/,
  );
  write('gone/b.wav', 0.4, 900);
  await assert.rejects(
    collection.read(1),
    /b\.wav: expected the audio file that was there .*, but it was changed; start again/,
  );
});

test('What is neither a collection nor a folder is one sentence with the nearest name.', async () => {
  const named = { 'ms-snsd': { type: 'folder', options: { folder: 'two' }, moduleHash: null } };
  await assert.rejects(
    open('ms-snds', named),
    /expected a sound collection or a folder, but there is no "ms-snds"; did you mean "ms-snsd"\?/,
  );
  await assert.rejects(open('nothing'), /there is no "nothing"; add it to the config under "sounds", or name a folder/);
});

const acoustics = new URL('../../../shared/data/acoustics/', import.meta.url);
const skip = existsSync(acoustics) ? false : 'shared/data/acoustics is absent';

test('A manifest that describes several folders gives each its facts.', { skip }, async () => {
  const path = fileURLToPath(acoustics);
  for (const [part, count] of [
    ['noise', 19],
    ['music', 9],
    ['babble', 5],
    ['rir', 24],
  ] as const) {
    const options = { folder: join(path, part), manifest: join(path, 'manifest.tsv') };
    const collection = await open(part, { [part]: { type: 'folder', options, moduleHash: null } });
    assert.equal(collection.sounds.length, count);
    assert.ok(collection.sounds.every(({ facts }) => facts.kind === part && typeof facts.licence === 'string'));
    assert.ok(Math.abs((await collection.durationSeconds(0)) - Number(collection.sounds[0]?.facts.seconds)) < 0.01);
  }
});
