import { randomUUID } from 'node:crypto';
import { hostname, totalmem } from 'node:os';
import type { Pool, PoolClient } from 'pg';
import { z } from 'zod';
import type { CallMakers } from '../engine/executors/contract.ts';

// Workers say who they are in one table, in which they read what they are told. Times are the server's alone.

/** What workers are told: to go on, to take nothing for now, or to end. */
export const wishes = ['work', 'pause', 'drain'] as const;
export type Wish = (typeof wishes)[number];

/** Each role sees and changes rows of its own workers alone, and says of them neither whose they are nor what they are to do. */
export const workerTable = `
CREATE TABLE earwitness_calls.workers (
  id uuid PRIMARY KEY, role name NOT NULL DEFAULT current_user, name text NOT NULL,
  about text NOT NULL CHECK (octet_length(about) <= 1000000),
  since timestamptz NOT NULL DEFAULT now(), seen timestamptz NOT NULL DEFAULT now(), done bigint NOT NULL, in_flight bigint NOT NULL,
  per_second double precision CHECK (per_second >= 0 AND per_second < 1e9), wish text NOT NULL CHECK (wish IN ('${wishes.join("', '")}')));
ALTER TABLE earwitness_calls.workers ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON earwitness_calls.workers USING (role = current_user);`;

export const announcingRights = (role: string) => [
  `GRANT SELECT, DELETE ON earwitness_calls.workers TO ${role}`,
  `GRANT INSERT (id, name, about, done, in_flight, per_second, wish), UPDATE (seen, done, in_flight, per_second) ON earwitness_calls.workers TO ${role}`,
];

const aboutForm = z.object({
  host: z.string(),
  /** Null where it is not known. */
  gpu: z.string().nullable(),
  memoryBytes: z.number(),
  recognizers: z
    .object({
      name: z.string(),
      /** Beside the queue all that is told of what it is. */
      engine: z.string(),
      queue: z.string(),
      /** What its queue is the hash of; absent where that is long. */
      identity: z.record(z.string(), z.unknown()).optional(),
      concurrency: z.number(),
    })
    .array(),
});

/** What a worker says of itself. */
export type WorkerAbout = z.infer<typeof aboutForm>;

/** What a worker does at this moment. */
export interface WorkerDoing {
  readonly done: number;
  readonly inFlight: number;
}

/** A worker that others see, and tell what to do. */
export interface AnnouncedWorker {
  /** What it was told last. */
  readonly wish: Wish;
  /** Gives a sign of life, and hears what the worker is told. */
  beat(): Promise<void>;
  /** Removes its row. */
  withdraw(): Promise<void>;
}

const heard: Readonly<Record<Wish, string>> = {
  work: 'told to go on: taking calls',
  pause: 'told to pause: taking no calls until `earwitness workers resume`',
  drain: 'told to drain: taking no more; ending what is in hand',
};

/**
 * Lets others see a worker of this process; the first sign of life is the caller's to give.
 *
 * @param tell told what the worker is told, with a sentence for people
 */
export function announcedWorker(
  pool: Pool,
  { gpu, recognizers }: Pick<WorkerAbout, 'gpu' | 'recognizers'>,
  doing: () => WorkerDoing,
  tell: (wish: Wish, sentence: string) => void,
): AnnouncedWorker {
  const [id, host] = [randomUUID(), hostname()];
  // That of a container, where it has a limit.
  const memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const about: WorkerAbout = { host, gpu, memoryBytes, recognizers };
  let wish: Wish = 'work';
  let saying: Promise<void> | null = null;
  let said: { readonly ms: number; readonly done: number }[] = [];
  const say = async (): Promise<void> => {
    const { done, inFlight } = doing();
    const ms = performance.now();
    said = [...said.filter((one) => ms - one.ms < rateOverMs), { ms, done }];
    const perSecond = said.length < 2 ? null : (done - said[0]!.done) / ((ms - said[0]!.ms) / 1000);
    // Its row may have been removed while the server was out of reach: then it is as it was told last.
    const { rows } = await pool.query<{ wish: Wish }>(
      `INSERT INTO earwitness_calls.workers (id, name, about, done, in_flight, per_second, wish) VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (id) DO UPDATE SET seen = now(), done = EXCLUDED.done, in_flight = EXCLUDED.in_flight, per_second = EXCLUDED.per_second
       RETURNING wish`,
      [id, `${host}-${process.pid}`, JSON.stringify(about), done, inFlight, perSecond, wish],
    );
    const told = rows[0]!.wish;
    if (told === wish) return;
    wish = told;
    tell(wish, heard[wish]);
  };
  return {
    get wish() {
      return wish;
    },
    beat() {
      saying ??= say().finally(() => {
        saying = null;
      });
      return saying;
    },
    async withdraw() {
      await saying?.catch(() => {});
      await pool.query('DELETE FROM earwitness_calls.workers WHERE id = $1', [id]);
    },
  };
}

