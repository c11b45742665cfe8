// The workflows of examples/guard, step by step from the files themselves, in a folder as a repository would have it.
import assert from 'node:assert/strict';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { workplace } from './documents.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'earwitness-guard-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const guard = (name: string) => parse(readFileSync(join(root, 'examples', 'guard', name), 'utf8'));
const steps: Readonly<Record<string, readonly string[]>> = {
  'github-actions.yml': guard('github-actions.yml').jobs.gate.steps.flatMap(({ run }: { run?: string }) => run ?? []),
  'gitlab-ci.yml': guard('gitlab-ci.yml').guard.script,
  // One line for the shell: its commands are what the others have as steps.
  'pre-commit.yml': [guard('pre-commit.yml').repos[0].hooks[0].entry.replaceAll('npx ', '')],
};

const config = readFileSync(join(root, 'examples', 'guard', 'earwitness.config.yaml'), 'utf8');
const put = (here: string, table: string) =>
  writeFileSync(
    join(here, 'earwitness.config.yaml'),
    config.replace('../recorded/whisper-base.tsv', table).replace('../recorded/', ''),
  );

/** Where the release was run that the baseline is of. */
const begun = join(folder, 'begun');
before(async () => {
  mkdirSync(begun);
  const run = workplace(begun, null);
  for (const file of ['utterances.tsv', 'whisper-base.tsv', 'pocketsphinx.tsv'])
    copyFileSync(join(root, 'examples', 'recorded', file), join(begun, 'here', file));
  put(join(begun, 'here'), 'whisper-base.tsv');
  assert.equal((await run('earwitness run\nearwitness baseline main.tsv')).status, 0);
});

for (const [name, commands] of Object.entries(steps)) {
  test(`${name}: its steps pass for the release that the baseline is of, and end red for a worse one`, async () => {
    const own = join(folder, name);
    mkdirSync(own);
    const run = workplace(own, null);
    const here = join(own, 'here');
    cpSync(join(begun, 'here'), here, { recursive: true });
    // What npm and the platform do is theirs.
    const ours = commands
      .filter((command) => /earwitness|gate\.md >>/.test(command))
      .map((command) => command.replace('npx ', ''));
    assert.ok(ours.join(' && ').split('earwitness').length > 2);
    const all = async () => {
      let status = 0;
      for (const command of ours) status ||= (await run(`GITHUB_STEP_SUMMARY=summary.md; ${command}`)).status ?? 1;
      return status;
    };
    assert.equal(await all(), 0);
    put(here, 'pocketsphinx.tsv');
    assert.equal(await all(), 20);
    assert.match(readFileSync(join(here, 'gate.md'), 'utf8'), /^### Earwitness: Fail: 5 of 6 checks/);
    assert.equal(existsSync(join(here, 'summary.md')), name === 'github-actions.yml');
    assert.match(readFileSync(join(here, 'gate.xml'), 'utf8'), /tests="6" failures="5"/);
  });
}
