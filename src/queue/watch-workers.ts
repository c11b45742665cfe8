import { packageVersion } from '../packages/installed-package.ts';
import { addressForPg, checkAddress } from '../store/postgres/address.ts';
import { asServerError, connect } from '../store/postgres/connection.ts';
import { type ListedWorker, listWorkers } from './announced-workers.ts';
import { callFormat, living } from './open-queue.ts';

/** Who makes calls at a store. */
export interface SeenWorkers {
  readonly workers: readonly ListedWorker[];
  /** Calls of runs under way that no worker has in hand. */
  readonly queued: number;
}

/** Looks again and again who makes calls at a store. */
export interface WorkersWatch {
  /** @throws EarwitnessError `store` where the server does not answer, or this user may not see it */
  look(): Promise<SeenWorkers>;
  close(): Promise<void>;
}

/** Looks who makes calls at a store on a server, and changes nothing there: where there never was a queue, nobody does. */
export async function watchWorkers(address: string): Promise<WorkersWatch> {
  checkAddress(address);
  packageVersion('pg', 'which speaks with PostgreSQL');
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({ connectionString: addressForPg(address), max: 1, keepAlive: true });
  // A connection that breaks is told by the next question to it.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  let isLetIn = false;
  const look = async (): Promise<SeenWorkers> => {
    const client = await pool.connect();
    let broken = true;
    try {
      await client.query('BEGIN READ ONLY');
      const { rows } = await client.query<{ format: string | null }>(
        "SELECT obj_description(oid, 'pg_namespace') AS format FROM pg_namespace WHERE nspname = 'earwitness_calls'",
      );
      const isHere = rows[0]?.format === String(callFormat);
      const workers = isHere ? await listWorkers(client) : [];
      const sql = `SELECT count(*) FROM earwitness_queue.job
        WHERE state < 'active' AND name LIKE 'calls-%' AND (data->>'owner')::bigint IN (${living})`;
      const counted = isHere ? await client.query<{ count: string }>(sql) : null;
      await client.query('COMMIT');
      broken = false;
      return { workers, queued: Number(counted?.rows[0]?.count ?? 0) };
    } finally {
      client.release(broken);
    }
  };
  return {
    async look() {
      try {
        // As where a queue is opened: `pg` alone would keep the program where no password is given.
        if (!isLetIn) connect(address).close();
        isLetIn = true;
        return await look();
      } catch (error) {
        throw asServerError(error, address);
      }
    },
    close: () => pool.end(),
  };
}
