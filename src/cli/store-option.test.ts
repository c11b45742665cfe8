import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { storeFile } from './options.ts';
import { temporaryFolder } from './testing/run-command.ts';

test('A folder stands for the store in it, or in the .earwitness of it; without one it is refused.', async () => {
  await using folder = await temporaryFolder();
  await mkdir(folder.file('.earwitness'));
  await assert.rejects(storeFile(folder.path), /expected a store or a folder that has one.*--store .*store\.sqlite/);
  await writeFile(folder.file('.earwitness/store.sqlite'), '');
  assert.equal(await storeFile(folder.path), folder.file('.earwitness/store.sqlite'));
  assert.equal(await storeFile(folder.file('.earwitness')), folder.file('.earwitness/store.sqlite'));
  assert.equal(await storeFile(folder.file('new.sqlite')), folder.file('new.sqlite'));
});
