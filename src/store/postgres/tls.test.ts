import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { allowWorker, openQueue } from '../../queue/open-queue.ts';
import { openStore } from '../open-store.ts';
import { guarded, noTls, startTlsServer, testServer } from '../testing/postgres-server.ts';
import { connect } from './connection.ts';

test('a server with a certificate is spoken with by TLS alone, and who it is is verified', {
  skip: noTls,
}, async (t) => {
  const server = startTlsServer();
  const socket = server.newDatabase();
  const database = new URL(socket).pathname.slice(1);
  const owner = connect(socket);
  owner.exec(`CREATE ROLE certified LOGIN SUPERUSER; CREATE ROLE ${guarded} LOGIN PASSWORD 'right'`);
  const at = (user: string, host: string, ...more: readonly string[]) =>
    `postgres://${user}@${host}:${server.port}/${database}?${['sslmode=verify-full', ...more].join('&')}`;
  const trusting = `sslrootcert=${server.authority}`;
  const certified = [trusting, `sslcert=${server.user.certificate}`, `sslkey=${server.user.key}`];

  const address = at('certified', 'localhost', ...certified);
  {
    using store = openStore(address);
    assert.deepEqual(store.runs(), []);
  }
  const connection = connect(address);
  const [spoken] = connection.ask([{ sql: 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()', values: [] }]);
  connection.close();
  assert.deepEqual(spoken!.rows, [['t']]);
  const queue = await openQueue(address);
  const { rows } = await queue.pool.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
  assert.deepEqual(rows, [{ ssl: true }]);
  await queue.close();

  const folder = mkdtempSync(join(tmpdir(), 'earwitness-pgpass-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { PGPASSFILE } = process.env;
  t.after(() => {
    if (PGPASSFILE === undefined) delete process.env.PGPASSFILE;
    else process.env.PGPASSFILE = PGPASSFILE;
  });
  const passwords = join(folder, 'pgpass');
  writeFileSync(passwords, `localhost:${server.port}:*:${guarded}:right\n`, { mode: 0o600 });
  process.env.PGPASSFILE = passwords;
  await allowWorker(address, guarded);
  await (await openQueue(at(guarded, 'localhost', trusting))).close();

  const refused: readonly (readonly [string, RegExp])[] = [
    [at('certified', 'localhost'), /signed by an authority that is not trusted here; put .*sslrootcert=/],
    [at('certified', '127.0.0.1', ...certified), /certificate is for another name than the address's/],
    [at('certified', 'localhost', trusting), /does not let this user in so; ask who runs it/],
    [address.replace(/\?.*/, ''), /does not let this user in so; .* whether the address needs sslmode=verify-full/],
    [
      at('certified', 'localhost', 'sslrootcert=/nowhere/ca.pem'),
      /expected the files that the address names, but no such file or directory, open '\/nowhere\/ca.pem'/,
    ],
  ];
  for (const [place, message] of refused) {
    assert.throws(() => openStore(place), { name: 'EarwitnessError', message }, place);
    await assert.rejects(openQueue(place), { name: 'EarwitnessError', message }, place);
  }
  owner.close();
});

test('a server that speaks no TLS is not spoken with where TLS is asked for', { skip: noTls }, () => {
  const address = `${testServer().newDatabase()}&sslmode=verify-full`;
  assert.throws(() => openStore(address), { code: 'store', message: /the server speaks no TLS/ });
});