/** Over so long it is counted how many calls a worker answers in a second. */
const rateOverMs = 20_000;

/** A worker as others see it. Whatever it says of itself may be untrue, and is hostile text. */
export interface ListedWorker {
  readonly name: string;
  readonly sinceMs: number;
  /** Since its last sign of life, by the server's clock. */
  readonly silentSeconds: number;
  /** No sign of life for a minute. */
  readonly gone: boolean;
  readonly wish: Wish;
  readonly done: number;
  readonly inFlight: number;
  /** Calls that it answered a second of late; null: it says nothing yet, is paused, or silent. */
  readonly perSecond: number | null;
  /** Null where it says nothing that can be read. */
  readonly about: WorkerAbout | null;
}

/** As much of what a recognizer is as tells whether two are the same. */
export const identityOf = (queue: string) => queue.replace(/^calls-/, '').slice(0, 8);

/** It gives a sign of life every two and a half seconds; after ten without one its calls go to others. */
const maxSilentSeconds = 12;
/** Whether nobody should count on a worker: killed, or cut off. */
export const isSilent = ({ silentSeconds }: Pick<ListedWorker, 'silentSeconds'>) => silentSeconds > maxSilentSeconds;

const isGone = "seen < now() - interval '1 minute'";
/** Who would see some rows alone is refused: a list of them would say that there are no others. */
const seesAll = 'SET LOCAL row_security = off';

/** Workers by name. */
export async function listWorkers(client: PoolClient): Promise<readonly ListedWorker[]> {
  await client.query(seesAll);
  const { rows } = await client.query<
    Record<'name' | 'about' | 'since' | 'silent' | 'done' | 'in_flight', string> & {
      readonly per_second: number | null;
      readonly wish: Wish;
      readonly gone: boolean;
    }
  >(
    `SELECT name, about, extract(epoch FROM since) * 1000 AS since, extract(epoch FROM now() - seen) AS silent, ${isGone} AS gone, wish, done, in_flight, per_second
     FROM earwitness_calls.workers ORDER BY name, since`,
  );
  return rows.map(({ name, about, since, silent, gone, wish, done, in_flight, per_second }) => {
    const silentSeconds = Math.max(0, Number(silent));
    return {
      ...{ name, gone, wish, silentSeconds },
      about: readAbout(about),
      sinceMs: Math.round(Number(since)),
      done: Number(done),
      inFlight: Number(in_flight),
      perSecond: wish === 'pause' || isSilent({ silentSeconds }) ? null : per_second,
    };
  });
}

/** Workers in sum; those that are silent do nothing. */
export function makersOf(workers: readonly ListedWorker[]): CallMakers {
  const here = workers.filter((worker) => !isSilent(worker));
  const rates = here.flatMap(({ perSecond }) => perSecond ?? []);
  const working = here.filter(({ wish }) => wish === 'work').length;
  return {
    ...{ working, halted: here.length - working },
    inFlight: here.reduce((sum, { inFlight }) => sum + inFlight, 0),
    perSecond: rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0),
  };
}

function readAbout(text: string): WorkerAbout | null {
  try {
    return aboutForm.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/**
 * Tells workers what to do: they read it with their next sign of life. One that drains is told nothing else.
 *
 * @param name null for all
 * @returns names of those that are told
 */
export async function tellWorkers(client: PoolClient, wish: Wish, name: string | null): Promise<readonly string[]> {
  await client.query(seesAll);
  const { rows } = await client.query<{ name: string }>(
    `UPDATE earwitness_calls.workers SET wish = $1 WHERE NOT ${isGone} AND (wish <> 'drain' OR $1 = 'drain') AND ($2::text IS NULL OR name = $2) RETURNING name`,
    [wish, name],
  );
  return rows.map((row) => row.name).sort();
}
