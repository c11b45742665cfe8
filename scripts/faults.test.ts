import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

test('mutated sounds, manifests, configs, transcripts, cases, models, bundles and stores are read or refused in a sentence', {
  timeout: 120_000,
}, () => {
  const bench = fileURLToPath(new URL('../bench/faults/faults.ts', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [bench, '40', '0', '7', '0'], { encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  assert.match(stdout, /stores: 40 mutations, .*0 wrong/);
});

test('a power cut leaves whole stores, and takes two seconds of answers at most', { timeout: 120_000 }, (context) => {
  const bench = fileURLToPath(new URL('../bench/faults/faults.ts', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [bench, '0', '0', '3', '5'], { encoding: 'utf8' });
  if (/skipped, (.*)/.test(stdout)) return context.skip(/skipped, (.*)/.exec(stdout)![1]!);
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  assert.match(stdout, /power cuts over forget: 1, 0 faults/);
});
