import { randomInt } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { JsonObject } from '../base/json.ts';
import { printable, someOf } from '../base/printable.ts';
import type { CallMakers, Outcome } from '../engine/executors/contract.ts';
import { failed } from '../engine/executors/outcome.ts';
import { asServerError, isCut, serverBack, serverGone } from '../store/postgres/connection.ts';
import { identityOf, isSilent, type ListedWorker, listWorkers, makersOf } from './announced-workers.ts';
import { type createPlaces, removeClips, removeLeftClips } from './clips/kept-clips.ts';
import {
  cancelUnbegun,
  channelOf,
  deadOf,
  openQueue,
  ownerSpace,
  type Queue,
  type QueuedCall,
  type QueuedOutcome,
  type QueuedRecognizer,
  queueOf,
  retryEveryMs,
} from './open-queue.ts';

/** What became of a call that nobody answers for. */
export const lostCall = (mayCost: boolean): Outcome => ({
  ...failed('crash', 'the worker that had the call was not heard from any more', 0, { retryable: true }),
  ...(mayCost && { lost: true }),
});
/** Answers are told of at once; so often it is looked for those whose word was lost. */
const lookEveryMs = 1000;
/** Where the server was away nobody was heard from: workers have so long to come back with what they have in hand. */
const graceMs = 20_000;
const lookForWorkersEveryMs = 2500;
/** Workers that are started together with a run are ready by then. */
const sayUnofferedEveryLooks = 4;

/** A run that waits for what workers answer. */
export interface AwaitedAnswers {
  readonly queue: Queue;
  readonly owner: number;
  /** After a connection broke: resolves when the run waits for answers again. */
  lost(): Promise<void>;
  /** Resolves when no connection is broken. */
  mended(): Promise<void>;
  close(): Promise<void>;
}

interface Answering {
  collect(call: string, outcome: QueuedOutcome): void;
  fail(error: unknown): void;
  comeBack(queue: Queue, owner: number, take: () => Promise<void>): Promise<void>;
  tell(message: string): void;
  seen(makers: CallMakers): void;
  /** Recognizers of which calls wait. */
  waitingFor(): ReadonlySet<string>;
}

/** What a run says of recognizers of which calls wait and no worker takes any. */
function unoffered(names: readonly string[], areHalted: boolean, others: readonly string[]): string {
  const one = names.length === 1;
  const shown = names.map((name) => printable(name, 60));
  const calls = `calls of ${shown.length === 2 ? shown.join(' and ') : someOf(shown)} wait`;
  const [it, is] = one ? ['it', 'it is'] : ['them', 'they are'];
  return areHalted
    ? `${calls}: all workers that offer ${it} are paused or end; \`earwitness workers resume --all\` lets them go on`
    : `${calls}: no worker offers ${it} as ${is} here${others.length === 0 ? '' : ` (${someOf(others)})`}; start \`earwitness worker\` with the same engine, version, model and options (\`earwitness workers\` lists who is there)`;
}

