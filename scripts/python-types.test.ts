import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const folder = join(import.meta.dirname, '..', 'python');
const absent = spawnSync('pyright', ['--version']).status !== 0 && 'pyright is not installed (pip install pyright)';

test('pyright finds nothing in the Python package that is not typed strictly.', { skip: absent }, () => {
  const { status, stdout } = spawnSync('pyright', [], { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stdout);
});
