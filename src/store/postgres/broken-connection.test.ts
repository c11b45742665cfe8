import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { openStore } from '../open-store.ts';
import { noServer, startServer, testServer } from '../testing/postgres-server.ts';
import { type Connection, connect, ServerError } from './connection.ts';
import { openPostgresDatabase } from './database.ts';

const skip = noServer;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Records one call after the other, each with its answer, and prints what the store then has of them. */
const writing = (address: string, size: number) => `
  import { openStore } from ${JSON.stringify(import.meta.resolve('../open-store.ts'))};
  import { sha256 } from ${JSON.stringify(import.meta.resolve('../../base/hash.ts'))};
  using store = openStore(${JSON.stringify(address)});
  const recognizers = [{ name: 'one', identity: {}, epoch: null }];
  const run = { name: 'n', purpose: 'p', config: {}, seed: 1, fresh: false, parent: null, recognizers };
  const { id } = store.createRun({ ...run, startedAtMs: 0 });
  store.beginBatch(id, 0, 's');
  const places = Array.from({ length: ${size} }, (_, position) => position);
  const about = { utterance: 0, condition: 0, draw: 0, recognizer: 0, repeat: 0, twin: false };
  store.plan(id, 0, places.map((position) => ({ ...about, position, key: sha256(String(position)) })));
  console.log('begun');
  const reservedPrice = { amount: 0.01, currency: 'EUR' };
  const observation = { soundSeconds: 1, timing: { seconds: 1, calls: 1 }, transcript: { text: 'heard' } };
  for (const position of places) {
    const [place, key] = [{ batch: 0, position }, sha256(String(position))];
    const [attempt] = store.record(id, { begin: [{ place, key, sentAtMs: 0, reservedSeconds: 1, reservedPrice }] });
    store.record(id, {
      end: [{ attempt, state: 'answered', price: null }],
      answers: [{ place, key, utteranceId: 'u', speaker: null, observation }],
    });
  }
  const { calls, money } = store.spent(id);
  console.log(JSON.stringify({ calls, cents: Math.round(100 * money.EUR), lost: store.loseAttempts(id, [true]), ...store.progress(id, 0).trials }));`;

test('what is written to a store while its server is killed is kept once, whenever that is', { skip }, async () => {
  const server = startServer();
  const address = server.newDatabase();
  const size = 3000;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', writing(address, size)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = text(child.stdout);
  await once(child.stdout, 'data');
  let kills = 0;
  for (; child.exitCode === null && kills < 4; kills++) {
    await pause(100 + Math.random() * 300);
    await server.stop('SIGKILL');
    server.restart();
  }
  const rows = await said;
  assert.match(rows, /begun\n/);
  assert.deepEqual(JSON.parse(rows.split('\n')[1]!), {
    calls: size,
    cents: size,
    lost: 0,
    planned: size,
    answered: size,
  });
  const other = connect(address);
  const [count] = other.ask([{ sql: 'SELECT count(*) FROM earwitness.observations', values: [] }]);
  other.close();
  assert.deepEqual([count!.rows, kills], [[[`${size}`]], 4]);
});

for (const heard of [true, false]) {
  const name = heard ? 'was heard' : 'was not heard';
  test(`what a commit kept that ${name} before the connection broke is there once`, { skip }, () => {
    const address = testServer().newDatabase();
    openStore(address).close();
    const open = (): Connection => {
      const connection = connect(address);
      connection.exec('SET search_path = earwitness');
      return connection;
    };
    const first = open();
    let breaks = true;
    const breaking: Connection = {
      ...first,
      ask(steps) {
        const isLast = breaks && steps.at(-1)!.sql === 'COMMIT';
        const answers = isLast && !heard ? [] : first.ask(steps);
        if (!isLast) return answers;
        breaks = false;
        throw new ServerError('ECONNRESET', 'it broke');
      },
    };
    const database = openPostgresDatabase(breaking, {
      session: 'a session',
      asStoreError: (error) => error,
      reconnect(broken) {
        broken.drop();
        return open();
      },
    });
    const insert = database.prepare('INSERT INTO elapsed (key, seconds) VALUES (?, 1)');
    const keep = database.transaction(() => {
      insert.run(Buffer.from(`${Math.random()}`));
      return 'kept';
    });
    assert.equal(keep(), 'kept');
    assert.equal(database.prepare('SELECT count(*) FROM elapsed').pluck().get(), 1);
    database.close();
  });
}
