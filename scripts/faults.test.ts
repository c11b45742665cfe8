import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const nothing = { mutations: 0, kills: 0, signals: 0, disks: 0, cuts: 0 };

/** The bench's quick part: what it prints. */
function attacked(options: Partial<typeof nothing>, seed: number, only: string): string {
  const bench = fileURLToPath(new URL('../bench/faults/faults.ts', import.meta.url));
  const numbers = Object.entries({ ...nothing, ...options, seed }).flatMap(([name, value]) => [
    `--${name}`,
    `${value}`,
  ]);
  const { status, stdout, stderr } = spawnSync(process.execPath, [bench, ...numbers, '--only', only], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  return stdout;
}

test('mutated sounds, lists, configs, transcripts, cases, models, bundles, stores and answers are read or refused in a sentence', {
  timeout: 240_000,
}, () => {
  const said = attacked({ mutations: 15 }, 7, '');
  assert.match(said, /stores: 15 mutations, .*0 wrong/);
  assert.match(said, /servers: 15 mutations, .*0 wrong/);
});

test('a run that is killed, told to stop, or meets a full disk is ended by the next as if nothing had been', {
  timeout: 240_000,
  skip: process.platform === 'win32' && 'Windows has no such signals',
}, () => {
  const said = attacked({ kills: 1, signals: 1, disks: 1 }, 5, 'run (scripted)');
  assert.match(said, /kills of run \(scripted\): \d of \d .*, 0 faults/);
  assert.match(said, /full disks under run \(scripted\): \d of \d .*, 0 faults/);
});

test('a power cut leaves whole stores, and takes two seconds of answers at most', { timeout: 240_000 }, (context) => {
  const said = attacked({ cuts: 5 }, 3, '');
  const [, missing] = /skipped, (.*)/.exec(said) ?? [];
  if (missing !== undefined) return context.skip(missing);
  assert.match(said, /power cuts over forget: 1, 0 faults/);
});