/** In which a recognizer of a name is another at a worker; null where none has one. */
function otherwise(name: string, own: JsonObject, workers: readonly ListedWorker[]): string | null {
  for (const { name: worker, about } of workers) {
    const found = about?.recognizers.find((one) => one.name === name);
    if (found === undefined) continue;
    const differences = found.identity === undefined ? [] : differing(found.identity, own);
    const what =
      differences.length === 0
        ? `as ${printable(identityOf(found.queue), 60)}, here ${identityOf(queueOf(own))}`
        : `with ${someOf(differences)}`;
    return `${printable(worker, 60)} has ${printable(name, 60)} ${what}`;
  }
  return null;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @returns each place where two differ, as 'version 2, here 1' */
function differing(other: unknown, own: unknown, place: readonly string[] = []): string[] {
  if (isObject(other) && isObject(own)) {
    const [theirs, ours] = [new Map(Object.entries(other)), new Map(Object.entries(own))];
    const keys = new Set([...theirs.keys(), ...ours.keys()]);
    return [...keys].flatMap((key) => differing(theirs.get(key), ours.get(key), [...place, key]));
  }
  const [theirs, ours] = [other, own].map((value) => (value === undefined ? 'none' : JSON.stringify(value)));
  return theirs === ours
    ? []
    : [`${printable(place.join('.'), 60)} ${printable(theirs!, 60)}, here ${printable(ours!, 60)}`];
}

/** Waits for the answers of a run that is new to the queue, also where the server is started again meanwhile. */
export async function awaitAnswers(
  address: string,
  recognizers: ReadonlyMap<string, QueuedRecognizer>,
  places: ReturnType<typeof createPlaces>,
  { collect, fail, comeBack, tell, seen, waitingFor }: Answering,
): Promise<AwaitedAnswers> {
  const queue = await openQueue(address, tell);
  const owner = randomInt(1, 2 ** 31 - 1);
  const dead = deadOf(owner);
  for (const name of new Set([...recognizers.values()].map(({ identity }) => queueOf(identity))))
    await queue.boss.createQueue(name);
  await queue.boss.createQueue(dead);
  let isClosed = false;
  let graceUntilMs = 0;
  let mending: Promise<void> | null = null;
  let listener: PoolClient | null = null;

  /** Workers make no calls for whom nobody waits any more: the server lets go of this lock when the connection ends. */
  const listen = async (): Promise<void> => {
    const client = await queue.pool.connect();
    try {
      const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS taken', [
        ownerSpace,
        owner,
      ]);
      // The connection that broke may still hold it, and workers still make its calls.
      if (!rows[0]!.taken) throw Object.assign(new Error('the lock is held'), { code: 'ECONNRESET' });
      await client.query(`LISTEN ${channelOf(owner)}`);
    } catch (error) {
      client.release(true);
      throw error;
    }
    client.on('notification', () => void take().catch(broke));
    client.on('error', broke);
    client.on('end', () => broke(Object.assign(new Error('ended'), { code: 'ECONNRESET' })));
    listener = client;
  };
  const letGo = () => {
    listener?.removeAllListeners('error');
    listener?.removeAllListeners('end');
    listener?.removeAllListeners('notification');
    listener?.on('error', () => {});
    listener?.release(true);
    listener = null;
  };
  const mend = async (): Promise<void> => {
    const startedMs = performance.now();
    letGo();
    for (let tries = 1; !isClosed; tries++) {
      // One that answers at once was not away.
      if (tries === 2) tell(serverGone(address));
      await new Promise((resolve) => setTimeout(resolve, retryEveryMs));
      try {
        await listen();
        await comeBack(queue, owner, take);
        graceUntilMs = performance.now() + graceMs;
        if (tries > 1) tell(serverBack((performance.now() - startedMs) / 1000));
        return;
      } catch (error) {
        letGo();
        if (!isCut(error)) throw error;
      }
    }
  };
  const lost = (): Promise<void> => {
    mending ??= mend().finally(() => {
      mending = null;
    });
    return mending;
  };
  const broke = (error: unknown) => {
    if (isClosed) return;
    if (isCut(error)) lost().catch(fail);
    else fail(error);
  };

  let collecting = false;
  let again = false;
  const take = async (): Promise<void> => {
    if (collecting) {
      again = true;
      return;
    }
    collecting = true;
    try {
      do {
        again = false;
        const { rows } = await queue.pool.query<{ call: string; outcome: string }>(
          'SELECT call, outcome FROM earwitness_calls.outcomes WHERE owner = $1',
          [owner],
        );
        for (const { call, outcome } of rows) collect(call, JSON.parse(outcome) as QueuedOutcome);
        // Only now: what is taken where the connection breaks would be lost.
        if (rows.length > 0)
          await queue.pool.query('DELETE FROM earwitness_calls.outcomes WHERE call = ANY($1::uuid[])', [
            rows.map(({ call }) => call),
          ]);
      } while (again);
    } finally {
      collecting = false;
    }
  };
  const takeDead = async () => {
    if (performance.now() < graceUntilMs) return;
    const jobs = await queue.boss.fetch<QueuedCall>(dead, { batchSize: 100 });
    for (const { data } of jobs) collect(data.call, lostCall(data.mayCost));
    if (jobs.length > 0)
      await queue.boss.complete(
        dead,
        jobs.map(({ id }) => id),
      );
  };
  /** Recognizers that no worker takes calls of, and whether some would that are paused or end. */
  let looks = 0;
  let saidOf: ReadonlyMap<string, boolean> = new Map();
  const lookForWorkers = async (): Promise<void> => {
    const own = new Set([...recognizers.values()].map(({ identity }) => queueOf(identity)));
    const all = (await queue.transaction(listWorkers)).filter((worker) => !isSilent(worker));
    const here = all.filter(({ about }) => about?.recognizers.some(({ queue }) => own.has(queue)));
    seen(makersOf(here));
    if (++looks % sayUnofferedEveryLooks !== 0) return;
    const halted = new Map<string, boolean>();
    for (const name of waitingFor()) {
      const own = queueOf(recognizers.get(name)!.identity);
      const offering = here.filter(({ about }) => about?.recognizers.some(({ queue }) => queue === own));
      if (offering.every(({ wish }) => wish !== 'work')) halted.set(name, offering.length > 0);
    }
    const unsaid = [...halted.keys()].filter((name) => saidOf.get(name) !== halted.get(name));
    saidOf = halted;
    for (const [areHalted, names] of Map.groupBy(unsaid, (name) => halted.get(name)!))
      tell(
        unoffered(
          names,
          areHalted,
          names.flatMap((name) => otherwise(name, recognizers.get(name)!.identity, all) ?? []),
        ),
      );
  };
  await listen();
  // What cannot be reached now is removed by a later run, or where somebody is forgotten.
  await removeLeftClips(queue.pool, await queue.ownersAlive()).catch(() => {});
  const looking = setInterval(() => mending === null && void take().then(takeDead).catch(broke), lookEveryMs);
  // Whoever may not list workers waits without a word.
  const lookingForWorkers = setInterval(
    () => mending === null && void lookForWorkers().catch(() => {}),
    lookForWorkersEveryMs,
  );
  return {
    queue,
    owner,
    lost,
    mended: async () => void (await mending),
    async close() {
      isClosed = true;
      clearInterval(looking);
      clearInterval(lookingForWorkers);
      letGo();
      await removeClips(queue.pool, places, owner, null).catch(() => {});
      await queue.pool.query('DELETE FROM earwitness_calls.sendings WHERE owner = $1', [owner]).catch(() => {});
      await queue.boss.deleteQueue(dead).catch(() => {});
      await queue.close();
    },
  };
}

