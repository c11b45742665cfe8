// GitLab's template of examples/guard and the hook for pre-commit, step by step from the files themselves, in a folder as a repository would have it.
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
const { guard: job } = guard('gitlab-ci.yml');
const [hook] = parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8'));
const [used] = guard('pre-commit.yml').repos[0].hooks;
const steps: Readonly<Record<string, readonly string[]>> = {
  'gitlab-ci.yml': [...job.script, ...job.after_script].map((line) => line.replace('npx ', '')),
  'pre-commit.yml': [`${hook.entry} ${used.args.join(' ')}`],
};
const variables = Object.entries(job.variables).map(([name, value]) => `${name}='${value}'; `);

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
    const all = async () => {
      let status = 0;
      for (const command of commands) {
        const ran = await run(`${variables.join('')}${command}`);
        status ||= ran.status ?? 1;
      }
      return status;
    };
    assert.equal(await all(), 0);
    put(here, 'pocketsphinx.tsv');
    assert.equal(await all(), 20);
    if (name !== 'gitlab-ci.yml') return;
    assert.match(readFileSync(join(here, 'gate.md'), 'utf8'), /^### Earwitness: Fail: 5 of 6 checks/);
    assert.match(readFileSync(join(here, job.artifacts.reports.junit), 'utf8'), /tests="6" failures="5"/);
    for (const path of job.artifacts.paths) assert.ok(existsSync(join(here, path)), path);
  });
}

test('pre-commit finds the hook that the example uses', () => {
  assert.equal(hook.id, used.id);
});
