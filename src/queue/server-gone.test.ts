import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../base/clock.ts';
import { inProcessExecutor } from '../engine/executors/executors.ts';
import { scripted } from '../recognizers/scripted/scripted.ts';
import { connect as connectStore } from '../store/postgres/connection.ts';
import { noServer, startServer, testServer } from '../store/testing/postgres-server.ts';
import { openQueue } from './open-queue.ts';
import { queueExecutor } from './queue-executor.ts';
import { runWorker } from './queue-worker.ts';

const skip = noServer;
const services = { baseFolder: import.meta.dirname, environment: () => undefined, fileHash: async () => '' };
const never = new AbortController().signal;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

for (const how of ['SIGINT', 'SIGKILL'] as const) {
  test(`a server that is gone by ${how} is waited for by a run and its workers, which lose and double nothing`, {
    skip,
  }, async (context) => {
    const server = startServer();
    const address = server.newDatabase();
    const told: string[] = [];
    const identity = { engine: 'scripted' };
    const executor = queueExecutor(address, new Map([['one', { identity, mayCost: false }]]), null, {
      tell: (message) => told.push(`run: ${message}`),
    });
    context.after(() => executor.close());
    const options = scripted.options.parse({ rule: 'echo-id', delaySeconds: 0.01, needsAudio: true });
    const workers = [0, 1].map(() => {
      const drain = new AbortController();
      const working = runWorker({
        ...{ address, place: null, drain: drain.signal, abort: never },
        recognizers: [{ name: 'one', identity, concurrency: 4 }],
        executor: inProcessExecutor(() => scripted.open(options, services), systemClock),
        tell: (message) => told.push(`worker: ${message}`),
      });
      return { drain, working };
    });
    const ids = Array.from({ length: 400 }, (_, index) => `u${index}`);
    const calls = ids.map((utteranceId, index) => {
      const request = { utteranceId, conditionName: 'clean', repeat: 0, language: 'en' };
      const job = { recognizer: 'one', request, timeLimitSeconds: 30, openTimeLimitSeconds: 30 };
      return executor.run(job, { sampleRate: 16_000, samples: Float32Array.of(index % 7) }, never);
    });
    await Promise.all(calls.slice(0, 20));
    await server.stop(how);
    await pause(1500);
    server.restart();
    const outcomes = await Promise.all(calls);
    assert.deepEqual(
      outcomes.map(({ transcript, failure }) => transcript?.text ?? failure),
      ids,
    );
    for (const who of ['run', 'worker']) {
      const said = told.filter((message) => message.startsWith(who)).join('\n');
      assert.match(said, /the server does not answer; waiting for it/);
      assert.match(said, /the server answers again after \d+ s; going on/);
    }
    for (const { drain } of workers) drain.abort();
    const counts = await Promise.all(workers.map(({ working }) => working));
    assert.ok(counts.reduce((sum, { answered }) => sum + answered, 0) >= ids.length);
  });
}

test('a server that goes away while a worker or a run begins is waited for, and one that never was there is told at once', {
  skip,
}, async (context) => {
  const behind = new URL(testServer().newDatabase());
  let refused = 0;
  const door = createServer((socket) => {
    const server = connect(join(behind.searchParams.get('host')!, '.s.PGSQL.5432'));
    for (const one of [socket, server]) one.on('error', () => {});
    socket.on('close', () => server.destroy());
    // In the midst of what is said first.
    if (++refused <= 5) server.once('data', () => socket.resetAndDestroy());
    else socket.pipe(server).pipe(socket);
    if (refused <= 5) socket.pipe(server);
  }).listen(0, '127.0.0.1');
  context.after(() => door.close());
  await once(door, 'listening');
  const { port } = door.address() as AddressInfo;
  const told: string[] = [];
  const queue = await openQueue(`postgres://earwitness@127.0.0.1:${port}${behind.pathname}`, (said) => told.push(said));
  await queue.close();
  assert.ok(refused > 5);
  assert.match(told.join('\n'), /the server does not answer; waiting for it.*\nthe server answers again after \d+ s/);
  await assert.rejects(openQueue('postgres://earwitness@127.0.0.1:1/nowhere'), {
    message: /no server answers there; start it, or correct `store`$/,
  });
});

