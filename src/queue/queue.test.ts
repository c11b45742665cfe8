import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect as connectTo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import { temporaryFolder } from '../base/on-disk.ts';
import { executorConformance } from '../engine/executors/conformance.ts';
import type { Executor, Outcome } from '../engine/executors/contract.ts';
import { inProcessExecutor } from '../engine/executors/executors.ts';
import { program } from '../recognizers/program/program.ts';
import { scripted } from '../recognizers/scripted/scripted.ts';
import { plainServices } from '../recognizers/testing/tones.ts';
import { openStore } from '../store/open-store.ts';
import { forgetSpeaker } from '../store/parts/forget.ts';
import { connect } from '../store/postgres/connection.ts';
import { noServer, testServer } from '../store/testing/postgres-server.ts';
import { allowWorker, callFormat, openQueue, ownerSpace } from './open-queue.ts';
import { queueExecutor } from './queue-executor.ts';
import { runWorker } from './queue-worker.ts';

const services = { baseFolder: import.meta.dirname, environment: () => undefined, fileHash: async () => '' };
const here = (recognizers: Readonly<Record<string, JsonObject>>) =>
  inProcessExecutor((name) => scripted.open(scripted.options.parse(recognizers[name]), services), systemClock);
const identityOf = (name: string): JsonObject => ({ engine: 'scripted', name });
const never = new AbortController().signal;

/** A worker in this process; `stop` drains it. */
function startWorker(
  address: string,
  recognizers: Readonly<Record<string, JsonObject>>,
  concurrency = 8,
  place: string | null = null,
) {
  const [drain, abort] = [new AbortController(), new AbortController()];
  const executor = here(recognizers);
  const working = runWorker({
    ...{ address, executor, place, drain: drain.signal, abort: abort.signal },
    recognizers: Object.keys(recognizers).map((name) => ({ name, identity: identityOf(name), concurrency })),
  }).finally(() => executor.close());
  return {
    working,
    stop() {
      drain.abort();
      return working;
    },
    kill() {
      drain.abort();
      abort.abort(new Error('killed'));
      return working;
    },
  };
}

const asker = (address: string, names: readonly string[], mayCost = false, place: string | null = null) =>
  queueExecutor(address, new Map(names.map((name) => [name, { identity: identityOf(name), mayCost }])), place);

function job(utteranceId: string) {
  const request = { utteranceId, conditionName: 'clean', repeat: 0, language: 'en' };
  return { recognizer: 'one', request, timeLimitSeconds: 30, openTimeLimitSeconds: 30 };
}

if (noServer === false) {
  executorConformance({
    name: 'by a queue',
    survivesCrashes: false,
    create(recognizers): Executor {
      const address = testServer().newDatabase();
      const worker = startWorker(address, recognizers);
      const executor = asker(address, Object.keys(recognizers));
      return {
        run: (...call) => executor.run(...call),
        async close() {
          await executor.close();
          await worker.kill().catch(() => {});
        },
      };
    },
  });
}

const skip = noServer;

test('calls are made by several workers, each by one of them, and a draining worker leaves the rest to another', {
  skip,
}, async (context) => {
  const address = testServer().newDatabase();
  const recognizers = { one: { rule: 'echo-id', delaySeconds: 0.02 } };
  const executor = asker(address, ['one']);
  context.after(() => executor.close());
  const first = startWorker(address, recognizers, 4);
  const ids = Array.from({ length: 200 }, (_, index) => `u${index}`);
  const calls = ids.map((id) => executor.run(job(id), null, never));
  await calls[0];
  const second = startWorker(address, recognizers, 4);
  const early = await first.stop();
  const outcomes = await Promise.all(calls);
  const late = await second.stop();
  assert.deepEqual(
    outcomes.map(({ transcript }) => transcript?.text),
    ids,
  );
  assert.equal(early.answered + late.answered, ids.length);
  assert.ok(early.answered > 0 && late.answered > 0);
});

// A recognizer that hears eight clips at once in forty milliseconds, and writes down how many came together.
const inBatches = `import { appendFileSync } from 'node:fs';
  const say = (line) => process.stdout.write(JSON.stringify(line) + '\\n');
  let read = Buffer.alloc(0);
  for await (const chunk of process.stdin) {
    read = Buffer.concat([read, chunk]);
    for (let end = read.indexOf(10); end !== -1; end = read.indexOf(10)) {
      const { say: asked, id, clips = [], bytes = 0 } = JSON.parse(read.subarray(0, end).toString());
      if (read.length < end + 1 + bytes) break;
      read = read.subarray(end + 1 + bytes);
      if (asked === 'hello') say({ say: 'hello', protocol: 1, name: 'many', version: '1', batch: 8 });
      if (asked === 'open') say({ say: 'opened' });
      if (asked === 'ping') say({ say: 'pong', id });
      if (asked === 'close') process.exit(0);
      if (asked !== 'recognize') continue;
      appendFileSync(process.argv[1], clips.length + '\\n');
      await new Promise((resolve) => setTimeout(resolve, 40));
      for (const { id, samples } of clips) {
        say({ say: 'transcript', id, text: String(samples) });
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    }
  }`;

