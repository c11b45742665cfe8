import type { Pool, PoolClient } from 'pg';
import type { Db, JobInsert, PgBoss } from 'pg-boss';
import { EarwitnessError, messageOf } from '../base/errors.ts';
import { hashJson } from '../base/hash.ts';
import type { JsonObject } from '../base/json.ts';
import type { Job, Outcome } from '../engine/executors/contract.ts';
import { packageVersion } from '../packages/installed-package.ts';
import { addressForPg, checkAddress, programFlags, shownAddress } from '../store/postgres/address.ts';
import { asServerError, connect, isCut, serverBack, serverGone, wasBroken } from '../store/postgres/connection.ts';
import { announcingRights, workerTable } from './announced-workers.ts';
import type { SentRecipe } from './clips/heard-clips.ts';
import { clipTable, removeLeftClips } from './clips/kept-clips.ts';

/** What tables, calls and outcomes look like: raised with each change of them, so that nothing is misread by another version. */
export const callFormat = 4;

/** A call on its way to whoever can make it. */
export interface QueuedCall {
  /** `callFormat` of the run's version. */
  readonly format: number;
  /** What its outcome is kept under, whoever has it in hand and however often it moved. */
  readonly call: string;
  readonly job: Job;
  /** Whose run asks: what is left of one that has ended is not made. */
  readonly owner: number;
  /** Hash of the clip; null where the recognizer knows only names. */
  readonly clip: string | null;
  /** How it is made of another clip, by its hash, where that one alone is sent; null: it is sent itself. */
  readonly recipe: SentRecipe | null;
  readonly mayCost: boolean;
}

/** What comes of a call: where its clip was not made as it was meant, why, and no call was made. */
export type QueuedOutcome = Outcome | { readonly unmade: string };

/** How a recognizer is asked by others. */
export interface QueuedRecognizer {
  readonly identity: JsonObject;
  /** Whether a call may have been paid: then nobody makes it again but the run, which journals it. */
  readonly mayCost: boolean;
}

