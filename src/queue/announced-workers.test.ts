import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../base/clock.ts';
import { inProcessExecutor } from '../engine/executors/executors.ts';
import { scripted } from '../recognizers/scripted/scripted.ts';
import { stateOf, workersTables } from '../session/stored/workers-tables.ts';
import { connect } from '../store/postgres/connection.ts';
import { noServer, testServer } from '../store/testing/postgres-server.ts';
import { listWorkers, makersOf, tellWorkers, type Wish } from './announced-workers.ts';
import { allowWorker, openQueue } from './open-queue.ts';
import { queueExecutor } from './queue-executor.ts';
import { runWorker } from './queue-worker.ts';

const skip = noServer;
const never = new AbortController().signal;
const services = { baseFolder: import.meta.dirname, environment: () => undefined, fileHash: async () => '' };
const identity = { engine: 'scripted' };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(holds: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 30_000;
  while (!(await holds())) {
    if (performance.now() > endMs) throw new Error(`not within 30 s: ${holds}`);
    await pause(50);
  }
}

/** A worker that takes a while for each call, and a dozen in advance. */
function startWorker(context: TestContext, address: string, told: string[] = []) {
  const [drain, ready] = [new AbortController(), Promise.withResolvers<void>()];
  const options = scripted.options.parse({ rule: 'echo-id', delaySeconds: 0.02 });
  const working = runWorker({
    ...{ address, place: null, gpu: 'NVIDIA H200', drain: drain.signal, abort: never },
    recognizers: [{ name: 'mine', identity, concurrency: 2 }],
    executor: inProcessExecutor(() => scripted.open(options, services), systemClock),
    ready: () => ready.resolve(),
    tell: (sentence) => told.push(sentence),
  });
  context.after(() => drain.abort());
  return {
    ready: ready.promise,
    working,
    stop() {
      drain.abort();
      return working;
    },
  };
}

const job = (utteranceId: string) => {
  const request = { utteranceId, conditionName: 'clean', repeat: 0, language: 'en' };
  return { recognizer: 'one', request, timeLimitSeconds: 30, openTimeLimitSeconds: 30 };
};

test('a worker that pauses gives back what it has not begun, one that goes on takes calls again, and one that drains ends', {
  skip,
}, async (context) => {
  const address = testServer().newDatabase();
  const queue = await openQueue(address);
  const executor = queueExecutor(address, new Map([['one', { identity, mayCost: false }]]), null);
  context.after(async () => {
    await executor.close();
    await queue.close();
  });
  const list = () => queue.transaction(listWorkers);
  const tell = (wish: Wish) => queue.transaction((client) => tellWorkers(client, wish, null));
  const told: string[] = [];
  const worker = startWorker(context, address, told);
  await worker.ready;
  const [here, ...others] = await list();
  assert.deepEqual(others, []);
  const { about, ...rest } = here!;
  assert.deepEqual(
    { ...rest, sinceMs: 0, silentSeconds: 0, name: '' },
    {
      ...{ name: '', sinceMs: 0, silentSeconds: 0, gone: false, wish: 'work', done: 0, inFlight: 0, perSecond: null },
    },
  );
  assert.ok(here!.name.endsWith(`-${process.pid}`) && about!.gpu === 'NVIDIA H200' && about!.memoryBytes > 2 ** 20);
  assert.deepEqual(
    about!.recognizers.map(({ name, engine, concurrency }) => [name, engine, concurrency]),
    [['mine', 'scripted', 2]],
  );

  let answered = 0;
  const calls = Array.from({ length: 1000 }, (_, index) =>
    executor.run(job(`u${index}`), null, never).finally(() => answered++),
  );
  await calls[0];
  assert.deepEqual(await tell('pause'), [here!.name]);
  const states = async () => {
    const { rows } = await queue.pool.query<{ state: string }>(
      "SELECT state FROM earwitness_queue.job WHERE data->>'call' IS NOT NULL AND state IN ('created', 'active')",
    );
    return rows.map(({ state }) => state);
  };
  await until(async () => (await list())[0]!.inFlight === 0 && told.length > 0);
  const before = answered;
  assert.ok(before < calls.length);
  await pause(1000);
  assert.equal(answered, before);
  assert.deepEqual(new Set(await states()), new Set(['created']));

  assert.deepEqual(await tell('work'), [here!.name]);
  await until(async () => answered > before);
  await tell('drain');
  const early = await worker.working;
  assert.deepEqual(told, [
    'told to pause: taking no calls until `earwitness workers resume`',
    'told to go on: taking calls',
    'told to drain: taking no more; ending what is in hand',
  ]);
  assert.ok(early.answered < calls.length);
  assert.deepEqual(await list(), []);
  assert.deepEqual(new Set(await states()), new Set(['created']));

  const other = startWorker(context, address);
  const outcomes = await Promise.all(calls);
  assert.deepEqual(
    outcomes.map(({ transcript }) => transcript?.text),
    calls.map((_, index) => `u${index}`),
  );
  const late = await other.stop();
  assert.equal(early.answered + late.answered, calls.length);
});

