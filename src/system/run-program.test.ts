import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastWords, type ProgramCall, runProgram } from './run-program.ts';

const node = (script: string, changes: Partial<ProgramCall> = {}) =>
  runProgram({
    program: process.execPath,
    arguments: ['-e', script],
    maxSeconds: 30,
    maxOutputBytes: 1e6,
    ...changes,
  });

test('a program reads its input, and what it prints comes back with its exit code', async () => {
  const script = `process.stdin.on('data', (text) => process.stdout.write(String(text).toUpperCase()));
    process.stdin.on('end', () => { process.stderr.write('done'); process.exitCode = 3; });`;
  const { end, output, errors } = await node(script, { input: Buffer.from('heard') });
  assert.deepEqual([end, output.toString(), errors], [{ how: 'exit', code: 3 }, 'HEARD', 'done']);
});

test('each end has its name', async () => {
  const forever = 'setInterval(() => {}, 1000)';
  const ends = await Promise.all([
    node("process.kill(process.pid, 'SIGTERM')"),
    node(forever, { maxSeconds: 0.2 }),
    node(`process.stdout.write('x'.repeat(2000)); ${forever}`, { maxOutputBytes: 1000 }),
    node(forever, { signal: AbortSignal.timeout(100) }),
    node('', { signal: AbortSignal.abort() }),
  ]);
  assert.deepEqual(
    ends.map(({ end }) => end),
    [
      { how: 'signal', signal: 'SIGTERM' },
      { how: 'too long' },
      { how: 'too much' },
      { how: 'given up' },
      { how: 'given up' },
    ],
  );
  const { end } = await node('', { program: '/nowhere/program' });
  assert.ok(end.how === 'not started' && end.error.code === 'ENOENT');
});

test('of a long stream of errors the first and the last words are kept', async () => {
  const { errors } = await node(
    "process.stderr.write('first' + '.'.repeat(50_000)); process.stderr.write('.'.repeat(50_000) + 'last')",
  );
  assert.match(errors, /^first\.+\n…\n\.+last$/);
  assert.equal(errors.length, 4096 + 3 + 4096);
});

test('arguments arrive as they are, through no shell', async () => {
  const odd = ['$HOME', '; echo x', 'ä "quoted"'];
  const { output } = await node('', {
    arguments: ['-e', 'process.stdout.write(JSON.stringify(process.argv.slice(1)))', ...odd],
  });
  assert.deepEqual(JSON.parse(output.toString()), odd);
});

test('the last words of a program are what went wrong, not where in its stack', async () => {
  const { errors } = await node("console.error('loading'); JSON.parse('{')");
  const words = lastWords(errors, 200);
  assert.match(words, /SyntaxError: Expected property name/);
  assert.doesNotMatch(words, /Node\.js v|at JSON\.parse/);
  const traceback = 'Traceback (most recent call last):\n  File "a.py", line 3, in f\nValueError: no\n';
  assert.match(lastWords(traceback, 200), /File "a\.py", line 3, in f.*ValueError: no$/);
  assert.equal(lastWords('x'.repeat(50), 20), `…${'x'.repeat(20)}`);
});
