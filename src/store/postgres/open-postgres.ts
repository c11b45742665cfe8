import { randomUUID } from 'node:crypto';
import { EarwitnessError } from '../../base/errors.ts';
import type { OpenOptions } from '../contract.ts';
import type { Database, OpenedDatabase } from '../database.ts';
import { type CheckedStore, checkTables, damageSentence } from '../parts/check-rows.ts';
import { covered, DamagedRowError } from '../parts/checksums.ts';
import { removeListedFiles } from '../parts/chores.ts';
import { refuseOtherVersion, schema, schemaVersion } from '../schema.ts';
import { checkAddress, shownAddress } from './address.ts';
import {
  asServerError,
  type Connection,
  connect,
  isCut,
  ServerError,
  serverBack,
  serverGone,
  serverStaysAway,
  wasBroken,
} from './connection.ts';
import { openPostgresDatabase, type PostgresDatabase, sleep } from './database.ts';
import { checksumTriggers, damagedCode, functions } from './dialect.ts';

/** Locks of this program in the numbers that all programs of a database share: "earw" in ASCII. */
const lockSpace = 0x65617277;
/** The lock of the store itself beside those of its runs. */
const wholeStore = 0;

/**
 * Opens the store in a PostgreSQL database, and makes its schema if it does not exist. Any number of programs may write; each run is gone on
 * with by one of them.
 *
 * @throws EarwitnessError `store` where it cannot be reached or may not be used, or is of another version; `store-busy` where another program
 * deletes from it, or for `alone` writes to it
 */
export function openPostgres(
  address: string,
  { readonly = false, alone = false, tell }: OpenOptions = {},
): OpenedDatabase {
  checkAddress(address);
  const shown = shownAddress(address);
  let database: PostgresDatabase | null = null;
  const runs: number[] = [];
  const session = `earwitness ${randomUUID()}`;
  const set = `${settings}; SET application_name = '${session}'${readonly ? '' : "; SET earwitness.writes = 'yes'"}`;
  let isOpen = false;
  try {
    database = openPostgresDatabase(connect(address), {
      session,
      asStoreError: (error) => asStoreError(error, address),
      reconnect(broken, error) {
        broken.drop();
        // What never was there is told at once, and who deletes begins anew.
        if (alone || (!isOpen && !wasBroken(error))) throw error;
        return reconnect(address, readonly ? maxWaitOfReadersSeconds : maxWaitSeconds, tell, (connection) => {
          endBroken(connection, session, shown);
          connection.exec(set);
          if (!readonly) for (const run of [wholeStore, ...runs]) takeAgain(connection, run, shown);
        });
      },
    });
    const open = database;
    open.exec(set);
    if (readonly) {
      // Who reads puts what it sorts into tables of its own, which a read-only transaction refuses.
      requireVersion(open, shown);
    } else {
      makeTables(open, shown);
      open.exec("DELETE FROM writers WHERE at < now() - interval '30 days'");
      if (alone) requireOwner(open, shown);
      finishLeft(open, address);
      if (!tryLock(open, wholeStore, alone ? '' : '_shared')) {
        throw new EarwitnessError(
          'store-busy',
          alone
            ? `${shown}: another earwitness is writing to this store; wait until it is done`
            : `${shown}: another earwitness is removing something from this store; wait until it is done`,
        );
      }
    }
    isOpen = true;
    return {
      database: open,
      marker: null,
      asStoreError: (error) =>
        asStoreError(isLostTable(error, open) ? new ServerError('ECONNRESET', 'a table was lost') : error, address),
      breaks: () => open.breaks(),
      wasCut: (error) => (error instanceof EarwitnessError && isCut(error.cause)) || isLostTable(error, open),
      damage: () => damageSentence(shown, checkPostgres(open)),
      takeRun(run) {
        if (!tryLock(open, run, '')) throw busyRun(shown);
        runs.push(run);
      },
      finishChores: () => finishChores(open, address),
      giveBackSpace: () => rewrite(open),
      close: () => open.close(),
    };
  } catch (error) {
    database?.close();
    throw asStoreError(error, address);
  }
}

/** Temporary tables go with their connection. */
function isLostTable(error: unknown, database: PostgresDatabase): boolean {
  return error instanceof ServerError && error.code === '42P01' && database.breaks() > 0;
}

/** A server that is started again, or a network that comes back. */
const maxWaitSeconds = 600;
/** Somebody looks at a page. */
const maxWaitOfReadersSeconds = 10;

