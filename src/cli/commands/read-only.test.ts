// What only reads, where nothing can be written: a mount that is read-only (root needs no permissions, but cannot write there either).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openStore } from '../../store/sqlite/sqlite-store.ts';
import { runCommand, sineWav, temporaryFolder } from '../testing/run-command.ts';

const script = fileURLToPath(new URL('../../../bin/earwitness.js', import.meta.url));
const isolated = ['--mount', '--user', '--map-root-user'];
const skip =
  spawnSync('unshare', [...isolated, 'mount', '--bind', '-o', 'ro', '/tmp', '/tmp']).status !== 0 &&
  'nothing can be mounted here';

/** Runs the command where a folder cannot be written. */
function readOnly(folder: string, args: readonly string[]) {
  const mounted = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && cd "$1" && shift && exec "$@"';
  const shell = ['sh', '-c', mounted, 'sh', folder, process.execPath, script, ...args];
  const { status, stdout, stderr } = spawnSync('unshare', [...isolated, ...shell], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('in a place where nothing can be written, what only reads reads: with a log and without one', {
  skip,
}, async () => {
  await using folder = await temporaryFolder();
  await using elsewhere = await temporaryFolder();
  const cwd = folder.path;
  await writeFile(folder.file('a.wav'), sineWav());
  await writeFile(folder.file('a.txt'), 'one two');
  const recognizer = { type: 'scripted', default: 'one too' };
  const config = {
    corpus: { type: 'folder', folder: '.', language: 'en' },
    recognizers: { one: recognizer, two: { ...recognizer, default: 'one two' } },
    studies: [{ type: 'robustness', conditions: ['aequevox/noise:1'], resamples: 100 }],
  };
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config));
  assert.equal((await runCommand(['run'], { cwd })).code, 0);
  const told = (await runCommand(['report', '--json'], { cwd })).stdout;
  const out = elsewhere.file('bundle.gz');
  const commands = [
    ['report', '--json'],
    ['store', 'list'],
    ['store', 'check'],
    ['compare', 'last:one', 'last:two', '--resamples', '100'],
  ];
  for (const command of [...commands, ['bundle', '--out', out]]) {
    const { status, stdout, stderr } = readOnly(cwd, command);
    assert.equal(status, 0, `${command.join(' ')}: ${stderr}`);
    if (command[0] === 'report') assert.equal(stdout, told);
  }
  // As a kill leaves it: with a log that was never copied into the store.
  mkdirSync(folder.file('killed'));
  {
    using store = openStore(folder.file('.earwitness/store.sqlite'));
    store.noteOutput({ run: store.run('last')!.id, kind: 'export', path: '/nowhere' }, true);
    for (const end of ['', '-wal', '.last'])
      copyFileSync(folder.file(`.earwitness/store.sqlite${end}`), folder.file(`killed/store.sqlite${end}`));
  }
  const killed = readOnly(cwd, ['report', '--json', '--store', 'killed/store.sqlite']);
  assert.equal(killed.status, 0, killed.stderr);
  assert.equal(killed.stdout, told);
});
