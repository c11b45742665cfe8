import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const hasSignals = process.platform !== 'win32';

/** The bench's quick part, once for all tests, as half of its time goes into making what it attacks. */
let said = '';
before(
  () => {
    const bench = fileURLToPath(new URL('../bench/faults/faults.ts', import.meta.url));
    const each = hasSignals ? 1 : 0;
    const counts = { mutations: 15, kills: each, signals: each, disks: each, cuts: 5, seed: 7, only: 'run (scripted)' };
    const options = Object.entries(counts).flatMap(([name, value]) => [`--${name}`, `${value}`]);
    const { status, stdout, stderr } = spawnSync(process.execPath, [bench, ...options], { encoding: 'utf8' });
    assert.equal(status, 0, `${stdout}\n${stderr}`);
    said = stdout;
  },
  { timeout: 480_000 },
);

test('mutated sounds, lists, configs, transcripts, cases, models, bundles, stores and answers are read or refused in a sentence', () => {
  assert.match(said, /stores: 15 mutations, .*0 wrong/);
  assert.match(said, /servers: 15 mutations, .*0 wrong/);
});

test('a run that is killed, told to stop, or meets a full disk is ended by the next as if nothing had been', {
  skip: !hasSignals && 'Windows has no such signals',
}, () => {
  assert.match(said, /kills of run \(scripted\): \d of \d .*, 0 faults/);
  assert.match(said, /full disks under run \(scripted\): \d of \d .*, 0 faults/);
});

test('a power cut leaves whole stores, and takes two seconds of answers at most', (context) => {
  const [, missing] = /power cuts: skipped, (.*)/.exec(said) ?? [];
  if (missing !== undefined) return context.skip(missing);
  assert.match(said, /power cuts over forget: 1, 0 faults/);
});