test('a call that may cost is made once at most, whenever its server is killed', { skip }, async (context) => {
  const server = startServer();
  const address = server.newDatabase();
  const identity = { engine: 'paid' };
  const executor = queueExecutor(address, new Map([['one', { identity, mayCost: true }]]), null);
  context.after(() => executor.close());
  const [drain, made] = [new AbortController(), new Map<string, number>()];
  const working = runWorker({
    ...{ address, place: null, drain: drain.signal, abort: never },
    recognizers: [{ name: 'one', identity, concurrency: 4 }],
    executor: {
      async run({ request: { utteranceId } }) {
        made.set(utteranceId, (made.get(utteranceId) ?? 0) + 1);
        await pause(10);
        return { seconds: 0, transcript: { text: utteranceId } };
      },
      close: async () => {},
    },
  });
  const ids = Array.from({ length: 200 }, (_, index) => `u${index}`);
  const calls = ids.map((utteranceId) => {
    const request = { utteranceId, conditionName: 'clean', repeat: 0, language: 'en' };
    return executor.run({ recognizer: 'one', request, timeLimitSeconds: 30, openTimeLimitSeconds: 30 }, null, never);
  });
  await Promise.all(calls.slice(0, 20));
  await server.stop('SIGKILL');
  server.restart();
  const outcomes = await Promise.all(calls);
  for (const [index, { transcript, failure }] of outcomes.entries()) {
    // What nobody knows of goes back to the run, which counts it as possibly paid.
    if (failure !== undefined) assert.equal(failure.kind, 'crash');
    else assert.equal(transcript!.text, ids[index]);
  }
  assert.ok([...made.values()].every((times) => times === 1));
  assert.ok(outcomes.filter(({ failure }) => failure !== undefined).length < ids.length / 2);
  drain.abort();
  await working;
});

test('calls that may cost are neither lost nor made twice where their server is killed while they are put into the queue', {
  skip,
}, async (context) => {
  const server = startServer();
  const address = server.newDatabase();
  const identity = { engine: 'paid' };
  const told: string[] = [];
  const executor = queueExecutor(address, new Map([['one', { identity, mayCost: true }]]), null, {
    tell: (message) => told.push(message),
  });
  context.after(() => executor.close());
  const ids = Array.from({ length: 30 }, (_, index) => `u${index}`);
  const ask = (utteranceId: string) => {
    const request = { utteranceId, conditionName: 'clean', repeat: 0, language: 'en' };
    return executor.run({ recognizer: 'one', request, timeLimitSeconds: 30, openTimeLimitSeconds: 30 }, null, never);
  };
  const first = ask('first');
  const waits = async (query: string) => {
    for (let tries = 0; tries < 100; tries++, await pause(50)) {
      const looking = connectStore(address);
      const [found] = looking.ask([{ sql: query, values: [] }]);
      looking.close();
      if (found!.rows[0]?.[0] === 't') return;
    }
    assert.fail(query);
  };
  await waits("SELECT to_regclass('earwitness_queue.job') IS NOT NULL");
  await waits('SELECT count(*) = 1 FROM earwitness_queue.job');
  const holding = connectStore(address);
  holding.exec('BEGIN; LOCK TABLE earwitness_queue.job');
  const calls = [first, ...ids.map(ask)];
  await waits("SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%INSERT%job%'");
  await server.stop('SIGKILL');
  holding.close();
  server.restart();
  const [drain, made] = [new AbortController(), new Map<string, number>()];
  const working = runWorker({
    ...{ address, place: null, drain: drain.signal, abort: never },
    recognizers: [{ name: 'one', identity, concurrency: 4 }],
    executor: {
      async run({ request: { utteranceId } }) {
        made.set(utteranceId, (made.get(utteranceId) ?? 0) + 1);
        return { seconds: 0, transcript: { text: utteranceId } };
      },
      close: async () => {},
    },
  });
  const outcomes = await Promise.all(calls);
  drain.abort();
  await working;
  assert.deepEqual(
    outcomes.map(({ transcript, failure }) => transcript?.text ?? failure),
    ['first', ...ids],
    told.join('\n'),
  );
  assert.ok(made.size === ids.length + 1 && [...made.values()].every((times) => times === 1));
});
