import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, test } from 'node:test';

const folder = mkdtempSync(join(tmpdir(), 'earwitness-open-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const root = join(import.meta.dirname, '..', '..');
const config = join(folder, 'earwitness.config.yaml');
writeFileSync(join(folder, 'said.tsv'), 'id\treference\na\tone two\n');
writeFileSync(
  config,
  'corpus: { type: manifest, file: said.tsv }\nrecognizers: { one: { type: scripted, answers: { a: one two } } }\nstudies: [{ type: robustness, conditions: [] }]\n',
);

function run(path: string) {
  const env = { ...process.env, PATH: path };
  const args = [join(root, 'bin', 'earwitness.js'), 'run', '--config', config, '--new', '--open'];
  return spawnSync(process.execPath, args, { encoding: 'utf8', env });
}

test('--open hands the path of the report to what opens files', { skip: process.platform !== 'linux' }, () => {
  const opener = join(folder, 'xdg-open');
  writeFileSync(opener, `#!/bin/sh\nprintf %s "$1" > '${join(folder, 'opened')}'\n`);
  chmodSync(opener, 0o755);
  const { status, stdout, stderr } = run([folder, process.env.PATH].join(delimiter));
  assert.equal(status, 0, stderr);
  assert.equal(readFileSync(join(folder, 'opened'), 'utf8'), /Report: (.+)/.exec(stdout)![1]);
});

test('where nothing opens files, one line says so and the run is as good', {
  skip: process.platform !== 'linux',
}, () => {
  rmSync(join(folder, 'xdg-open'), { force: true });
  const { status, stderr } = run(dirname(process.execPath));
  assert.equal(status, 0, stderr);
  assert.match(stderr, /could not be opened .*xdg-open.*by its path/);
});
