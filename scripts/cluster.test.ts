// What stands in docs/cluster.md is typed as it stands there: a server from nothing, workers and a run, rights, TLS, and jobs of Slurm.
// With SHOW_ANEW=1 in the environment what the commands print is put into the page instead.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { noTls as noServer } from '../src/store/testing/postgres-server.ts';
import { type Block, blocksOf, missingLine, showAnew } from './documents.ts';
import { noSlurm, startSlurm } from './slurm.ts';

const root = join(import.meta.dirname, '..');
const page = 'docs/cluster.md';
const blocks = blocksOf(page).filter(({ remark }) => remark?.key !== 'not run');
/** PostgreSQL refuses to be run by root. */
const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
const doctor = spawnSync(process.execPath, [join(root, 'bin/earwitness.js'), 'doctor', '--json'], { encoding: 'utf8' });
const { recognizers } = JSON.parse(doctor.stdout) as { recognizers: readonly { name: string; ready: boolean }[] };
const isReady = recognizers.some(({ name, ready }) => name === 'pocketsphinx' && ready);
const isReadable = spawnSync(process.execPath, ['--version'], { ...user, cwd: root }).status === 0;
const skip =
  noServer ||
  (!isReady && 'pocketsphinx is not on this machine') ||
  (!isReadable && 'this folder can be read by root alone, as whom PostgreSQL does not run');

/** A port that nobody has at this moment, in place of the page's. */
async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return String(typeof address === 'object' ? address?.port : address);
}

/** Types blocks one behind the other in one shell, in a copy of the example, and gives what each printed. */
async function typed(context: TestContext, wanted: readonly Block[], more: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-cluster-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const here = join(folder, 'recognition');
  const programs = join(here, 'node_modules', '.bin');
  cpSync(join(root, 'examples/cluster'), here, { recursive: true });
  mkdirSync(programs, { recursive: true });
  for (const [name, script] of [
    ['earwitness', `exec ${process.execPath} ${join(root, 'bin/earwitness.js')} "$@"`],
    ['npx', 'exec "$@"'],
  ] as const) {
    writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(programs, name), 0o755);
  }
  const port = await freePort();
  const config = join(here, 'earwitness.config.yaml');
  writeFileSync(config, readFileSync(config, 'utf8').replace('5433', port));
  const out = (block: Block) => `'${folder}/out-${block.line}'`;
  const lines = wanted.map((block) => {
    const { remark, language, text } = block;
    if (language === 'text') return remark?.key === 'shown of' ? 'kill -INT -- -$first; wait $first' : '';
    const end = remark?.key === 'terminal' ? '& first=$!' : '';
    return `{\n${text}} > ${out(block)} 2>&1 ${end}`;
  });
  // Each job of the shell has a group of its own, as in a terminal.
  const script = `set -em\ntrap 'pg_ctl -D server -m immediate stop > stopped 2>&1' EXIT\n${lines.join('\n')}\n`;
  writeFileSync(join(folder, 'typed.sh'), script.replaceAll('5433', port));
  if (user.uid !== undefined) {
    for (const name of ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
      chownSync(join(folder, name), user.uid, user.gid!);
  }
  const env = {
    ...process.env,
    ...{ HOME: folder, NO_COLOR: '1', COLUMNS: '80', LC_ALL: 'C.UTF-8', NODE_COMPILE_CACHE: join(folder, 'compiled') },
    ...more,
    PATH: `${programs}:${more.PATH ?? process.env.PATH}`,
  };
  const shell = spawn('bash', [join(folder, 'typed.sh')], {
    ...user,
    cwd: here,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 300_000,
  });
  let complaints = '';
  shell.stderr.on('data', (data: Buffer) => {
    complaints += data;
  });
  const [status] = (await once(shell, 'exit')) as [number];
  const printed = new Map<Block, string>();
  const shown: string[] = [];
  for (const [index, block] of wanted.entries()) {
    const of =
      block.remark?.key === 'shown of'
        ? wanted.find(({ remark }) => remark?.key === 'terminal')
        : block.language === 'text'
          ? wanted[index - 1]
          : block;
    const text = spawnSync('cat', [out(of!).replaceAll("'", '')], { encoding: 'utf8' }).stdout;
    printed.set(block, text.replaceAll(`${here}/`, ''));
    shown.push(text);
  }
  assert.equal(status, 0, `${complaints}\n${shown.join('\n')}`);
  return { printed, here };
}

const isOfSlurm = ({ text }: Block) => /\bsbatch\b/.test(text);

test(`${page}: a server from nothing, workers, their rights and TLS, as they stand there`, {
  skip,
}, async (context) => {
  const own = blocks.filter((block) => ['sh', 'text'].includes(block.language) && !isOfSlurm(block));
  const { printed } = await typed(context, own);
  const texts = new Map([...printed].filter(([{ language }]) => language === 'text'));
  if (process.env.SHOW_ANEW === '1') return showAnew(page, texts);
  assert.ok(texts.size > 1);
  for (const [{ text, line }, came] of texts)
    assert.equal(missingLine(text, withoutPauses(came)), null, `${page}:${line}: what came out:\n${came}`);
});

/** A pause that is over before the worker's next sign of life is not told. */
const withoutPauses = (printed: string) => printed.replace(/^told to (?:pause|go on|resume)\b.*\n/gm, '');

test(`${page}: workers as an array of Slurm's jobs make all calls of a run`, {
  skip: skip || noSlurm,
}, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-slurm-'));
  const slurm = startSlurm(folder);
  context.after(() => {
    slurm.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const [server, array] = [blocks.find(({ text }) => /\binitdb\b/.test(text)), blocks.find(isOfSlurm)];
  const wait = { ...array!, text: 'while squeue --noheader | grep -q .; do sleep 0.5; done\n', line: 0 };
  const { here, printed } = await typed(context, [server!, array!, wait], slurm.env);
  const logs = readdirSync(here).filter((name) => /^worker-\d+\.log$/.test(name));
  const ends = logs.map((name) => readFileSync(join(here, name), 'utf8'));
  const answered = ends.map((end) => Number(/(\d+) calls? answered, 0 failed/.exec(end)?.[1] ?? 0));
  assert.equal(
    answered.reduce((sum, count) => sum + count, 0),
    12,
    `${[...printed.values()].join('\n')}\n${ends.join('\n')}`,
  );
});

test('files of examples/cluster name commands that there are, and one number of workers as the page does', () => {
  const text = (name: string) => readFileSync(join(root, 'examples/cluster', name), 'utf8');
  const commands = [...`${text('compose.yaml')}${text('kubernetes.yaml')}`.matchAll(/(?:command|args): \[(\w+)/g)].map(
    ([, command]) => command,
  );
  assert.deepEqual(commands, ['worker', 'run', 'worker', 'run']);
  for (const name of ['compose.yaml', 'kubernetes.yaml']) assert.match(text(name), /replicas: 10/);
  assert.match(readFileSync(join(root, page), 'utf8'), /ten workers/);
});
