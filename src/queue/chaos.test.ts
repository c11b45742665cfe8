import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { noServer } from '../store/testing/postgres-server.ts';

const skip =
  noServer || (process.env.EARWITNESS_SLOW_TESTS === '1' ? false : 'takes two minutes: EARWITNESS_SLOW_TESTS=1');

test('a run that is disturbed once in each way that needs no root loses, doubles, invents and overspends nothing', {
  skip,
}, () => {
  const bench = join(import.meta.dirname, '..', '..', 'bench', 'chaos.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [bench, '6', '1', 'plain'], { encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
  assert.match(stdout, /moments, seed 1: 0 differences/);
});
