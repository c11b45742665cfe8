// What a run leaves in the tree is invisible to every check: `npm run first-run` and `npm test` stand in the README in this order.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import knip from '../knip.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'earwitness-tree-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const left = /(^|\/)(\.earwitness|earwitness-report)\//;

/** What a program printed, in the copy of the tree; its exit status first. */
function run(program: string, ...args: readonly string[]): { status: number | null; printed: string } {
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH: path, EARWITNESS_ONE_THREAD: '1', NODE_OPTIONS: '', NO_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8', env });
  return { status, printed: stdout + stderr };
}

before(() => {
  // Without the sources, which are what takes the checks their time: in their place stand empty files that are named.
  const kept = (path: string) =>
    !/^(node_modules|\.git|dist|dist-packages|\.earwitness|earwitness-report|src|bench|goldens)$/.test(basename(path));
  cpSync(root, folder, { recursive: true, filter: kept });
  for (const entry of knip({})
    .entry.map((pattern) => pattern.replace('!', ''))
    .filter((path) => !path.includes('*'))) {
    mkdirSync(dirname(join(folder, entry)), { recursive: true });
    writeFileSync(join(folder, entry), '');
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const example = join('examples', 'recorded');
  const config = join(example, 'earwitness.config.yaml');
  const { status, printed } = run('node', join(root, 'bin', 'earwitness.js'), 'run', '-c', config);
  assert.equal(status, 0, printed);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => left.test(path));
  for (const wanted of [/report\.json$/, /report\.html$/, /\.csv$/, /\.earwitness\//]) {
    assert.ok(
      files.some((path) => path.startsWith(example) && wanted.test(path)),
      `no ${wanted} in ${files}`,
    );
  }
});

test('the lint sees no file that a run wrote', () => {
  const { status, printed } = run('biome', 'check', 'examples', 'package.json', '--error-on-warnings');
  assert.equal(status, 0, printed);
  assert.match(printed, /Checked \d+ file/);
});

test('neither types, nor dead code, nor the package take one in', () => {
  const lists = {
    types: run('tsc', '-p', '.', '--showConfig'),
    package: run('npm', 'pack', '--dry-run', '--json', '--ignore-scripts'),
    // Nothing is used here: what it says of that is not what is asked.
    'dead code': run('knip', '--debug', '--no-exit-code'),
  };
  for (const [check, { status, printed }] of Object.entries(lists)) {
    assert.equal(status, 0, printed);
    assert.match(printed, /README\.md|index\.ts/, check);
    assert.deepEqual(
      printed.split('\n').filter((line) => left.test(line.trim().replaceAll(/['",]/g, ''))),
      [],
      check,
    );
  }
});
