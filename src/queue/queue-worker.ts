import type { PoolClient } from 'pg';
import type { Db, Job as QueueJob } from 'pg-boss';
import type { Clip } from '../audio/clip.ts';
import { EarwitnessError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Executor } from '../engine/executors/contract.ts';
import { failed } from '../engine/executors/outcome.ts';
import { asServerError, isCut, serverBack, serverGone } from '../store/postgres/connection.ts';
import { announcedWorker } from './announced-workers.ts';
import { createHeardClips, type RemakeClip, Unmade } from './clips/heard-clips.ts';
import { createPlaces, fetchClip } from './clips/kept-clips.ts';
import {
  callFormat,
  cancelUnbegun,
  channelOf,
  heartbeatSeconds,
  openQueue,
  ownerSpace,
  type QueuedCall,
  type QueuedOutcome,
  queued,
  queueOf,
  retryEveryMs,
} from './open-queue.ts';

/** What a worker can open. */
export interface OfferedRecognizer {
  /** On this machine. */
  readonly name: string;
  readonly identity: JsonObject;
  /** Calls at once. */
  readonly concurrency: number;
}

/** What a worker has done. */
export interface WorkerCounts {
  readonly answered: number;
  readonly failed: number;
}

interface WorkerOptions {
  readonly address: string;
  readonly recognizers: readonly OfferedRecognizer[];
  readonly executor: Executor;
  /** Where audio is looked for on this machine; null: where the run says that it put it. */
  readonly place: string | null;
  /** Absent: runs send all clips whole. */
  readonly remake?: RemakeClip;
  /** For those who list workers. */
  readonly gpu?: string | null;
  /** Nothing new is taken, and what is in hand is ended. */
  readonly drain: AbortSignal;
  /** What is in hand goes back too. */
  readonly abort: AbortSignal;
  /** Told when calls can be taken. */
  ready?(): void;
  /** Told that the server does not answer, that it does again, and what `earwitness workers` told this worker. */
  tell?(message: string): void;
}

/** What another version asks goes back as it came. */
function refuseOtherFormats(jobs: readonly QueueJob<QueuedCall>[]): void {
  const other = jobs.find(({ data }) => data.format !== callFormat)?.data.format;
  if (other === undefined) return;
  const age = other > callFormat ? 'a newer' : 'an older';
  throw new EarwitnessError(
    'store',
    `expected calls of format ${callFormat}, but a run of ${age} earwitness asks in format ${other}; install the same version on both machines (npm install earwitness@latest)`,
  );
}

/** Whoever asked has given the call up meanwhile: nothing failed for anybody. */
const forNobody = failed('error', 'the audio of the call is not there any more', 0, { retryable: true, unheard: true });
/** The way there and back costs as much as a hundred calls of a fast recognizer. */
const maxTaken = 500;
/** Of an identity: it is told with each sign of life. */
const maxToldLength = 10_000;
/** A run that was killed finds until then which of its calls were never begun: so long as those wait that nobody takes. */
const orphanSeconds = 14 * 24 * 3600;
const idleMs = 100;

/**
 * Makes calls of runs on other machines until it is to stop. A call and what it gave are kept together: another worker cannot have the
 * same call kept twice.
 */