/** Waits for a server, and tells since when and how long. */
function reconnect(
  address: string,
  maxSeconds: number,
  tell: OpenOptions['tell'],
  prepare: (connection: Connection) => void,
): Connection {
  const started = performance.now();
  for (let tries = 1, waitMs = 200; ; tries++, waitMs = Math.min(2 * waitMs, 2000)) {
    // One that answers at once was not away.
    if (tries === 2) tell?.(serverGone(address));
    sleep(waitMs);
    const seconds = (performance.now() - started) / 1000;
    let connection: Connection | null = null;
    try {
      connection = connect(address);
      prepare(connection);
      if (tries > 1) tell?.(serverBack((performance.now() - started) / 1000));
      return connection;
    } catch (error) {
      connection?.drop();
      // Its own lock may still be held for the connection that broke.
      const isWaiting = isCut(error) || (error instanceof EarwitnessError && error.code === 'store-busy');
      if (isWaiting && seconds < maxSeconds) continue;
      throw isCut(error) ? serverStaysAway(address, seconds) : asServerError(error, address);
    }
  }
}

/** The server may not know yet that the connection broke: until it is ended it may commit, and holds its locks. */
function endBroken(connection: Connection, session: string, shown: string): void {
  const sql = 'SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = $1';
  if (connection.ask([{ sql, values: [session] }])[0]!.rows[0]![0] !== '0') throw busyRun(shown);
}

function takeAgain(connection: Connection, what: number, shown: string): void {
  const kind = what === wholeStore ? '_shared' : '';
  const sql = `SELECT pg_try_advisory_lock${kind}(${lockSpace}, ${what})`;
  if (connection.ask([{ sql, values: [] }])[0]!.rows[0]![0] !== 't') throw busyRun(shown);
}

function busyRun(shown: string): EarwitnessError {
  return new EarwitnessError(
    'store-busy',
    `${shown}: another earwitness goes on with this run; wait until it is done, or start a new run with --new`,
  );
}

/** Texts as this program reads them whatever the server's own settings are, and how soon it hears that the other end is gone. */
const settings = [
  ['search_path', 'earwitness'],
  ['bytea_output', 'hex'],
  ['extra_float_digits', '1'],
  ['client_min_messages', 'error'],
  ['default_transaction_isolation', "'read committed'"],
  ['statement_timeout', '0'],
  ['idle_in_transaction_session_timeout', '0'],
  ...[
    ['tcp_keepalives_idle', '10'],
    ['tcp_keepalives_interval', '5'],
    ['tcp_keepalives_count', '4'],
  ],
  // Pages of questions are looked up by their keys, as they are in SQLite; what a server knows of a table that has just grown is old.
  ...[
    ['enable_hashjoin', 'off'],
    ['enable_mergejoin', 'off'],
    ['jit', 'off'],
    ['plan_cache_mode', 'force_generic_plan'],
  ],
]
  .map(([name, value]) => `SET ${name} = ${value}`)
  .join('; ');

/** What a killed program left to be done: where others are at the store, they or the next do it. */
function finishLeft(database: PostgresDatabase, address: string): void {
  const left = database.prepare('SELECT count(*) FROM chores').pluck();
  if (left.get() === 0 || !tryLock(database, wholeStore, '')) return;
  try {
    if (ownsTables(database)) finishChores(database, address);
  } finally {
    database.prepare(`SELECT pg_advisory_unlock(${lockSpace}, ${wholeStore}) AS freed`).get();
  }
}

function finishChores(database: PostgresDatabase, address: string): void {
  if (!removeListedFiles(database, address)) return;
  rewrite(database);
  emptyQueue(database);
  database.exec('DELETE FROM chores');
  database.exec('VACUUM FULL chores');
}

/** A server rewrites tables for their owner alone, and tells others in a note that it did not. */
function ownsTables(database: PostgresDatabase): boolean {
  const others = database.prepare(
    `SELECT count(*) FROM pg_class WHERE relnamespace = to_regnamespace('earwitness') AND relkind = 'r'
       AND NOT pg_has_role(relowner, 'USAGE')`,
  );
  return others.pluck().get() === 0;
}

function requireOwner(database: PostgresDatabase, shown: string): void {
  if (ownsTables(database)) return;
  throw new EarwitnessError(
    'store',
    `${shown}: expected the owner of the tables, who alone may rewrite them, so that nothing stays of what is removed; ask whoever made this store`,
  );
}

