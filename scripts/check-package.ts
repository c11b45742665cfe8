// Proves the package as it is published: packs it, lets publint and arethetypeswrong look at it, installs it into an empty
// folder and uses it there as a command, as a typed library, and on an older Node.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, posix, sep } from 'node:path';
import { layOutPackage, packages } from './build-packages.ts';
import { checkOwnMembersRun, layOutOwnMembers } from './own-members.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'earwitness-package-'));
const tools = join(root, 'node_modules', '.bin');
const binary = join(folder, 'node_modules', 'earwitness', 'bin', 'earwitness.js');

/** Runs a program to its end; what it printed is shown where it fails. */
function run(program: string, args: readonly string[], cwd: string): string {
  const path = [tools, process.env.PATH].join(delimiter);
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    // The script of onnxruntime-node would fetch hundreds of megabytes for graphics cards.
    env: { ...process.env, PATH: path, NO_COLOR: '1', NODE_OPTIONS: '', ONNXRUNTIME_NODE_INSTALL: 'skip' },
  });
  if (status === 0) return stdout;
  throw new Error(`${program} ${args.join(' ')} ended with ${status ?? error}\n${stdout}${stderr}`);
}

function expect(holds: boolean, sentence: string): void {
  if (!holds) throw new Error(sentence);
}

function pack(): string {
  run('node', [join(root, 'scripts', 'build.ts')], root);
  const packed = run('npm', ['pack', '--ignore-scripts', '--json', `--pack-destination=${folder}`], root);
  const answer: unknown = JSON.parse(packed);
  // npm before 12 gives a list, later ones an object by package.
  const [made] = Object.values(answer as object) as { filename: string; files: { path: string }[] }[];
  const inside = made!.files.map(({ path }) => path);
  const unwanted = inside.filter((path) =>
    /\.test\.|(^|\/)(testing|src|\.earwitness|earwitness-report)\/|conformance/.test(path),
  );
  expect(
    unwanted.length === 0,
    `expected no tests and reports in the package, but it has ${unwanted.slice(0, 5).join(', ')}`,
  );
  const dead = inside.filter((path) => path.endsWith('.md')).flatMap((page) => deadLinks(page, inside));
  expect(dead.length === 0, `expected links to what is in the package, but there are ${dead.slice(0, 5).join(', ')}`);
  const scripts = globSync('browser/pages/*.ts', { cwd: join(root, 'src') }).map(
    (page) => `dist/${page.replace(/ts$/, 'js')}`,
  );
  expect(scripts.length > 0, 'expected scripts of pages, but src/browser/pages has none');
  for (const wanted of [
    'README.md',
    'LICENSE',
    'CHANGELOG.md',
    'schema/earwitness.schema.json',
    'dist/worker.js',
    ...scripts,
  ])
    expect(inside.includes(wanted), `expected ${wanted} in the package, but it is not`);
  return join(folder, made!.filename);
}

/** Links of a page to files that the package does not have. */
function deadLinks(page: string, inside: readonly string[]): string[] {
  const targets = [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)].map(
    ([, to]) => to!,
  );
  return targets
    .filter((to) => {
      const file = posix.join(posix.dirname(page), to);
      return !inside.some((path) => path === file || path.startsWith(`${file.replace(/\/$/, '')}/`));
    })
    .map((to) => `${page} -> ${to}`);
}

function install(tarball: string): void {
  writeFileSync(join(folder, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }\n');
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball], folder);
}

const library = `
import assert from 'node:assert/strict';
import { defineConfig, EarwitnessError, type RunReport, renderHtml, renderText, run } from 'earwitness';
import { countEdits, errorRate } from 'earwitness/scoring';
import { rateInterval } from 'earwitness/statistics';
import { judge } from 'earwitness/studies';

const config = defineConfig({
  corpus: { type: 'manifest', file: 'said.tsv', language: 'en' },
  recognizers: { parrot: { type: 'scripted', answers: { a: 'so say all of us' } }, table: { type: 'recorded', file: 'heard.tsv' } },
});
// @ts-expect-error no recognizer has this name
defineConfig({ ...config, recognizers: { wrong: { type: 'scriptd' } } });

const { report }: { report: RunReport } = await run({ ...config, studies: [{ type: 'robustness', conditions: [] }] });
assert.equal(report.tally.answered, 2);
assert.match(renderText(report, { width: 80, color: false, transcripts: true }), /word error/i);
assert.match(renderHtml(report, { transcripts: true, sound: false }), /<script>"use strict";/);
assert.ok(typeof rateInterval === 'function' && typeof judge === 'function');
assert.equal(errorRate(countEdits(['a', 'b'], ['a'])), 0.5);
await assert.rejects(run({ ...config, corpus: { type: 'manifest', file: 'absent.tsv' } }), EarwitnessError);
console.log('the library works');
`;

function useAsLibrary(): void {
  writeFileSync(join(folder, 'said.tsv'), 'id\treference\na\tso say all of us\n');
  writeFileSync(join(folder, 'heard.tsv'), 'utterance\tcondition\ttext\na\tclean\tso say we all\n');
  writeFileSync(join(folder, 'library.ts'), library);
  const types = { module: 'nodenext', target: 'es2024', lib: ['es2024', 'esnext'], strict: true, noEmit: true };
  const compilerOptions = {
    ...types,
    skipLibCheck: false,
    types: ['node'],
    typeRoots: [join(root, 'node_modules', '@types')],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['library.ts'] }));
  run('tsc', ['-p', folder], folder);
  expect(run('node', ['library.ts'], folder).includes('the library works'), 'the library example printed nothing');
}