/** A queue in the database of a store. */
export interface Queue {
  readonly boss: PgBoss;
  readonly pool: Pool;
  /** Runs that wait for answers. */
  ownersAlive(): Promise<ReadonlySet<number>>;
  /** Everything that `work` does is kept, or nothing of it. */
  transaction<Result>(work: (client: PoolClient, db: Db) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Of advisory locks: "earq" in ASCII. A run holds one for as long as it waits for answers. */
export const ownerSpace = 0x65617271;
/** A worker that is not heard from for so long is gone, and what it had in hand goes to another. pg-boss takes no less. */
export const heartbeatSeconds = 10;

/** How often a call goes to another worker after its own was not heard from any more. */
const maxMoves = 3;
/** For the way there and back. */
const graceSeconds = 60;

/** A call as it is put into its queue. */
export function queued(data: QueuedCall): JobInsert<QueuedCall> {
  const { job, owner, mayCost } = data;
  return {
    data,
    heartbeatSeconds,
    // What may have been paid is made again by the run alone, which journals it.
    retryLimit: mayCost ? 0 : maxMoves,
    retryDelay: 0,
    // It names what was asked: no longer than it is needed.
    deleteAfterSeconds: 60,
    expireInSeconds: Math.ceil(job.timeLimitSeconds + job.openTimeLimitSeconds + graceSeconds),
    deadLetter: deadOf(owner),
  };
}

/** Where calls of a run go that no worker could make. */
export const deadOf = (owner: number) => `dead-${owner}`;
/** Calls that nobody has begun to make, and nobody makes any more. What is left of one says which it was, and not what was asked. */
export async function cancelUnbegun(client: PoolClient, ids: readonly string[], keptSeconds: number): Promise<void> {
  await client.query(
    `UPDATE earwitness_queue.job SET state = 'cancelled', started_on = NULL, completed_on = now(), deletion_seconds = $2,
       data = jsonb_build_object('call', data->'call', 'owner', data->'owner', 'job', jsonb_build_object('attempt', data->'job'->'attempt'))
     WHERE id = ANY($1::uuid[]) AND state <> 'completed'`,
    [ids, keptSeconds],
  );
}

/** Where a run is told that a call has an outcome. */
export const channelOf = (owner: number) => `earwitness_${owner}`;

/** Calls wait in one queue for each recognizer, by what it is: a worker with another version or model never sees them. */
export function queueOf(identity: JsonObject): string {
  return `calls-${hashJson(identity).slice(0, 40)}`;
}

const tables = `${clipTable}${workerTable}
CREATE TABLE earwitness_calls.outcomes (
  call uuid PRIMARY KEY, owner bigint NOT NULL, outcome text NOT NULL);
CREATE INDEX outcomes_by_owner ON earwitness_calls.outcomes (owner);
CREATE TABLE earwitness_calls.sendings (id uuid PRIMARY KEY, owner bigint NOT NULL, seen timestamptz NOT NULL DEFAULT now());
COMMENT ON SCHEMA earwitness_calls IS '${callFormat}';`;

/** Runs that wait for answers. */
export const living = `SELECT objid::bigint FROM pg_locks WHERE locktype = 'advisory' AND classid = ${ownerSpace} AND objid <> 0 AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
/** Words that a killed run left, voices on the server, and workers that were killed long ago. */
const abandoned = `
DELETE FROM earwitness_calls.clips WHERE place IS NULL AND owner NOT IN (${living});
DELETE FROM earwitness_calls.outcomes WHERE owner NOT IN (${living});
DELETE FROM earwitness_calls.workers WHERE seen < now() - interval '1 hour';
DELETE FROM earwitness_calls.sendings WHERE seen < now() - interval '1 hour' AND owner NOT IN (${living});`;

function refuseNewerTables(error: unknown, shown: string): never {
  if (!/requires migrations/.test(messageOf(error))) throw error;
  throw new EarwitnessError(
    'store',
    `${shown}: expected a queue that this pg-boss knows, but a newer one made it; type: npm install pg-boss@latest`,
    { cause: error },
  );
}

/** Makes what is missing, and makes anew what another version made: between runs it holds nothing. */
async function makeTables(pool: Pool, shown: string): Promise<void> {
  const client = await pool.connect();
  const look = async () => {
    const { rows } = await client.query<{ own: boolean; format: string | null }>(
      `SELECT pg_has_role(nspowner, 'USAGE') AS own, obj_description(oid, 'pg_namespace') AS format
       FROM pg_namespace WHERE nspname = 'earwitness_calls'`,
    );
    return rows[0] && { own: rows[0].own, format: Number(rows[0].format ?? 0) };
  };
  try {
    const before = await look();
    if (before !== undefined && before.format > callFormat) {
      throw new EarwitnessError(
        'store',
        `${shown}: expected a queue of format ${callFormat} or older, but it is of format ${before.format}, made by a newer earwitness; update earwitness (npm install earwitness@latest)`,
      );
    }
    // Whoever may only work finds it made, and what others left is not theirs to see.
    if (before?.own === false) {
      if (before.format === callFormat) return;
      throw new EarwitnessError(
        'store',
        `${shown}: expected a queue of format ${callFormat}, but it is of format ${before.format}, made by an older earwitness; \`earwitness store allow-worker ROLE\` by its owner brings it up to date`,
      );
    }
    await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${ownerSpace}, 0)`);
    const found = await look();
    if (found === undefined) await client.query('CREATE SCHEMA earwitness_calls');
    else if (found.format < callFormat) {
      const { rows } = await client.query(living);
      if (rows.length > 0) {
        throw new EarwitnessError(
          'store-busy',
          `${shown}: a run of an older earwitness waits for its workers; wait until it is done`,
        );
      }
      await client.query(
        'DROP TABLE IF EXISTS earwitness_calls.clips, earwitness_calls.outcomes, earwitness_calls.workers, earwitness_calls.sendings',
      );
    }
    if (found?.format !== callFormat) await client.query(tables);
    await client.query(`${abandoned} COMMIT`);
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

/** What a worker does and nothing beside: it says who it is, takes calls, hears their clips and says what came, and reads no answer of anybody. */
const workerRights = (role: string) => [
  `GRANT USAGE ON SCHEMA earwitness_queue, earwitness_calls TO ${role}`,
  `GRANT SELECT ON ALL TABLES IN SCHEMA earwitness_queue TO ${role}`,
  `GRANT INSERT ON earwitness_queue.queue TO ${role}`,
  // pg-boss gives a call back by deleting it and putting it in anew.
  `GRANT INSERT, UPDATE, DELETE ON earwitness_queue.job, earwitness_queue.job_common TO ${role}`,
  `GRANT SELECT ON earwitness_calls.clips TO ${role}`,
  `GRANT INSERT ON earwitness_calls.outcomes TO ${role}`,
  ...announcingRights(role),
];

/**
 * Lets a role of the server work: `earwitness worker` needs no more.
 *
 * @returns the statements that were executed
 * @throws EarwitnessError `store` where there is no such role, or it is not this user's to say
 */
export async function allowWorker(address: string, role: string): Promise<readonly string[]> {
  const queue = await openQueue(address);
  try {
    const { rows } = await queue.pool.query<{ name: string }>(
      'SELECT quote_ident(rolname) AS name FROM pg_roles WHERE rolname = $1',
      [role],
    );
    if (rows.length === 0) {
      throw new EarwitnessError(
        'store',
        `${shownAddress(address)}: expected a role of the server, but there is none called ${JSON.stringify(role)}; type: createuser${programFlags(address)} ${role}`,
      );
    }
    const statements = workerRights(rows[0]!.name);
    await queue.transaction(async (client) => {
      for (const statement of statements) await client.query(statement);
    });
    return statements;
  } catch (error) {
    throw asServerError(error, address);
  } finally {
    await queue.close();
  }
}

/**
 * Removes audio that killed runs left in folders and buckets. Nothing happens where there never was a queue.
 *
 * @param onlyLook whether it is only looked at
 * @returns what to throw at the end where some cannot be reached: what is left there is known, and removed the next time
 */
export async function removeLeftAudio(address: string, onlyLook = false): Promise<EarwitnessError | null> {
  const server = connect(address);
  const sql = "SELECT to_regclass('earwitness_calls.clips') IS NOT NULL";
  const [found] = server.ask([{ sql, values: [] }]);
  server.close();
  if (found!.rows[0]![0] !== 't') return null;
  const queue = await openQueue(address);
  try {
    const left = await removeLeftClips(queue.pool, await queue.ownersAlive(), onlyLook);
    if (left.length === 0) return null;
    const rest = onlyLook ? 'everything else would be removed' : 'everything else was removed';
    return new EarwitnessError(
      'store',
      `${left.join('; ')}; ${rest}: give the command again where it can be reached, or remove them there yourself`,
    );
  } finally {
    await queue.close();
  }
}

/**
 * Opens the queue beside a store on a server, and makes it if it does not exist. A server that goes away meanwhile is waited for.
 *
 * @throws EarwitnessError `missing-program` where `pg` or `pg-boss` is not installed
 */
export async function openQueue(address: string, tell: (message: string) => void = () => {}): Promise<Queue> {
  const started = performance.now();
  for (let tries = 1, wasThere = false; ; tries++) {
    try {
      const queue = await openOnce(address);
      if (tries > 2) tell(serverBack((performance.now() - started) / 1000));
      return queue;
    } catch (error) {
      const cause = error instanceof EarwitnessError ? error.cause : error;
      // Who never was there is told at once.
      wasThere ||= wasBroken(cause);
      if (!wasThere || !isCut(cause)) throw error;
      if (tries === 2) tell(serverGone(address));
      await new Promise((resolve) => setTimeout(resolve, retryEveryMs));
    }
  }
}

/** So often a server that is away is asked again. */
export const retryEveryMs = 500;

async function openOnce(address: string): Promise<Queue> {
  checkAddress(address);
  packageVersion('pg', 'which speaks with PostgreSQL');
  packageVersion('pg-boss', 'which hands out calls');
  const [{ default: pg }, { PgBoss }] = await Promise.all([import('pg'), import('pg-boss')]);
  const connectionString = addressForPg(address);
  const pool = new pg.Pool({ connectionString, keepAlive: true });
  // A connection that breaks is told by the next question to it.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const settings = {
    connectionString,
    schema: 'earwitness_queue',
    schedule: false,
    superviseIntervalSeconds: heartbeatSeconds / 2,
    monitorIntervalSeconds: heartbeatSeconds / 2,
  };
  const boss = new PgBoss(settings);
  // It brings older tables up to date and says nothing of newer ones; one that may not do so compares.
  const comparing = new PgBoss({ ...settings, migrate: false, supervise: false });
  for (const one of [boss, comparing]) one.on('error', () => {});
  try {
    // Where no password is given a pool of `pg` keeps the connection, and with it the program.
    const first = new pg.Client({ connectionString });
    first.on('error', () => {});
    await first.connect().finally(() => void first.end().catch(() => {}));
    await boss.start();
    await comparing.start().catch((error: unknown) => refuseNewerTables(error, shownAddress(address)));
    await comparing.stop({ graceful: false });
    await makeTables(pool, shownAddress(address));
  } catch (error) {
    for (const one of [boss, comparing]) await one.stop({ graceful: false }).catch(() => {});
    await pool.end();
    throw asServerError(error, address);
  }
  return {
    boss,
    pool,
    async ownersAlive() {
      const { rows } = await pool.query<{ objid: string }>(living);
      return new Set(rows.map(({ objid }) => Number(objid)));
    },
    async transaction(work) {
      const client = await pool.connect();
      let broken: Error | undefined;
      try {
        await client.query('BEGIN');
        const result = await work(client, { executeSql: (text, values) => client.query(text, values) });
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch((gone: Error) => {
          broken = gone;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    },
    async close() {
      await boss.stop({ graceful: false });
      await pool.end();
    },
  };
}
