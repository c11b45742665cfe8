// What stands in the README and in docs/ is run as it stands there.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { loadConfig } from '../src/session/config/load-config.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'earwitness-readme-'));
after(() => rmSync(folder, { recursive: true, force: true }));
cpSync(join(root, 'examples', 'recorded'), folder, { recursive: true });
rmSync(join(folder, '.earwitness'), { recursive: true, force: true });
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');

function blocks(file: string, language: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'))].map((match) => match[1]!);
}

const [config = '', library = ''] = blocks('README.md', 'ts');
const entries = {
  earwitness: join(root, 'src', 'index.ts'),
  'earwitness/scoring': join(root, 'src', 'scoring', 'scoring.ts'),
};

test("the README's config is accepted as it stands there", async () => {
  const file = join(folder, 'earwitness.config.ts');
  writeFileSync(file, config);
  const loaded = await loadConfig(file);
  assert.deepEqual(Object.keys(loaded.config.recognizers), ['usual', 'narrow', 'ours']);
});

test("the README's library example runs, and prints what its comments say", () => {
  const urls = Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, pathToFileURL(file).href]));
  const hook = `import { registerHooks } from 'node:module';
const entries = ${JSON.stringify(urls)};
registerHooks({ resolve: (name, context, next) => (entries[name] ? { url: entries[name], shortCircuit: true } : next(name, context)) });`;
  writeFileSync(join(folder, 'hook.mjs'), hook);
  writeFileSync(join(folder, 'library.ts'), library);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', './hook.mjs', 'library.ts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  const [rate, pair, ...report] = stdout.split('\n');
  assert.equal(rate, /errorRate\(.*\/\/ (.+)/.exec(library)?.[1]);
  assert.equal(pair, /align\(.*\/\/ (.+)/.exec(library)?.[1]);
  assert.match(report.join('\n'), /Robustness/);
});

test('both have the types that editors will see', () => {
  writeFileSync(join(folder, 'typed-config.ts'), config);
  writeFileSync(join(folder, 'typed-library.ts'), library);
  const paths = Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, [file]]));
  const compilerOptions = { paths, typeRoots: [join(root, 'node_modules', '@types')] };
  const include = ['typed-config.ts', 'typed-library.ts'];
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, include }),
  );
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  assert.equal(status, 0, stdout);
});

test('the pieces of config in docs/config.md are accepted together', async () => {
  const [corpora, conditions] = blocks('docs/config.md', 'yaml');
  const file = join(folder, 'pieces.yaml');
  writeFileSync(file, `${corpora}\n${conditions}\nrecognizers: { one: { type: pocketsphinx } }\n`);
  const { config: accepted } = await loadConfig(file);
  assert.equal(accepted.corpora.length, 2);
  assert.equal(accepted.studies.length, 1);
});

test('every config in examples/ is accepted, and every link of the README leads somewhere', async () => {
  const examples = readdirSync(join(root, 'examples'));
  assert.ok(examples.length >= 2);
  for (const example of examples) {
    const files = readdirSync(join(root, 'examples', example));
    const file = files.find((name) => name.startsWith('earwitness.config.'));
    assert.ok(file, `examples/${example} has no config`);
    await loadConfig(join(root, 'examples', example, file));
  }
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  for (const [, target] of text.matchAll(/\]\(([^)#:]+)\)/g)) {
    assert.ok(readFileOrFolder(join(root, target!)), `README.md: nothing at ${target}`);
  }
});

function readFileOrFolder(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EISDIR';
  }
}