/** The page on members of one's own: its files, compiled against the package's types and run by the package's command. */
function useOwnMembers(): void {
  const project = join(folder, 'own-members');
  mkdirSync(project);
  layOutOwnMembers(project);
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2024',
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    noEmit: true,
    types: ['node'],
    typeRoots: [join(root, 'node_modules', '@types')],
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.mts'] }));
  run('tsc', ['-p', project], project);
  checkOwnMembersRun(run('npx', ['--no-install', 'earwitness', 'run', '--json'], project));
}

/** The packages that are published besides; `packages.test.ts` uses them. */
function lintOthers(): void {
  for (const name of Object.keys(packages)) {
    const place = join(folder, 'others', name);
    layOutPackage(name, place, join(root, 'dist'));
    run('publint', ['run', place, '--strict'], root);
    run('attw', ['--pack', place, '--profile', 'esm-only', '--no-emoji'], root);
  }
}

const sevenLines = `import { defineConfig } from 'earwitness';

export default defineConfig({
  corpus: { type: 'folder', folder: 'recordings', language: 'en' },
  recognizers: { narrow: { type: 'pocketsphinx', beams: 'narrow' } },
  studies: [{ type: 'robustness', conditions: ['aequevox/noise'] }],
});
`;

/** What a config costs the compiler, its own libraries left out; types of libraries are checked too, as tsc does if not told otherwise. */
function compileConfig(): string {
  const typesFor = (text: string): { types: number; seconds: number } => {
    writeFileSync(join(folder, 'seven.ts'), text);
    const args = [
      'seven.ts',
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--ignoreConfig',
      '--extendedDiagnostics',
    ];
    const said = run('tsc', [...args, '--skipLibCheck', 'false'], folder);
    const [types, seconds] = [/^Types:\s+(\d+)/m, /^Total time:\s+([\d.]+)s/m].map((pattern) =>
      Number(pattern.exec(said)?.[1]),
    );
    return { types: types!, seconds: seconds! };
  };
  const none = typesFor('export default {};\n');
  const config = typesFor(sevenLines);
  const added = config.types - none.types;
  expect(added > 0 && added <= 10_000, `expected a config to cost tsc at most 10,000 types, but it costs ${added}`);
  return `a config costs tsc ${added} types (${config.seconds} s in all)`;
}

/** The oldest Node that package.json names runs the same project. Node comes as a package of npm for each kind of machine. */
function useOnOldestNode(): string {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } };
  const oldest = engines.node.replace('>=', '');
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${system}-${process.arch}`;
  const place = join(folder, 'oldest');
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), '{ "private": true }\n');
  run(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', `${name}@${oldest}`],
    place,
  );
  const node = join(place, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  checkOwnMembersRun(run(node, [binary, 'run', '--json', '--new'], join(folder, 'own-members')));
  return `used under ${run(node, ['--version'], place).trim()}`;
}

/** An older Node of this machine, outside of this package; null where there is none. */
function olderNode(): string | null {
  for (const place of (process.env.PATH ?? '').split(delimiter)) {
    const node = join(place, process.platform === 'win32' ? 'node.exe' : 'node');
    if (place === '' || place.split(sep).includes('.bin') || !existsSync(node)) continue;
    if (realpathSync(node).startsWith(realpathSync(root))) continue;
    const [major = 0, minor = 0] = execFileSync(node, ['--version'], { encoding: 'utf8' })
      .slice(1)
      .split('.')
      .map(Number);
    if (major < 22 || (major === 22 && minor < 18)) return node;
  }
  return null;
}

function useOnOlderNode(): string {
  const node = olderNode();
  if (node === null) return 'skipped: this machine has no older Node to try';
  const { status, stdout, stderr } = spawnSync(node, [binary, '--help'], { encoding: 'utf8' });
  expect(status === 5, `expected exit code 5 from an older Node, but got ${status}: ${stderr}`);
  expect(
    stdout === '' && /^earwitness: expected Node 22\.18 or newer, .*\n$/.test(stderr),
    `expected one sentence from an older Node, but got:\n${stdout}${stderr}`,
  );
  return `one sentence and exit code 5 under ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}`;
}

try {
  const tarball = pack();
  run('publint', ['run', tarball, '--strict'], root);
  run('attw', [tarball, '--profile', 'esm-only', '--no-emoji'], root);
  lintOthers();
  install(tarball);
  const { version } = JSON.parse(run('node', ['-p', 'JSON.stringify(require("earwitness/package.json"))'], folder)) as {
    version: string;
  };
  const printed = run('npx', ['--no-install', 'earwitness', '--version'], folder).trim();
  expect(printed === version, `expected npx earwitness --version to print ${version}, but it printed ${printed}`);
  useAsLibrary();
  useOwnMembers();
  console.log(
    `package: packed, linted, installed and used; ${compileConfig()}; ${useOnOldestNode()}; ${useOnOlderNode()}`,
  );
} catch (error) {
  console.error(`package: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
