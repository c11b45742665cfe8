import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

test('mutated sounds, manifests, configs, bundles and stores are read or refused in a sentence', {
  timeout: 120_000,
}, () => {
  const bench = fileURLToPath(new URL('../bench/faults.ts', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [bench, '40', '0', '7'], { encoding: 'utf8' });
  assert.equal(status, 0, `${stdout}\n${stderr}`);
  assert.match(stdout, /stores: 40 mutations, .*0 wrong/);
});
