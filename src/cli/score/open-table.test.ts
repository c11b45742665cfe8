import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Row } from '../../system/delimited-rows.ts';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';
import { openTable } from './open-table.ts';
import type { TextFile } from './text-file.ts';

test('a table is opened once whoever asks; its rows are read once, and come again where they are kept', async () => {
  await using folder = await temporaryFolder();
  const count = 1000;
  const lines = Array.from({ length: count }, (_, n) => `u${n},it is ${n}`);
  await writeFile(folder.file('t.csv'), ['id,text', ...lines].join('\n'));
  const file: TextFile = { name: 't.csv', path: folder.file('t.csv'), format: 'table' };
  const kept: TextFile = { ...file, isKept: true };
  assert.equal(await openTable(kept), await openTable(kept));
  const read = async (from: TextFile) => {
    const rows: Row[] = [];
    for await (const row of (await openTable(from)).rows()) rows.push(row);
    return rows;
  };
  const [one, other] = await Promise.all([read(kept), read(kept)]);
  assert.equal(one.length, count);
  assert.ok(one.every((row, place) => row === other[place]));
  assert.equal((await read(file)).length, count);
  await assert.rejects(read(file), /t\.csv is read again, and its rows were not kept/);
});

test('a table on stdin is looked at as any other before it is read', async () => {
  await using folder = await temporaryFolder();
  await writeFile(folder.file('ref.csv'), 'id,reference\nu1,so it goes\nu2,we all know\n');
  const input = 'id,hyp\nu2,we all no\nu1,so it goes\n';
  const score = (...args: readonly string[]) =>
    runCommand(['score', 'ref.csv', '-', '--only', 'wer', ...args], { cwd: folder.path, input });
  assert.equal((await score()).stdout.trim(), String(1 / 6));
  assert.match(
    (await score('--id-column', 'nr')).stderr,
    /ref\.csv and stdin: expected a column "nr" .* there is "id", "reference", "hyp"$/m,
  );
});
