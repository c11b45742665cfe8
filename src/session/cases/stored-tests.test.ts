// What is refused is decided here, by the lines that are written.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { basic } from '../../scoring/normalizers/basic.ts';
import { openStore } from '../../store/sqlite/sqlite-store.ts';
import { readStoredTests } from './stored-tests.ts';

const exported = (id: string, recognizer: string) =>
  `${JSON.stringify({ id, text: 'the tax', recognizer, transcript: 'the tacks', status: 'failed' })}\n`;

test('An export that says something twice is refused with both lines: it would count twice.', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'earwitness-export-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  using store = openStore(join(folder, 'store.sqlite'));
  const file = join(folder, 'cases.jsonl');
  await writeFile(file, [exported('a', 'one'), exported('a', 'other'), exported('b', 'one')].join(''));
  const { kind, recognizers, tests } = await readStoredTests(store, folder, basic);
  assert.deepEqual([kind, recognizers, tests.length], ['chosen', ['one', 'other'], 3]);
  await writeFile(file, [exported('a', 'one'), '\n', exported('a', 'one')].join(''));
  await assert.rejects(readStoredTests(store, folder, basic), {
    code: 'bad-input',
    message: `${file}:3:1: expected each clip once for each recognizer, but line 1 has it too; export the cases again`,
  });
});
