import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openQueue } from '../../queue/open-queue.ts';
import { connect } from '../../store/postgres/connection.ts';
import { noServer, testServer } from '../../store/testing/postgres-server.ts';
import { runCommand, temporaryFolder } from '../testing/run-command.ts';

const script = fileURLToPath(new URL('../../../bin/earwitness.js', import.meta.url));

/** A worker in a process of its own, when it is ready. */
async function startWorker(cwd: string): Promise<ChildProcess> {
  const worker = spawn(process.execPath, [script, 'worker'], { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
  await once(worker.stderr!, 'data');
  return worker;
}

test('workers are listed, told by name or all at once, and end with exit code 0 when they drain', {
  skip: noServer,
}, async (context) => {
  const store = testServer().newDatabase();
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const config = {
    corpus: { type: 'manifest', file: 'clips.tsv' },
    recognizers: { one: { type: 'scripted', default: 'heard', concurrency: 3 } },
    studies: [{ type: 'robustness', conditions: [] }],
    ...{ store, executor: 'queue' },
  };
  writeFileSync(join(cwd, 'earwitness.config.json'), JSON.stringify(config));
  const none = await runCommand(['workers'], { cwd });
  assert.deepEqual([none.stdout, none.code], ['no worker is there; `earwitness worker` starts one\n', 0], none.stderr);

  const started = await Promise.all([startWorker(cwd), startWorker(cwd)]);
  context.after(() => {
    for (const worker of started) worker.kill('SIGKILL');
  });
  const ends = started.map((worker) => once(worker, 'exit'));
  const list = async () =>
    JSON.parse((await runCommand(['workers', '--json'], { cwd })).stdout) as readonly {
      readonly name: string;
      readonly state: string;
      readonly host: string;
      readonly recognizers: readonly { readonly identity: string }[];
    }[];
  const listed = await list();
  assert.deepEqual(listed.map(({ name }) => name).sort(), started.map(({ pid }) => `${listed[0]!.host}-${pid}`).sort());
  for (const { state, recognizers } of listed) {
    assert.equal(state, 'working');
    const { identity, ...own } = recognizers[0]!;
    assert.match(identity, /^[0-9a-f]{8}$/);
    assert.deepEqual(own, { name: 'one', engine: 'scripted', concurrency: 3 });
  }
  const { name } = listed[0]!;

  const paused = await runCommand(['workers', 'pause', name], { cwd });
  assert.equal(paused.stdout, `1 worker told to pause: ${name}\n`);
  assert.deepEqual(
    new Map((await list()).map((one) => [one.name === name, one.state])),
    new Map([
      [true, 'paused'],
      [false, 'working'],
    ]),
  );
  const shown = (await runCommand(['workers'], { cwd, env: { COLUMNS: '80' } })).stdout;
  assert.match(
    shown,
    /^1 worker: (0\.0 calls a second, )?0 in hand\n\nWorker +State +Calls a second +In hand +Calls +Seen, s ago\n/,
  );
  assert.match(shown, new RegExp(`^${name} +paused +[0.–]+ +0 +0 +\\d+$`, 'm'));
  assert.match(shown, /\n\nWorker +Recognizer +Identity +At once +Memory +GPU\n/);
  assert.match(shown, new RegExp(`^${name} +one +scripted [0-9a-f]{8} +3 +\\d+ GB `, 'm'));
  const resumed = await runCommand(['workers', 'resume', '--all', '--json'], { cwd });
  assert.deepEqual(JSON.parse(resumed.stdout), { order: 'resume', told: listed.map((one) => one.name).sort() });

  for (const [order, sentence] of [
    [['pause'], /expected the name of a worker or --all behind pause, drain or resume/],
    [['pause', name, '--all'], /expected the name of a worker or --all, not both behind pause/],
    [['--all'], /expected the name of a worker or --all/],
    [
      ['pause', `${name}0`],
      new RegExp(`no worker is called "${name}0"; did you mean ".*"\\?; \`earwitness workers\` lists them`),
    ],
  ] as const) {
    const { code, stderr } = await runCommand(['workers', ...order], { cwd });
    assert.equal(code, 2);
    assert.match(stderr, sentence);
  }

  assert.match((await runCommand(['workers', 'drain', '--all'], { cwd })).stdout, /^2 workers told to drain: /);
  assert.deepEqual(await Promise.all(ends), [
    [0, null],
    [0, null],
  ]);
  assert.deepEqual(await list(), []);
});

test('what a worker says of itself steers no terminal', { skip: noServer }, async () => {
  const address = testServer().newDatabase();
  await (await openQueue(address)).close();
  const recognizer = { name: 'r\u001b[2J', engine: 'e\u202e', queue: 'q\u0007', concurrency: 1 };
  const about = { host: 'h', gpu: 'g\u001b]0;', memoryBytes: 1, recognizers: [recognizer] };
  const server = connect(address);
  server.exec(
    `INSERT INTO earwitness_calls.workers (id, name, about, done, in_flight, wish) VALUES (gen_random_uuid(), E'n\\u001b[31m', '${JSON.stringify(about)}', 0, 0, 'work')`,
  );
  server.close();
  const { stdout } = await runCommand(['workers', '--store', address], { env: { COLUMNS: '120' } });
  assert.match(stdout, /n⟨U\+001B⟩\[31m/);
  const told = await runCommand(['workers', 'pause', '--all', '--store', address]);
  assert.match(told.stdout, /^1 worker told to pause: n⟨U\+001B⟩\[31m\n$/);
  for (const text of [stdout, told.stdout]) assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\u202e]/u);
});