function tryLock(database: PostgresDatabase, what: number, kind: '' | '_shared'): boolean {
  const lock = database.prepare(`SELECT pg_try_advisory_lock${kind}(${lockSpace}, ?::int) AS taken`).pluck();
  return lock.get(what) === 1;
}

/** Whether another program writes to a store, or goes on with one of its runs. */
export function isWrittenBy(address: string): boolean | null {
  try {
    const { database, close } = openPostgres(address, { readonly: true });
    try {
      const held = database.prepare(
        `SELECT EXISTS (SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = ${lockSpace} AND granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS held`,
      );
      return held.pluck().get() === 1;
    } finally {
      close();
    }
  } catch {
    return null;
  }
}

/**
 * Whether there is a store in a database.
 *
 * @throws EarwitnessError `store` where it cannot be reached
 */
export function isStoreAt(address: string): boolean {
  checkAddress(address);
  try {
    const database = openPostgresDatabase(connect(address));
    try {
      return versionOf(database) > 0;
    } finally {
      database.close();
    }
  } catch (error) {
    throw asServerError(error, address);
  }
}

/** Zero where there is no store yet. */
function versionOf(database: PostgresDatabase): number {
  // What to_regclass says may be of before another program made it.
  const made = database
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM pg_class WHERE relname = 'schema_version'
       AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = 'earwitness')) AS made`,
    )
    .pluck();
  if (made.get() === 0) return 0;
  return database.prepare('SELECT max(version) AS version FROM earwitness.schema_version').pluck().get() as number;
}

function requireVersion(database: PostgresDatabase, shown: string): void {
  const version = versionOf(database);
  if (version !== 0) refuseOtherVersion(version, shown);
  else
    throw new EarwitnessError('store', `${shown}: expected a store, but there is none; \`earwitness run\` makes one`);
}

function makeTables(database: PostgresDatabase, shown: string): void {
  if (versionOf(database) === schemaVersion) return;
  database.transaction(() => {
    // Two programs that find none make one.
    database.prepare(`SELECT pg_advisory_xact_lock(${lockSpace}, -1) AS locked`).get();
    if (versionOf(database) !== 0) {
      requireVersion(database, shown);
      return;
    }
    database.exec('CREATE SCHEMA IF NOT EXISTS earwitness');
    database.exec(functions);
    database.exec('CREATE TABLE schema_version (version INTEGER PRIMARY KEY)');
    database.exec(schema);
    database.exec(checksumTriggers);
    database.prepare('INSERT INTO schema_version (version) VALUES (?)').run(schemaVersion);
  })();
}

/** Calls name what was asked, and clips are voices. Nobody waits for them: who writes to the store would be at it. */
function emptyQueue(database: PostgresDatabase): void {
  const there = database.prepare('SELECT to_regclass(?) IS NOT NULL AS there').pluck();
  for (const table of ['earwitness_calls.outcomes', 'earwitness_queue.job'])
    if (there.get(table) === 1) database.exec(`TRUNCATE ${table}`);
  const clips = 'earwitness_calls.clips';
  if (there.get(clips) === 0) return;
  // What lies in a bucket that could not be reached stays known.
  database.exec(`DELETE FROM ${clips} WHERE place IS NULL`);
  database.exec(`VACUUM FULL ${clips}`);
}

/** A server looks after its files itself: what is checked are rows. */
export function checkServer(address: string): CheckedStore {
  const opened = openPostgres(address, { readonly: true });
  try {
    return checkPostgres(opened.database);
  } catch (error) {
    throw opened.asStoreError(error);
  } finally {
    opened.close();
  }
}

function checkPostgres(database: Database): CheckedStore {
  const tables = checkTables(database);
  const good = tables.every(({ damaged, torn }) => damaged === 0 && !torn);
  return { good, tables, structure: [], missing: { answers: 0, calls: 0 } };
}

/** Only rewritten tables hold nothing of what was deleted. */
function rewrite(database: PostgresDatabase): void {
  for (const table of Object.keys(covered)) database.exec(`VACUUM FULL ${table}`);
}

function asStoreError(error: unknown, address: string): unknown {
  const isDamage = error instanceof ServerError && error.code === damagedCode;
  return isDamage ? new DamagedRowError(error.message) : asServerError(error, address);
}