test('a worker far from its server hands a recognizer full batches', { skip }, async (context) => {
  const address = testServer().newDatabase();
  const behind = new URL(address);
  const door = createServer((socket) => {
    const server = connectTo(join(behind.searchParams.get('host')!, '.s.PGSQL.5432'));
    for (const one of [socket, server]) one.on('error', () => {});
    socket.on('close', () => server.destroy()).pipe(server);
    server.on('data', (said) => setTimeout(() => socket.write(said), 10));
  }).listen(0, '127.0.0.1');
  context.after(() => door.close());
  await once(door, 'listening');
  const { port } = door.address() as AddressInfo;
  const folder = temporaryFolder('batches');
  context.after(() => rmSync(folder, { recursive: true }));
  const log = join(folder, 'log');
  const options = program.options.parse({
    program: [process.execPath, '--input-type=module', '--eval', inBatches, log],
  });
  const recognizer = program.open(options, plainServices(folder));
  const drain = new AbortController();
  const worker = runWorker({
    ...{ place: null, drain: drain.signal, abort: never },
    address: `postgres://earwitness@127.0.0.1:${port}${behind.pathname}`,
    recognizers: [{ name: 'one', identity: identityOf('one'), concurrency: 8 }],
    executor: inProcessExecutor(() => recognizer, systemClock),
  });
  const executor = asker(address, ['one']);
  context.after(() => executor.close());
  const sizes = Array.from({ length: 200 }, (_, index) => 100 + index);
  const ask = (size: number) =>
    executor.run(job(`u${size}`), { sampleRate: 16_000, samples: new Float32Array(size) }, never);
  // Some are in hand when the others come.
  const first = sizes.slice(0, 2).map(ask);
  while (!existsSync(log)) await new Promise((resolve) => setTimeout(resolve, 5));
  const outcomes = await Promise.all([...first, ...sizes.slice(2).map(ask)]);
  drain.abort();
  await worker;
  await (await recognizer).close();
  assert.deepEqual(
    outcomes.map(({ transcript }) => transcript?.text),
    sizes.map(String),
  );
  const batches = readFileSync(log, 'utf8').trim().split('\n');
  // Those with which it begins are small, and some where this machine does something else.
  assert.ok(batches.length <= sizes.length / 8 + 4, batches.join(' '));
});

test('a worker with another version of a recognizer never answers for it', { skip }, async (context) => {
  const address = testServer().newDatabase();
  const other = startWorker(address, { other: { default: 'wrong' } });
  const executor = asker(address, ['one']);
  context.after(() => executor.close());
  const asked = executor.run(job('a'), null, never);
  const right = startWorker(address, { one: { default: 'right' } });
  assert.equal((await asked).transcript?.text, 'right');
  assert.deepEqual(await other.stop(), { answered: 0, failed: 0 });
  await right.stop();
});

test('a worker of another version than the run ends with a sentence, and gives back what it took as it came', {
  skip,
}, async (context) => {
  const address = testServer().newDatabase();
  const executor = asker(address, ['one'], true);
  context.after(() => executor.close());
  const asked = executor.run(job('a'), null, never);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const format = (number: number) => {
    const server = connect(address);
    server.exec(`UPDATE earwitness_queue.job SET data = jsonb_set(data, '{format}', '${number}')`);
    server.close();
  };
  for (const [number, age] of [
    [99, 'a newer'],
    [0, 'an older'],
  ] as const) {
    format(number);
    await assert.rejects(startWorker(address, { one: { default: 'misread' } }).working, {
      code: 'store',
      message: `expected calls of format ${callFormat}, but a run of ${age} earwitness asks in format ${number}; install the same version on both machines (npm install earwitness@latest)`,
    });
  }
  format(callFormat);
  const worker = startWorker(address, { one: { default: 'heard' } });
  assert.equal((await asked).transcript?.text, 'heard');
  await worker.stop();
});

