import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const folder = join(import.meta.dirname, '..', 'python');
const needed = 'pip install pyright numpy pandas pandas-stubs polars';
const absent = spawnSync('python3', ['-c', 'import pyright, numpy, pandas, polars']).status !== 0 && needed;

test('pyright finds nothing in the Python package that is not typed strictly.', { skip: absent }, () => {
  const here = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).stdout.trim();
  const checked = spawnSync('python3', ['-m', 'pyright', '--pythonpath', here], { cwd: folder, encoding: 'utf8' });
  assert.equal(checked.status, 0, checked.stdout);
});