test('one without a sign of life for a minute is gone and told nothing, after an hour removed, and back with what it was told', {
  skip,
}, async (context) => {
  const address = testServer().newDatabase();
  const queue = await openQueue(address);
  context.after(() => queue.close());
  const told: string[] = [];
  const worker = startWorker(context, address, told);
  await worker.ready;
  await queue.transaction((client) => tellWorkers(client, 'pause', null));
  await until(async () => told.length > 0);
  const list = () => queue.transaction(listWorkers);
  const seen = (since: string) =>
    queue.pool.query(`UPDATE earwitness_calls.workers SET seen = now() - interval '${since}'`);
  await until(async () => (await list())[0]!.silentSeconds < 0.5);
  for (const [since, gone, removed] of [
    ['11 seconds', false, false],
    ['59 seconds', false, false],
    ['59 minutes', true, false],
    ['61 minutes', true, true],
  ] as const) {
    await seen(since);
    const [found] = await list();
    assert.equal(found!.gone, gone);
    assert.equal(makersOf([found!]).halted, since === '11 seconds' ? 1 : 0);
    assert.equal(stateOf(found!), gone ? 'gone' : since === '11 seconds' ? 'paused' : 'silent');
    assert.equal(workersTables([found!])[1]!.rows.length, gone ? 0 : 1);
    if (gone) assert.deepEqual(await queue.transaction((client) => tellWorkers(client, 'work', null)), []);
    await seen(since);
    await (await openQueue(address)).close();
    // A sign of life within this instant brings it back.
    if (removed) await until(async () => (await list()).length === 0 || (await list())[0]!.silentSeconds < 5);
    else assert.equal((await list()).length, 1);
  }
  await until(async () => (await list()).length > 0);
  assert.equal((await list())[0]!.wish, 'pause');
  await worker.stop();
});

test('a role of workers changes no row of others, nor what its own are told, and lists nobody; what it says is read with care', {
  skip,
}, async (context) => {
  const address = testServer().newDatabase();
  const queue = await openQueue(address);
  context.after(() => queue.close());
  for (const role of ['first_works', 'second_works']) {
    await queue.pool.query(`CREATE ROLE ${role} LOGIN`);
    await allowWorker(address, role);
  }
  const as = (role: string) => address.replace('user=earwitness', `user=${role}`);
  const worker = startWorker(context, as('first_works'));
  await worker.ready;
  const first = connect(as('first_works'));
  const second = connect(as('second_works'));
  const changes = ['UPDATE earwitness_calls.workers SET done = 7', 'DELETE FROM earwitness_calls.workers'];
  for (const change of changes) second.exec(change);
  assert.deepEqual(
    (await queue.transaction(listWorkers)).map(({ done }) => done),
    [0],
  );
  for (const refused of [
    "UPDATE earwitness_calls.workers SET wish = 'work'",
    "UPDATE earwitness_calls.workers SET role = 'second_works'",
    "INSERT INTO earwitness_calls.workers (id, name, about, done, in_flight, wish, role) VALUES (gen_random_uuid(), '', '', 0, 0, 'work', 'second_works')",
    'TRUNCATE earwitness_calls.workers',
  ])
    assert.throws(() => first.exec(refused), { code: '42501' }, refused);
  const limited = await openQueue(as('first_works'));
  for (const ask of [listWorkers, (client: Parameters<typeof listWorkers>[0]) => tellWorkers(client, 'drain', null)])
    await assert.rejects(limited.transaction<unknown>(ask), { code: '42501' });
  await limited.close();
  assert.equal((await queue.transaction(listWorkers))[0]!.wish, 'work');
  await worker.stop();

  for (const about of ['no JSON', '[]', '{"host":1}'])
    first.exec(
      `INSERT INTO earwitness_calls.workers (id, name, about, done, in_flight, wish) VALUES (gen_random_uuid(), 'bad', '${about}', 0, 0, 'work')`,
    );
  assert.deepEqual(
    (await queue.transaction(listWorkers)).map(({ about }) => about),
    [null, null, null],
  );
  first.close();
  second.close();
});

test('a run says once of whose calls no worker takes any, and says it otherwise where all that do are paused', {
  skip,
}, async (context) => {
  const address = testServer().newDatabase();
  const said: string[] = [];
  const executor = queueExecutor(address, new Map([['one', { identity, mayCost: false }]]), null, {
    tell: (sentence) => said.push(sentence),
  });
  context.after(() => executor.close());
  const asked = executor.run(job('a'), null, never);
  await until(async () => said.length > 0);
  assert.match(said[0]!, /^calls of one wait: no worker offers it as it is here; start `earwitness worker` with /);
  const told: string[] = [];
  const worker = startWorker(context, address, told);
  assert.equal((await asked).transcript?.text, 'a');
  const queue = await openQueue(address);
  await queue.transaction((client) => tellWorkers(client, 'pause', null));
  await queue.close();
  await until(async () => told.length > 0);
  const other = executor.run(job('b'), null, never);
  await until(async () => said.length > 1);
  assert.match(said[1]!, /^calls of one wait: all workers that offer it are paused or end; /);
  await worker.stop();
  const last = startWorker(context, address);
  assert.equal((await other).transcript?.text, 'b');
  await last.stop();
  assert.equal(said.length, 2);
});

test('a run says in which a recognizer of the same name is another at a worker, and of two that they wait', {
  skip,
}, async (context) => {
  const address = testServer().newDatabase();
  const said: string[] = [];
  const recognizers = ['mine', 'its'].map((name) => {
    const other = { ...identity, version: 2, options: { beam: 5 } };
    return [name, { identity: name === 'mine' ? other : { engine: 'none' }, mayCost: false }] as const;
  });
  const executor = queueExecutor(address, new Map(recognizers), null, { tell: (sentence) => said.push(sentence) });
  context.after(() => executor.close());
  const worker = startWorker(context, address);
  await worker.ready;
  for (const recognizer of ['mine', 'its']) void executor.run({ ...job('a'), recognizer }, null, never).catch(() => {});
  await until(async () => said.length > 0);
  assert.match(
    said[0]!,
    /^calls of mine and its wait: no worker offers them as they are here \(\S+ has mine with version none, here 2, options none, here \{"beam":5\}\); start /,
  );
  await worker.stop();
});
