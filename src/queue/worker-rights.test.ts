import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../base/clock.ts';
import { inProcessExecutor } from '../engine/executors/executors.ts';
import { scripted } from '../recognizers/scripted/scripted.ts';
import { openStore } from '../store/open-store.ts';
import { connect } from '../store/postgres/connection.ts';
import { noServer, testServer } from '../store/testing/postgres-server.ts';
import { allowWorker } from './open-queue.ts';
import { queueExecutor } from './queue-executor.ts';
import { runWorker } from './queue-worker.ts';

const skip = noServer;
const never = new AbortController().signal;
const services = { baseFolder: import.meta.dirname, environment: () => undefined, fileHash: async () => '' };
const identity = { engine: 'scripted' };

/** What a role may do with each table of this program, by what PostgreSQL itself says of its rights. */
function rightsOf(address: string, role: string): readonly string[] {
  const server = connect(address);
  const [found] = server.ask([
    {
      sql: `SELECT schemaname || '.' || tablename || ' ' || kind FROM pg_tables, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE']) AS kind
            WHERE schemaname LIKE 'earwitness%' AND schemaname <> 'earwitness_queue'
              AND has_table_privilege('${role}', quote_ident(schemaname) || '.' || quote_ident(tablename), kind) ORDER BY 1`,
      values: [],
    },
  ]);
  server.close();
  return found!.rows.map(([right]) => right!);
}

/** A worker whose recognizer answers; `stop` drains it. */
function startWorker(address: string) {
  const drain = new AbortController();
  const working = runWorker({
    ...{ address, place: null, drain: drain.signal, abort: new AbortController().signal },
    recognizers: [{ name: 'mine', identity, concurrency: 4 }],
    executor: inProcessExecutor(
      () => scripted.open(scripted.options.parse({ default: 'heard', needsAudio: true }), services),
      systemClock,
    ),
  });
  return {
    stop() {
      drain.abort();
      return working;
    },
  };
}

test('a role that may only work makes calls, and reads no answers, reports or people', { skip }, async () => {
  const address = testServer().newDatabase();
  openStore(address).close();
  const owner = connect(address);
  owner.exec('CREATE ROLE only_works LOGIN');
  await allowWorker(address, 'only_works');
  const workerAddress = address.replace('user=earwitness', 'user=only_works');
  assert.deepEqual(rightsOf(address, 'only_works'), [
    'earwitness_calls.clips SELECT',
    'earwitness_calls.outcomes INSERT',
    'earwitness_calls.workers DELETE',
    'earwitness_calls.workers SELECT',
  ]);

  const executor = queueExecutor(address, new Map([['one', { identity, mayCost: false }]]), null);
  const request = { utteranceId: 'u', conditionName: 'clean', repeat: 0, language: 'en' };
  const job = { recognizer: 'one', request, timeLimitSeconds: 30, openTimeLimitSeconds: 30 };
  const clip = { sampleRate: 16_000, samples: Float32Array.of(0.5, -0.5) };
  const first = startWorker(workerAddress);
  const outcomes = await Promise.all([executor.run(job, clip, never), executor.run(job, clip, never)]);
  assert.deepEqual(
    outcomes.map(({ transcript }) => transcript?.text),
    ['heard', 'heard'],
  );
  assert.deepEqual(await first.stop(), { answered: 2, failed: 0 });

  // What it has in hand when it is stopped goes back, and another makes it.
  const [inHand, stop] = [Promise.withResolvers<void>(), new AbortController()];
  const stuck = runWorker({
    ...{ address: workerAddress, place: null, drain: stop.signal, abort: stop.signal },
    recognizers: [{ name: 'stuck', identity, concurrency: 1 }],
    executor: {
      async run() {
        inHand.resolve();
        await new Promise((_, reject) => stop.signal.addEventListener('abort', () => reject(stop.signal.reason)));
        throw new Error('never');
      },
      close: async () => {},
    },
  });
  const asked = executor.run(job, clip, never);
  await inHand.promise;
  stop.abort(new Error('stopped'));
  assert.deepEqual(await stuck, { answered: 0, failed: 0 });
  const last = startWorker(workerAddress);
  assert.equal((await asked).transcript?.text, 'heard');
  await last.stop();
  await executor.close();

  const worker = connect(workerAddress);
  const readable = ['earwitness.observations', 'earwitness.runs', 'earwitness.attempts', 'earwitness_calls.outcomes'];
  for (const table of readable) assert.throws(() => worker.exec(`SELECT * FROM ${table}`), { code: '42501' }, table);
  for (const refused of [
    'DELETE FROM earwitness_calls.clips',
    'DELETE FROM earwitness_queue.queue',
    'CREATE TABLE earwitness_calls.mine ()',
    'CREATE SCHEMA mine',
  ])
    assert.throws(() => worker.exec(refused), { code: '42501' }, refused);
  worker.close();
  owner.close();
});

test('only a role that is there is let work', { skip }, async () => {
  const address = testServer().newDatabase();
  await assert.rejects(allowWorker(address, 'x; DROP TABLE y'), {
    code: 'store',
    message: /expected a role of the server, but there is none called "x; DROP TABLE y"/,
  });
});
