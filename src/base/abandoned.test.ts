import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownedName, removeAbandoned, removeUnfinished, temporaryFolder, unfinishedName } from './on-disk.ts';

test('what a killed process left is removed, what others use or own stays', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-abandoned-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const program = `import { ownedName } from ${JSON.stringify(new URL('./on-disk.ts', import.meta.url).href)};
    console.log(ownedName('.merge-')); process.kill(process.pid, 'SIGKILL');`;
  const dead = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }).stdout.trim();
  const strange = dead.replace(/s[0-9a-f]{8}-/, 's00000000-');
  const names = [dead, strange, ownedName('.merge-'), '.merge-mine', `other-${dead}`];
  for (const name of names) mkdirSync(join(folder, name, 'inside'), { recursive: true });
  writeFileSync(join(folder, `${dead}.tmp`), 'half');
  removeAbandoned(folder, '.merge-');
  assert.deepEqual(readdirSync(folder).sort(), names.slice(1).sort());
  removeAbandoned(join(folder, 'absent'), '.merge-');
});

test('temporary folders are the own user’s alone', (context) => {
  const folder = temporaryFolder('test');
  context.after(() => rmSync(folder, { recursive: true }));
  removeAbandoned(tmpdir(), 'earwitness-');
  assert.ok(existsSync(folder));
});

test('what a process left is removed too where a thread of another has its number now', (context) => {
  if (process.platform !== 'linux') return context.skip('threads have no numbers of processes here');
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-abandoned-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const thread = readdirSync('/proc/self/task').find((id) => Number(id) !== process.pid)!;
  const left = join(folder, ownedName('.merge-').replace(/p\d+s/, `p${thread}s`));
  mkdirSync(left);
  removeAbandoned(folder, '.merge-');
  assert.ok(!existsSync(left));
});

test('of a folder that somebody else names nothing is removed but what this program left unfinished there', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-abandoned-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const half = unfinishedName(join(folder, 'report.html'));
  const theirs = [join(folder, 'thesis.tmp'), join(folder, 'report.html.tmp'), join(folder, '.earwitness-notes.tmp')];
  for (const file of [half, ...theirs]) writeFileSync(file, '');
  removeUnfinished(folder);
  assert.deepEqual(
    [half, ...theirs].map((file) => existsSync(file)),
    [true, true, true, true],
    'whoever writes it is at work',
  );
  const dead = spawnSync(process.execPath, ['-e', 'console.log(process.pid)'], { encoding: 'utf8' }).stdout.trim();
  const left = half.replace(`p${process.pid}s`, `p${dead}s`);
  writeFileSync(left, '');
  removeUnfinished(folder);
  assert.deepEqual(
    [left, half, ...theirs].map((file) => existsSync(file)),
    [false, true, true, true, true],
  );
});
