import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { exitCodes } from '../../base/errors.ts';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';

const script = fileURLToPath(new URL('../../../bin/earwitness.js', import.meta.url));

test('normalize gives one line for each, empty ones and a last one without an end too', async () => {
  const { code, stdout } = await runCommand(['normalize', '-n', 'basic'], { input: 'Hello, World!\r\n\r\nÄ b\nlast' });
  assert.equal(code, 0);
  assert.equal(stdout, 'hello world\n\nä b\nlast\n');
});

test('normalize answers each line before the next is typed', async () => {
  const child = spawn(process.execPath, [script, 'normalize'], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write('First!\n');
  const [answer] = await once(child.stdout, 'data');
  assert.equal(String(answer), 'first\n');
  child.stdin.end('Second!');
  const [second] = await once(child.stdout, 'data');
  assert.equal(String(second), 'second\n');
  await once(child, 'close');
});

test('normalize --json gives one object for each line, and names the line that is no UTF-8', async () => {
  const { stdout } = await runCommand(['normalize', '--json'], { input: 'A "b"\n' });
  assert.deepEqual(JSON.parse(stdout), { text: 'A "b"', normalized: 'a b' });
  const child = spawn(process.execPath, [script, 'normalize'], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(Buffer.from([0x61, 0x0a, 0x62, 0xff, 0x0a]));
  let stderr = '';
  child.stderr.on('data', (bytes) => {
    stderr += bytes;
  });
  let stdout2 = '';
  child.stdout.on('data', (bytes) => {
    stdout2 += bytes;
  });
  const [code] = await once(child, 'close');
  assert.equal(code, exitCodes['bad-input']);
  assert.equal(stdout2, 'a\n');
  assert.match(stderr, /stdin:2: expected text in UTF-8/);
});

test('score pools counts over pairs, and has no rate of an empty reference', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('pairs.tsv');
  await writeFile(file, 'id\treference\thypothesis\na\tthe cat\ta cat\nb\t\tx\nc\thello world\thello\n');
  const { code, stdout, stderr } = await runCommand(['score', file, '--json']);
  assert.equal(code, 0, stderr);
  const { pairs, pooled } = JSON.parse(stdout);
  assert.equal(pairs[1].words.wer, null);
  assert.equal(pairs[1].words.reason, 'the reference is empty');
  // By hand: one substituted, one inserted, one deleted of four reference words.
  assert.deepEqual(pooled.words, { correct: 2, substitutions: 1, deletions: 1, insertions: 1, wer: 0.75 });
  assert.equal(pooled.pairs, 3);
});

test('score shows what was aligned with what, harmless and within 80 columns', async () => {
  const hypothesis = `a cat\u001b[2J sat ${'and '.repeat(40)}`;
  const { stdout } = await runCommand([
    'score',
    '--reference',
    'the cat sat',
    '--hypothesis',
    hypothesis,
    '-n',
    'none',
  ]);
  assert.match(stdout, /^REF the +cat/m);
  assert.ok(!stdout.includes('\u001b'));
  for (const line of stdout.split('\n')) assert.ok(line.length <= 80, line);
});

test('score names file and line of what is missing', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('pairs.csv');
  await writeFile(file, 'id,refrence,hypothesis\na,b,c\n');
  const { code, stdout, stderr } = await runCommand(['score', file, '--json']);
  assert.equal(code, exitCodes['bad-input']);
  assert.equal(stdout, '');
  assert.match(stderr, /pairs\.csv:2:1: .*"reference".*rename "refrence"/);
});