test('a queue that another version made is made anew between runs, or refused with a sentence', { skip }, async () => {
  const address = testServer().newDatabase();
  const owner = connect(address);
  const to = (format: string | null) =>
    owner.exec(`COMMENT ON SCHEMA earwitness_calls IS ${format === null ? 'NULL' : `'${format}'`}`);
  await (await openQueue(address)).close();
  owner.exec('DROP ROLE IF EXISTS other_version; CREATE ROLE other_version LOGIN');
  await allowWorker(address, 'other_version');
  const worker = address.replace('user=earwitness', 'user=other_version');
  to('99');
  for (const place of [address, worker]) {
    await assert.rejects(openQueue(place), {
      code: 'store',
      message: new RegExp(
        `: expected a queue of format ${callFormat} or older, but it is of format 99, made by a newer earwitness; update earwitness`,
      ),
    });
  }
  owner.exec('UPDATE earwitness_queue.version SET version = version + 1');
  await assert.rejects(openQueue(address), {
    code: 'store',
    message: /: expected a queue that this pg-boss knows, but a newer one made it; type: npm install pg-boss@latest$/,
  });
  owner.exec('UPDATE earwitness_queue.version SET version = version - 1');
  owner.exec('ALTER TABLE earwitness_calls.clips DROP COLUMN place');
  to(null);
  await assert.rejects(openQueue(worker), { code: 'store', message: /of format 0, made by an older earwitness; / });
  owner.exec(`SELECT pg_advisory_lock(${ownerSpace}, 7)`);
  await assert.rejects(openQueue(address), { code: 'store-busy', message: /a run of an older earwitness waits/ });
  owner.exec(`SELECT pg_advisory_unlock(${ownerSpace}, 7)`);
  const queue = await openQueue(address);
  assert.deepEqual((await queue.pool.query('SELECT place FROM earwitness_calls.clips')).rows, []);
  await queue.close();
  owner.close();
});

test('voices and words that a killed run left in the queue go with the next that opens it, and where somebody is forgotten', {
  skip,
}, async () => {
  const address = testServer().newDatabase();
  const left = async () => {
    const queue = await openQueue(address);
    const { rows } = await queue.pool.query('SELECT owner FROM earwitness_calls.clips');
    await queue.pool.query(
      "INSERT INTO earwitness_calls.clips (owner, hash, sample_rate, samples) VALUES (1, 'h', 16000, 'voice')",
    );
    await queue.close();
    return rows.length;
  };
  assert.deepEqual([await left(), await left()], [0, 0]);
  {
    using store = openStore(address);
    const run = { name: 'n', purpose: 'p', config: {}, seed: 1, fresh: false, parent: null, recognizers: [] };
    const { id } = store.createRun({ ...run, startedAtMs: 0 });
    store.addUtterances(id, 0, [{ id: 'u', language: 'en', speaker: 's', attributes: {}, tags: [] }]);
  }
  forgetSpeaker(address, 's', { dryRun: false, forgottenAtMs: 0, cacheFile: () => '/nowhere', madeFiles: () => [] });
  const server = connect(address);
  const [count] = server.ask([{ sql: 'SELECT count(*) FROM earwitness_calls.clips', values: [] }]);
  server.close();
  assert.deepEqual(count!.rows, [['0']]);
});

test('what a run asked that has ended is not made any more', { skip }, async () => {
  const address = testServer().newDatabase();
  const executor = asker(address, ['one']);
  const asked = executor.run(job('a'), null, never).catch(() => null);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  await executor.close();
  const worker = startWorker(address, { one: { default: 'late' } });
  await new Promise((resolve) => setTimeout(resolve, 1500));
  assert.deepEqual(await worker.stop(), { answered: 0, failed: 0 });
  void asked;
});

test('a call whose audio went with its run is told by a worker neither as answered nor as failed', {
  skip,
}, async (context) => {
  const address = testServer().newDatabase();
  const executor = asker(address, ['one']);
  context.after(() => executor.close());
  const asked = executor.run(job('a'), { sampleRate: 16_000, samples: Float32Array.of(1) }, never);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const server = connect(address);
  server.exec('DELETE FROM earwitness_calls.clips');
  server.close();
  const worker = startWorker(address, { one: { default: 'late' } });
  assert.deepEqual((await asked).failure?.message, 'the audio of the call is not there any more');
  assert.deepEqual(await worker.stop(), { answered: 0, failed: 0 });
});

test('a call that may cost is taken when it can be made, however fast the others were', { skip }, async (context) => {
  const address = testServer().newDatabase();
  const executor = asker(address, ['one'], true);
  context.after(() => executor.close());
  const [drain, abort, stuck] = [new AbortController(), new AbortController(), Promise.withResolvers<void>()];
  const fast = 20;
  let made = 0;
  const working = runWorker({
    ...{ address, place: null, drain: drain.signal, abort: abort.signal },
    recognizers: [{ name: 'one', identity: identityOf('one'), concurrency: 1 }],
    executor: {
      async run() {
        if (++made > fast) stuck.resolve();
        if (made > fast)
          await new Promise((_, reject) => abort.signal.addEventListener('abort', () => reject(abort.signal.reason)));
        return { transcript: { text: 'heard' }, seconds: 0 };
      },
      close: async () => {},
    },
  });
  context.after(async () => {
    drain.abort();
    abort.abort(new Error('stopped'));
    await working;
  });
  const calls = Array.from({ length: 60 }, (_, index) => executor.run(job(`u${index}`), null, never).catch(() => null));
  await stuck.promise;
  const server = connect(address);
  const [active] = server.ask([
    { sql: "SELECT count(*) FROM earwitness_queue.job WHERE state = 'active'", values: [] },
  ]);
  server.close();
  assert.deepEqual(active!.rows, [['1']]);
  void calls;
});

