import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommand, temporaryFolder } from '../src/cli/testing/run-command.ts';
import { checkOwnMembersRun, layOutOwnMembers, ownMemberFiles } from './own-members.ts';

test('docs/own-members.md shows one whole file of every family, and they run together as it says', async () => {
  await using folder = await temporaryFolder();
  layOutOwnMembers(folder.path);
  assert.equal(ownMemberFiles().size, 11);
  const { code, stdout, stderr } = await runCommand(['run', '--json'], { cwd: folder.path });
  assert.equal(code, 0, stderr);
  checkOwnMembersRun(stdout);
});
