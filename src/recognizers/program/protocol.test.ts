// docs/protocol.md is tried as it stands there.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { readLine as readAny } from '../../system/line-process.ts';
import { recognizerLines } from '../shared/program/program-process.ts';

const readLine = (line: string) => readAny(recognizerLines, line);
const root = join(import.meta.dirname, '..', '..', '..');
const page = readFileSync(join(root, 'docs', 'protocol.md'), 'utf8');
const said = (arrow: string) => [...page.matchAll(new RegExp(`^${arrow} (.*)$`, 'gm'))].map(([, line]) => line!);

test('the exchange of the page is what its program says', async () => {
  const child = spawn(process.execPath, [join(root, 'examples', 'programs', 'recognizer.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  for (const line of said('→')) {
    const { bytes = 0 } = JSON.parse(line) as { bytes?: number };
    child.stdin.write(`${line}\n`);
    child.stdin.write(Buffer.alloc(bytes));
  }
  assert.deepEqual((await text(child.stdout)).trim().split('\n'), said('←'));
});

test('every answer of the page is one of the protocol', () => {
  assert.ok(said('←').length >= 6);
  for (const line of said('←')) assert.ok('message' in readLine(line), line);
});

test('the program of the page is the one of the examples', () => {
  const example = readFileSync(join(root, 'examples', 'programs', 'recognizer.py'), 'utf8');
  assert.ok(page.includes(`\n\`\`\`python\n${example}\`\`\`\n`));
  assert.match(page, new RegExp(`In ${example.trim().split('\n').length} lines of Python`));
});

test('the tables of the page name every message and every member that is read', () => {
  for (const line of [
    '{"say":"hello","protocol":1,"name":"a","version":"1"}',
    '{"say":"transcript","id":1,"text":""}',
    '{"say":"partial","id":1,"text":""}',
    '{"say":"failure","message":""}',
    '{"say":"opened"}',
    '{"say":"pong","id":1}',
  ]) {
    const read = readLine(line);
    assert.ok('message' in read, line);
    for (const member of [read.message.say, ...Object.keys(read.message).filter((name) => name !== 'say')])
      assert.ok(page.includes(`\`${member}\``), member);
  }
});

test('a line that is none of the protocol is told so', () => {
  const problem = (line: string) => {
    const read = readLine(line);
    return 'problem' in read ? read.problem : '';
  };
  assert.match(problem('Loading…'), /^printed "Loading…" where only lines of the protocol may stand/);
  assert.match(problem('[1]'), /^printed/);
  assert.match(
    problem('{"say":"transcript","id":1,"text":"NaN","words":[{"text":"x","start":NaN}]}'),
    /, a line that begins like the protocol but is no JSON: `NaN` at character 70 \(JSON has none: say null, or leave it out\)$/,
  );
  assert.match(problem('{"say":"hello","x":-Infinity}'), /no JSON: `-Infinity` at character 20 /);
  assert.match(problem('{"say":"hello",}'), /begins like the protocol but is no JSON: .*double-quoted property name/);
  assert.match(problem('\uFEFF{"say":"opened"}'), /begins with a byte order mark \(U\+FEFF\)/);
  assert.match(problem('{loading}'), /where only lines of the protocol may stand/);
  assert.match(problem('{"say":"helo"}'), /`say` is none of hello, opened, transcript, partial, failure, pong$/);
  assert.match(problem('{"say":"transcript","id":"1","text":"a"}'), /but id: /);
  assert.match(problem('{"say":"transcript","id":1}'), /but text: /);
});