test('a clip that came as another is not recognized, and is looked for again by the next call', {
  skip,
}, async (context) => {
  const address = testServer().newDatabase();
  const executor = asker(address, ['one']);
  context.after(() => executor.close());
  const clip = { sampleRate: 16_000, samples: Float32Array.of(0.5, -0.5) };
  const store = (sql: string) => {
    const server = connect(address);
    server.exec(sql);
    server.close();
  };
  const asked = executor.run(job('a'), clip, never);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  store(
    "ALTER TABLE earwitness_calls.clips ADD was bytea; UPDATE earwitness_calls.clips SET was = samples, samples = '\\x00000000'",
  );
  const worker = startWorker(address, { one: { default: 'heard' } });
  context.after(() => worker.stop());
  assert.match((await asked).failure!.message, /the audio of the call is not there any more/);
  store('UPDATE earwitness_calls.clips SET samples = was');
  assert.equal((await executor.run(job('a'), clip, never)).transcript?.text, 'heard');
});

/** A worker in a process of its own, whose recognizer never answers; its process once it has a call in hand. */
async function stuckWorker(address: string) {
  const script = `import { runWorker } from ${JSON.stringify(import.meta.resolve('./queue-worker.ts'))};
    const executor = { run: () => { console.log('in hand'); return new Promise(() => {}); }, close: async () => {} };
    const { signal } = new AbortController();
    await runWorker({ address: ${JSON.stringify(address)}, executor, place: null, drain: signal, abort: signal,
      recognizers: [{ name: 'one', identity: ${JSON.stringify(identityOf('one'))}, concurrency: 1 }] });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

const slow =
  skip || (process.env.EARWITNESS_SLOW_TESTS === '1' ? false : 'takes half a minute: EARWITNESS_SLOW_TESTS=1');

for (const mayCost of [false, true]) {
  const name = mayCost
    ? 'what a killed worker had in hand and may have cost goes back to the run, which journals it'
    : 'what a killed worker had in hand goes to another worker';
  test(name, { skip: slow }, async (context) => {
    const address = testServer().newDatabase();
    const executor = asker(address, ['one'], mayCost);
    context.after(() => executor.close());
    const asked = executor.run(job('a'), null, never);
    const killed = await stuckWorker(address);
    killed.kill('SIGKILL');
    const worker = startWorker(address, { one: { default: 'heard' } });
    const outcome = await asked;
    assert.deepEqual(
      [outcome.transcript?.text, outcome.failure?.kind],
      mayCost ? [undefined, 'crash'] : ['heard', undefined],
    );
    assert.equal(outcome.failure && outcome.lost, mayCost || undefined);
    await worker.stop();
  });
}

test('what a worker says is looked at as what any engine says', { skip }, async (context) => {
  const address = testServer().newDatabase();
  const executor = asker(address, ['one']);
  context.after(() => executor.close());
  const [drain, abort] = [new AbortController(), new AbortController()];
  const said: unknown[] = [
    { seconds: 1, transcript: { text: 'heard', price: { amount: -5, currency: 'EUR' } } },
    { seconds: 'long', transcript: { text: 'heard' } },
    { seconds: 1, failure: { kind: 'my own', message: 'broke' }, retryable: false },
    { seconds: -3, transcript: { text: 'heard' } },
  ];
  const working = runWorker({
    ...{ address, place: null, drain: drain.signal, abort: abort.signal },
    recognizers: [{ name: 'one', identity: identityOf('one'), concurrency: 1 }],
    executor: { run: async ({ request }) => said[request.repeat] as Outcome, close: async () => {} },
  });
  context.after(async () => {
    drain.abort();
    await working;
  });
  const [priced, timed, failure, early] = await Promise.all(
    said.map((_, repeat) => executor.run({ ...job('u'), request: { ...job('u').request, repeat } }, null, never)),
  );
  assert.equal(priced!.failure?.kind, 'garbage');
  for (const one of [timed, early]) assert.deepEqual([one!.seconds, one!.transcript?.text], [0, 'heard']);
  assert.deepEqual(failure!.failure, { kind: 'error', message: 'broke' });
});