const settledSeconds = 60;
const giveBackMs = 1000;

/** Takes back what a killed run left in the queue and no worker has begun, by its entries in the journal. @returns those that were not made */
export async function recallLeft(address: string, attempts: readonly number[]): Promise<readonly number[]> {
  const queue = await openQueue(address);
  const look = () =>
    queue.transaction(async (client) => {
      // Whoever takes one at this moment has it: what is locked is looked at again.
      const { rows } = await client.query<{ id: string; attempt: number; begun: boolean }>(
        `SELECT id, (data->'job'->>'attempt')::float8 AS attempt, started_on IS NOT NULL AS begun
         FROM earwitness_queue.job
         WHERE (data->'job'->>'attempt')::bigint = ANY($1::bigint[]) AND name NOT LIKE 'dead-%' AND state <> 'completed' FOR UPDATE`,
        [attempts],
      );
      const begun = new Set(rows.flatMap((row) => (row.begun ? [row.attempt] : [])));
      const left = rows.filter((row) => !begun.has(row.attempt));
      const ids = left.map(({ id }) => id);
      await cancelUnbegun(client, ids, settledSeconds);
      return { begun: begun.size, unmade: left.map(({ attempt }) => attempt) };
    });
  try {
    const first = await look();
    if (first.begun === 0) return first.unmade;
    // A worker may be about to find that nobody waits for what it took.
    await new Promise((resolve) => setTimeout(resolve, giveBackMs));
    const second = await look();
    return [...new Set([...first.unmade, ...second.unmade])];
  } catch (error) {
    throw asServerError(error, address);
  } finally {
    await queue.close();
  }
}
