import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { encodeWav } from '../../audio/encode-wav.ts';
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

const acoustics = fileURLToPath(new URL('../../../../shared/data/acoustics/', import.meta.url));
const recorded = existsSync(acoustics);
const counts = recorded ? { noise: 19, music: 9, babble: 5, rir: 24 } : { noise: 2, music: 1, babble: 1, rir: 3 };
const hasSox = spawnSync('sox', ['--version']).status === 0;

/** Sounds that SoX writes, in WAV and FLAC, and a list with their lengths as SoX tells them. */
function soundsBySox(folder: string): void {
  const lines = Object.entries(counts).flatMap(([kind, count]) => {
    mkdirSync(join(folder, kind), { recursive: true });
    return Array.from({ length: count }, (_, index) => {
      const path = `${kind}/${index}.${index % 2 === 0 ? 'wav' : 'flac'}`;
      const synth = ['synth', String(0.3 + 0.17 * index), 'pinknoise'];
      execFileSync('sox', ['-R', '-r', String(16_000 + 3000 * index), '-n', '-b', '16', join(folder, path), ...synth]);
      const seconds = execFileSync('sox', ['--i', '-D', join(folder, path)], { encoding: 'utf8' }).trim();
      return `${path}\t${kind}\t${seconds}\tpink noise\tnone\tSoX\n`;
    });
  });
  writeFileSync(join(folder, 'manifest.tsv'), `path\tkind\tseconds\tdescription\tlicence\tsource\n${lines.join('')}`);
}

test('A manifest that describes several folders gives each its facts.', {
  skip: !recorded && !hasSox && 'neither shared/data/acoustics nor SoX is here',
}, async () => {
  const path = recorded ? acoustics : join(root, 'acoustics');
  if (!recorded) soundsBySox(path);
  for (const [part, count] of Object.entries(counts)) {
    const options = { folder: join(path, part), manifest: join(path, 'manifest.tsv') };
    const collection = await open(part, { [part]: { type: 'folder', options, moduleHash: null } });
    assert.equal(collection.sounds.length, count);
    assert.ok(collection.sounds.every(({ facts }) => facts.kind === part && typeof facts.licence === 'string'));
    for (const [index, { facts }] of collection.sounds.slice(0, recorded ? 1 : undefined).entries()) {
      assert.ok(Math.abs((await collection.durationSeconds(index)) - Number(facts.seconds)) < 0.01);
    }
  }
});
