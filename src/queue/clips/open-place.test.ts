import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isAbsent } from '../../packages/installed-package.ts';
import { connect as connectStore } from '../../store/postgres/connection.ts';
import { noServer, testServer } from '../../store/testing/postgres-server.ts';
import { ownerSpace, removeLeftAudio } from '../open-queue.ts';
import { queueExecutor } from '../queue-executor.ts';
import { runWorker } from '../queue-worker.ts';
import { openPlace } from './open-place.ts';

const gateway = ['versitygw', `${process.env.HOME}/go/bin/versitygw`].find(
  (program) => spawnSync(program, ['--version']).status === 0,
);
const name: string = '@aws-sdk/client-s3';
const sdk: unknown = await import(name).catch((error: unknown) => error);
const noBucket =
  (gateway === undefined &&
    'versitygw is not installed (go install github.com/versity/versitygw/cmd/versitygw@latest)') ||
  (isAbsent(sdk, name) && `${name} is not installed`);

const keys = { AWS_ACCESS_KEY_ID: 'mine', AWS_SECRET_ACCESS_KEY: 'secret-of-mine' };

/** A folder in which `within` is made. */
function newFolder(context: TestContext, within = ''): string {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-clips-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, within), { recursive: true });
  return folder;
}

/** A server of buckets over a folder, with the keys in the environment until the test ends. */
async function startBuckets(context: TestContext): Promise<{ readonly folder: string; readonly endpoint: string }> {
  const folder = newFolder(context, 'clips');
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { readonly port: number };
  probe.close();
  const server = spawn(
    gateway!,
    [
      '--port',
      `127.0.0.1:${port}`,
      '--access',
      keys.AWS_ACCESS_KEY_ID,
      '--secret',
      keys.AWS_SECRET_ACCESS_KEY,
      'posix',
      folder,
    ],
    { stdio: 'ignore' },
  );
  const before = { ...process.env };
  Object.assign(process.env, keys, { AWS_EC2_METADATA_DISABLED: 'true' });
  context.after(async () => {
    for (const key of [...Object.keys(keys), 'AWS_EC2_METADATA_DISABLED']) {
      if (before[key] === undefined) delete process.env[key];
      else process.env[key] = before[key];
    }
    const ended = once(server, 'exit');
    server.kill();
    await ended;
  });
  for (let tries = 0; ; tries++) {
    const socket = connect(port, '127.0.0.1');
    const up = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (up) break;
    assert.ok(tries < 200, 'versitygw does not start');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { folder: join(folder, 'clips'), endpoint: `http://127.0.0.1:${port}` };
}

/** Both kinds of places: the address, and the folder in which the bytes lie in truth. */
const kinds: readonly {
  readonly kind: string;
  readonly skip: string | false;
  open(context: TestContext): Promise<{ readonly address: string; readonly folder: string }>;
}[] = [
  {
    kind: 'a folder',
    skip: false,
    async open(context) {
      const folder = newFolder(context);
      return { address: folder, folder };
    },
  },
  {
    kind: 'a bucket',
    skip: noBucket,
    async open(context) {
      const { folder, endpoint } = await startBuckets(context);
      return { address: `s3://clips/calls?endpoint=${endpoint}`, folder: join(folder, 'calls') };
    },
  },
];

const identity = { engine: 'scripted' };
const never = new AbortController().signal;
const clip = { sampleRate: 16_000, samples: Float32Array.of(0.5, -0.5, 0.25) };
const request = { utteranceId: 'u', conditionName: 'clean', repeat: 0, language: 'en' };
const job = { recognizer: 'one', request, timeLimitSeconds: 30, openTimeLimitSeconds: 30 };

const asker = (address: string, place: string) =>
  queueExecutor(address, new Map([['one', { identity, mayCost: false }]]), place);

/** A worker that answers how many samples it heard; `stop` drains it. One of a test that fails would wait for its server for ever. */
function startWorker(context: TestContext, address: string, place: string | null = null) {
  const [drain, abort] = [new AbortController(), new AbortController()];
  context.after(() => abort.abort());
  const working = runWorker({
    ...{ address, place, drain: drain.signal, abort: abort.signal },
    recognizers: [{ name: 'one', identity, concurrency: 4 }],
    executor: {
      run: async (_, heard) => ({ transcript: { text: `${heard?.samples.join(' ')}` }, seconds: 0 }),
      close: async () => {},
    },
  });
  return {
    working,
    stop() {
      drain.abort();
      return working;
    },
  };
}

const lying = (folder: string) =>
  (existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : []).filter(
    (entry) => entry.isFile() && !entry.parentPath.includes('.sgwtmp'),
  );

for (const { kind, skip, open } of kinds) {
  test(`${kind} keeps bytes by a name, and gives and removes them`, { skip }, async (context) => {
    const place = await openPlace((await open(context)).address);
    const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => at % 251);
    assert.equal(await place.get('absent'), null);
    await place.remove('absent');
    await place.put('one', bytes);
    await place.put('two', Uint8Array.of(1));
    await place.put('two', Uint8Array.of(2));
    assert.deepEqual(Buffer.from((await place.get('one'))!), Buffer.from(bytes));
    assert.deepEqual([...(await place.get('two'))!], [2]);
    await place.remove('one');
    assert.equal(await place.get('one'), null);
  });

  test(`audio goes to a worker through ${kind}, not through the server, and stays for no longer than somebody waits`, {
    skip: skip || noServer,
  }, async (context) => {
    const { address: place, folder } = await open(context);
    const address = testServer().newDatabase();
    const executor = asker(address, place);
    context.after(() => executor.close());
    const asked = executor.run(job, clip, never);
    const worker = startWorker(context, address);
    assert.equal((await asked).transcript?.text, '0.5 -0.5 0.25');
    const server = connectStore(address);
    const [row] = server.ask([{ sql: 'SELECT samples IS NULL, place FROM earwitness_calls.clips', values: [] }]);
    assert.deepEqual(row!.rows, [['t', place]]);
    server.close();
    assert.equal(lying(folder).length, 1);
    await worker.stop();
    await executor.close();
    assert.deepEqual(lying(folder), []);
  });

  test(`what a killed run left in ${kind} goes where somebody is forgotten`, {
    skip: skip || noServer,
  }, async (context) => {
    const { address: place, folder } = await open(context);
    const address = testServer().newDatabase();
    await removeLeftAudio(address);
    const executor = asker(address, place);
    context.after(() => executor.close());
    void executor.run(job, clip, never).catch(() => {});
    while (lying(folder).length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    await removeLeftAudio(address);
    assert.equal(lying(folder).length, 1);
    const server = connectStore(address);
    // As the server does where the run's machine is gone.
    server.exec(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = ${ownerSpace} AND granted`,
    );
    await removeLeftAudio(address);
    assert.deepEqual(lying(folder), []);
    server.close();
  });
}

test('audio that came as another is not recognized, whoever changed it', { skip: noServer }, async (context) => {
  const [place, address] = [newFolder(context), testServer().newDatabase()];
  const executor = asker(address, place);
  context.after(() => executor.close());
  const asked = executor.run(job, clip, never);
  // What is not whole yet would be put in the place of what is written here.
  const put = () => lying(place).find(({ name }) => !name.endsWith('.unfinished'));
  while (put() === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
  writeFileSync(join(place, put()!.name), Buffer.alloc(12));
  const worker = startWorker(context, address);
  assert.match((await asked).failure!.message, /the audio of the call is not there any more/);
  await worker.stop();
});

test('a worker that looks elsewhere than where the run puts its audio ends with a sentence, and another makes the call', {
  skip: noServer,
}, async (context) => {
  const [place, other, address] = [newFolder(context), newFolder(context), testServer().newDatabase()];
  const executor = asker(address, place);
  context.after(() => executor.close());
  const asked = executor.run(job, clip, never);
  await assert.rejects(startWorker(context, address, other).working, {
    code: 'bad-config',
    message: `clips: expected the audio of a run at ${other}, but it is not there; the run put it into ${place}: correct \`clips\` here, or mount the same folder`,
  });
  const absent = join(other, 'absent');
  await assert.rejects(startWorker(context, address, absent).working, {
    code: 'bad-config',
    message: new RegExp(`folder that all machines share at ${absent}, but there is none`),
  });
  const worker = startWorker(context, address);
  assert.equal((await asked).transcript?.text, '0.5 -0.5 0.25');
  await worker.stop();
});

test('what is no place, and what a bucket refuses, each get a sentence', { skip: noBucket }, async (context) => {
  const { endpoint } = await startBuckets(context);
  const get = async (address: string) => (await openPlace(address)).get('one');
  for (const [address, message] of [
    ['ftp://host/x', /expected a folder that all machines share, or s3:\/\/bucket\/folder, but got "ftp:/],
    ['s3:///x', /but got "s3:\/\/\/x"/],
    ['s3:/clips/x', /expected a folder .*, but got "s3:\/clips\/x"/],
    ['S3://clips/x', /no region is named; put \?region=… behind the address, or set AWS_REGION/],
    ['s3://me:word@clips/x', /^(?!.*word).*expected no keys in the address/],
    [`s3://other-bucket/x?endpoint=${endpoint}`, /there is no such bucket/],
    ['s3://clips/x?endpoint=http://127.0.0.1:1', /nobody answers there/],
  ] as const)
    await assert.rejects(get(address), { name: 'EarwitnessError', message }, address);
  process.env.AWS_SECRET_ACCESS_KEY = 'another';
  await assert.rejects(get(`s3://clips/x?endpoint=${endpoint}`), { code: 'store', message: /the secret key is wrong/ });
  process.env.AWS_ACCESS_KEY_ID = 'nobody';
  await assert.rejects(get(`s3://clips/x?endpoint=${endpoint}`), { code: 'store', message: /there is no such key/ });
});
