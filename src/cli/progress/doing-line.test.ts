import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDoingLine } from './lines.ts';

function drawn(isTTY: boolean) {
  const written: string[] = [];
  let now = 0;
  const line = createDoingLine({ isTTY, columns: 20, write: (text) => written.push(text) }, { monotonicMs: () => now });
  return { line, written, wait: (ms: number) => (now += ms) };
}

test('what is being done is said at once, how far it is ten times a second, and taken away again', () => {
  const { line, written, wait } = drawn(true);
  line.doing('looking', () => '1 file');
  line.doing('looking', () => '2 files');
  wait(100);
  line.doing('looking', () => '3 files');
  line.doing('reading a list with a long name');
  line.clear();
  line.clear();
  line.doing('looking', () => '4 files');
  assert.deepEqual(
    written.map((text) => text.replace('\r\u001b[2K', '')),
    ['looking: 1 file', 'looking: 3 files', 'reading a list with', '', 'looking: 4 files'],
  );
});

test('where nobody looks nothing is written', () => {
  const { line, written } = drawn(false);
  line.doing('looking');
  line[Symbol.dispose]();
  assert.deepEqual(written, []);
});
