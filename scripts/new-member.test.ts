import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { folders, templates } from './member-templates.ts';

const root = join(import.meta.dirname, '..');
const copy = mkdtempSync(join(tmpdir(), 'earwitness-new-'));
after(() => rmSync(copy, { recursive: true, force: true }));
for (const part of ['src', 'scripts', 'package.json', 'tsconfig.json', 'biome.json', '.gitignore'])
  cpSync(join(root, part), join(copy, part), { recursive: true });
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');

const name = 'brand-new';
const { normalizer, ...ownFolders } = folders;
const made = [
  ...Object.values(ownFolders).map((folder) => `src/${folder}/${name}`),
  `src/${normalizer}/${name}.ts`,
  `src/${normalizer}/${name}.test.ts`,
];

function run(program: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: copy,
    encoding: 'utf8',
    // A test runner inside of a test runner reports to the outer one, unless it does not know of it.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  return { status, output: `${stdout}${stderr}` };
}

test('a folder of each kind of member is made once, under a name in kebab-case', () => {
  assert.deepEqual(Object.keys(templates), Object.keys(folders));
  for (const kind of Object.keys(templates)) {
    const { status, output } = run('node', 'scripts/new-member.ts', kind, name);
    assert.equal(status, 0, output);
  }
  assert.match(run('node', 'scripts/new-member.ts', 'corpus', name).output, /exists already/);
  assert.match(run('node', 'scripts/new-member.ts', 'corpus', 'Not Kebab').output, /kebab-case/);
  assert.match(run('node', 'scripts/new-member.ts', 'corpse', 'x').output, /^expected one of recognizer, /);
});

test('what was made has the right types and format, and the catalog takes it in', () => {
  const files = { extends: './tsconfig.json', include: made };
  writeFileSync(join(copy, 'tsconfig.made.json'), JSON.stringify(files));
  const types = run('tsc', '-p', 'tsconfig.made.json');
  assert.equal(types.status, 0, types.output);
  const format = run('biome', 'check', '--error-on-warnings', '--vcs-enabled=false', ...made);
  assert.equal(format.status, 0, format.output);
  const catalog = run('node', 'scripts/generate-catalog.ts');
  assert.equal(catalog.status, 0, catalog.output);
});

test('the tests of what was made fail, each for what is not there yet, and those of its family too', () => {
  for (const [kind, folder] of Object.entries(folders)) {
    const test = kind === 'normalizer' ? `src/${folder}/${name}.test.ts` : `src/${folder}/${name}/${name}.test.ts`;
    const { status, output } = run('node', '--test', test);
    assert.equal(status, 1, `${test} passes although nothing is there\n${output}`);
    assert.doesNotMatch(output, /SyntaxError|ERR_MODULE_NOT_FOUND|is not a function/, output);
  }
  const family = run('node', '--test', '--test-name-pattern', `^${name}:`, 'src/perturbations/perturbations.test.ts');
  assert.equal(family.status, 1, family.output);
});