export async function runWorker({
  address,
  recognizers,
  executor,
  place,
  remake = () => Promise.reject(new Error('it makes none')),
  gpu = null,
  drain: stopped,
  abort,
  ready,
  tell,
}: WorkerOptions): Promise<WorkerCounts> {
  const queue = await openQueue(address, tell);
  const told = new AbortController();
  const drain = AbortSignal.any([stopped, told.signal]);
  const counts = { answered: 0, failed: 0 };
  const places = createPlaces();
  let done: {
    readonly name: string;
    readonly id: string;
    readonly call: string;
    readonly owner: number;
    readonly outcome: QueuedOutcome;
  }[] = [];
  let keeping: Promise<void> | null = null;
  const inHand = new Map<string, Set<string>>();
  let broken: unknown = null;
  let awaySinceMs: number | null = null;
  let isTold = false;

  const offers = recognizers.map(({ name, identity, concurrency }) => ({
    ...{ name, concurrency },
    engine: String(identity.engine),
    queue: queueOf(identity),
    ...(JSON.stringify(identity).length < maxToldLength && { identity }),
  }));
  const doing = () => ({
    done: counts.answered + counts.failed,
    inFlight: [...inHand.values()].reduce((sum, { size }) => sum + size, 0),
  });
  const announced = announcedWorker(queue.pool, { gpu, recognizers: offers }, doing, (wish, sentence) => {
    tell?.(sentence);
    if (wish === 'drain') told.abort();
  });
  const beat = () => {
    announced.beat().catch(() => {});
    for (const [name, held] of inHand) {
      if (held.size > 0) queue.boss.touch(name, [...held]).catch(() => {});
    }
  };
  /** Asks a server that does not answer until it does: what of it was heard is heard again for nothing. */
  const patiently = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
    for (let tries = 1; ; tries++) {
      try {
        const result = await ask();
        if (awaySinceMs !== null) {
          if (isTold) tell?.(serverBack((performance.now() - awaySinceMs) / 1000));
          awaySinceMs = null;
          isTold = false;
          // Before what is in hand is taken for that of a worker that is gone.
          beat();
        }
        return result;
      } catch (error) {
        // Who is to end and has nothing to hand over waits for nobody.
        const isDone = drain.aborted && [...inHand.values()].every((held) => held.size === 0);
        if (!isCut(error) || abort.aborted || isDone) throw error;
        awaySinceMs ??= performance.now();
        // One that answers at once was not away.
        if (tries > 1 && !isTold) {
          isTold = true;
          tell?.(serverGone(address));
        }
        await new Promise((resolve) => setTimeout(resolve, retryEveryMs));
      }
    }
  };

  /** Hands over what is done, until there is no more of it. Where that fails the worker ends. */
  const keep = async (): Promise<void> => {
    try {
      // What ends in one turn goes together.
      await new Promise<void>((resolve) => setImmediate(resolve));
      while (done.length > 0) {
        const kept = done;
        done = [];
        const write = async (client: PoolClient, db: Db): Promise<void> => {
          // A call that is made is wanted no more: marked as completed, it would be written once more, and into each index, to be removed later.
          for (const [name, ofQueue] of Map.groupBy(kept, (one) => one.name))
            await queue.boss.deleteJob(
              name,
              ofQueue.map(({ id }) => id),
              { db },
            );
          await client.query(
            `INSERT INTO earwitness_calls.outcomes (call, owner, outcome)
             SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::text[]) ON CONFLICT DO NOTHING`,
            [
              kept.map(({ call }) => call),
              kept.map(({ owner }) => owner),
              kept.map(({ outcome }) => JSON.stringify(outcome)),
            ],
          );
          const owners = new Set(kept.map((one) => one.owner));
          await client.query("SELECT pg_notify(channel, '') FROM unnest($1::text[]) AS channel", [
            [...owners].map(channelOf),
          ]);
        };
        await patiently(() => queue.transaction(write));
        for (const { name, id, outcome } of kept) {
          inHand.get(name)?.delete(id);
          if ('unmade' in outcome || outcome === forNobody) continue;
          if (outcome.failure === undefined) counts.answered++;
          else counts.failed++;
        }
      }
    } catch (error) {
      broken ??= error;
    } finally {
      keeping = null;
    }
  };

  const clips = createHeardClips(
    (owner, hash) => patiently(() => fetchClip(queue.pool, places, owner, hash, place)),
    remake,
  );
  const make = async (name: string, own: string, { id, data }: QueueJob<QueuedCall>): Promise<void> => {
    const { call, job, owner, clip: hash, recipe, mayCost } = data;
    const end = async (outcome: QueuedOutcome) => {
      done.push({ name, id, call, owner, outcome });
      keeping ??= keep();
      // Others are begun meanwhile: a lane that waited would come back too late for the next batch of its recognizer. Not so where each
      // call that is lost with this worker may have been paid, and where the server is slower than the recognizer.
      if (mayCost || done.length >= maxTaken) await keeping;
    };
    let clip: Clip | null = null;
    try {
      if (hash !== null) clip = await clips.get(owner, hash, recipe);
    } catch (error) {
      if (!(error instanceof Unmade)) throw error;
      return await end({ unmade: error.message });
    }
    const isGone = hash !== null && clip === null;
    await end(isGone ? forNobody : await executor.run({ ...job, recognizer: own }, clip, abort));
  };

  /** Asks one recognizer what waits for it, as many at once as it takes. */
  const serve = async ({ name: own, identity, concurrency }: OfferedRecognizer): Promise<void> => {
    const name = queueOf(identity);
    await patiently(() => queue.boss.createQueue(name));
    const held = new Set<string>();
    inHand.set(name, held);
    let taken: QueueJob<QueuedCall>[] = [];
    let made = 0;
    let since = performance.now();
    let mayCost = false;
    const more = async (): Promise<void> => {
      if (announced.wish === 'pause') {
        await giveBackTaken();
        return new Promise((resolve) => setTimeout(resolve, idleMs));
      }
      // What is made within an eighth of a second: the others of a slow recognizer are left for other workers. As often as many as are made at
      // once: what is left over would be a small batch. One that may cost is taken when it can be made at once: grown old in hand it would
      // be given up by its run, and made and paid all the same.
      const perSecond = made / ((performance.now() - since) / 1000);
      const times = Math.max(1, Math.floor(perSecond / 8 / concurrency));
      const batchSize = mayCost ? 1 : Math.min(maxTaken, times * concurrency);
      [made, since] = [0, performance.now()];
      const jobs = await patiently(() => queue.boss.fetch<QueuedCall>(name, { batchSize }));
      if (jobs.length === 0) await new Promise((resolve) => setTimeout(resolve, idleMs));
      mayCost ||= jobs.some(({ data }) => data.mayCost);
      const alive = new Set(await patiently(() => queue.ownersAlive()));
      for (const [owner, orphans] of Map.groupBy(jobs, ({ data }) => data.owner))
        if (!alive.has(owner) && !(await patiently(() => giveUp(owner, orphans)))) alive.add(owner);
      taken = jobs.filter(({ data }) => alive.has(data.owner)).reverse();
      refuseOtherFormats(taken);
      for (const { id } of taken) held.add(id);
    };
    /** Takes back the calls of a run that has ended. @returns false where it has come back after its connection broke */
    const giveUp = (owner: number, orphans: readonly QueueJob[]): Promise<boolean> =>
      queue.transaction(async (client) => {
        const { rows } = await client.query<{ gone: boolean }>(
          'SELECT pg_try_advisory_xact_lock_shared($1, $2) AS gone',
          [ownerSpace, owner],
        );
        const { gone } = rows[0]!;
        if (gone) {
          await cancelUnbegun(
            client,
            orphans.map(({ id }) => id),
            orphanSeconds,
          );
        }
        return gone;
      });
    /** What is taken and not begun goes to others. */
    const giveBackTaken = async (): Promise<void> => {
      const unmade = taken;
      taken = [];
      if (unmade.length === 0) return;
      const giveBack = async (_: PoolClient, db: Db): Promise<void> => {
        await queue.boss.complete(
          name,
          unmade.map(({ id }) => id),
          null,
          { db },
        );
        await queue.boss.insert(
          name,
          unmade.map(({ data }) => queued(data)),
          { db },
        );
      };
      await patiently(() => queue.transaction(giveBack));
      for (const { id } of unmade) held.delete(id);
    };
    let fetching: Promise<void> | null = null;
    const lane = async (): Promise<void> => {
      while (!drain.aborted && broken === null) {
        const next = announced.wish === 'pause' ? undefined : taken.pop();
        if (next === undefined) {
          fetching ??= more().finally(() => {
            fetching = null;
          });
          await fetching;
        } else {
          await make(name, own, next);
          made++;
        }
      }
    };
    await Promise.allSettled(Array.from({ length: concurrency }, () => lane().catch(stopAll)));
    await keeping;
    await giveBackTaken();
    // What was begun and has no outcome: whether it goes to another worker is the run's to say.
    if (held.size > 0) await patiently(() => queue.boss.fail(name, [...held], { message: 'the worker was stopped' }));
    if (broken !== null && !abort.aborted) throw broken;
  };

  const stopAll = (error: unknown): never => {
    broken ??= error;
    throw error;
  };

  const beating = setInterval(beat, (heartbeatSeconds * 1000) / 4);
  try {
    await patiently(announced.beat);
    ready?.();
    const ends = await Promise.allSettled(recognizers.map((one) => serve(one).catch(stopAll)));
    const failure = ends.find((end) => end.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
    return counts;
  } catch (error) {
    throw asServerError(error, address);
  } finally {
    clearInterval(beating);
    // Where the server is gone those who list will find that it was not heard from.
    if (awaySinceMs === null) await announced.withdraw().catch(() => {});
    await queue.close();
  }
}
