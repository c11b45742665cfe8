import { randomInt, randomUUID } from 'node:crypto';
import type { Clip } from '../audio/clip.ts';
import type { JsonObject } from '../base/json.ts';
import type { Executor, Outcome } from '../engine/executors/contract.ts';
import { answered, failed } from '../engine/executors/outcome.ts';
import { recognizerFailureKinds } from '../model/observation.ts';
import { asServerError } from '../store/postgres/connection.ts';
import { clipHash, createPlaces, keepClips, removeClips, removeLeftClips } from './clips/kept-clips.ts';
import {
  callFormat,
  channelOf,
  deadOf,
  openQueue,
  ownerSpace,
  type Queue,
  type QueuedCall,
  queued,
  queueOf,
} from './open-queue.ts';

/** How a recognizer is asked by others. */
export interface QueuedRecognizer {
  readonly identity: JsonObject;
  /** Whether a call may have been paid: then nobody makes it again but the run, which journals it. */
  readonly mayCost: boolean;
}

/** Answers are told of at once; so often it is looked for those whose word was lost. */
const lookEveryMs = 1000;
const lostSentence = 'the worker that had the call was not heard from any more';

interface Outgoing {
  readonly queue: string;
  readonly data: Omit<QueuedCall, 'owner'>;
  readonly clip: Clip | null;
}

/** A clip that calls wait for. */
interface HeldClip {
  calls: number;
  sent: boolean;
}

interface Waiting {
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/**
 * Makes calls on whichever machines have workers: each waits in the queue of its recognizer until one takes it.
 *
 * @param address of the store
 * @param place where their audio goes: `clips` of a config; null for the server itself
 */
export function queueExecutor(
  address: string,
  recognizers: ReadonlyMap<string, QueuedRecognizer>,
  place: string | null,
): Executor {
  const waiting = new Map<string, Waiting>();
  const clips = new Map<string, HeldClip>();
  const places = createPlaces();
  let unused: string[] = [];
  let opening: Promise<Opened> | null = null;
  let closed = false;
  let outbox: Outgoing[] = [];
  let sending = false;

  const fail = (error: unknown) => {
    const told = asServerError(error, address);
    for (const one of waiting.values()) one.reject(told);
    waiting.clear();
    outbox = [];
  };

  /** Those that nobody waits for any more. One that is asked about again is sent again. */
  const takeUnused = (): string[] => {
    const gone = unused.filter((hash) => clips.get(hash)?.calls === 0);
    unused = [];
    for (const hash of gone) clips.delete(hash);
    return gone;
  };

  const takeUnsent = (sent: readonly Outgoing[]): ReadonlyMap<string, Clip> => {
    const unsent = new Map<string, Clip>();
    for (const { clip, data } of sent) {
      const held = data.clip === null ? undefined : clips.get(data.clip);
      if (clip === null || held === undefined || held.sent) continue;
      held.sent = true;
      unsent.set(data.clip!, clip);
    }
    return unsent;
  };

  const send = async (): Promise<void> => {
    sending = true;
    try {
      opening ??= open(address, recognizers, places, collect, fail);
      const { queue, owner } = await opening;
      while (outbox.length > 0) {
        const sent = outbox;
        outbox = [];
        const gone = takeUnused();
        if (gone.length > 0) await removeClips(queue.pool, places, owner, gone);
        await queue.transaction(async (client, db) => {
          await keepClips({ owner, place, places }, queue.pool, client, takeUnsent(sent));
          for (const [name, ofQueue] of Map.groupBy(sent, ({ queue: of }) => of)) {
            await queue.boss.insert(
              name,
              ofQueue.map(({ data }) => ({ ...queued({ ...data, owner }), id: data.call })),
              { db },
            );
          }
        });
      }
    } catch (error) {
      fail(error);
    } finally {
      sending = false;
    }
  };

  const collect = (id: string, outcome: Outcome) => {
    waiting.get(id)?.resolve(checked(outcome));
    waiting.delete(id);
  };

  return {
    run(job, clip, signal) {
      signal.throwIfAborted();
      const { identity, mayCost } = recognizers.get(job.recognizer)!;
      const queue = queueOf(identity);
      const id = randomUUID();
      const hash = clip === null ? null : clipHash(clip);
      const held = hash === null ? null : (clips.get(hash) ?? { calls: 0, sent: false });
      if (hash !== null && held !== null) {
        held.calls++;
        clips.set(hash, held);
      }
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
      waiting.set(id, { resolve, reject });
      outbox.push({ queue, data: { format: callFormat, call: id, job, clip: hash, mayCost }, clip });
      // Calls of one turn go out together.
      if (!sending) setImmediate(() => sending || void send());
      const giveUp = () => {
        reject(signal.reason);
        waiting.delete(id);
        opening?.then((opened) => opened.queue.boss.cancel(queue, id)).catch(() => {});
      };
      signal.addEventListener('abort', giveUp, { once: true });
      return promise.finally(() => {
        signal.removeEventListener('abort', giveUp);
        if (hash !== null && held !== null && --held.calls === 0) unused.push(hash);
      });
    },
    async close() {
      if (closed) return;
      closed = true;
      const opened = await opening?.catch(() => null);
      await opened?.close();
    },
  };
}

interface Opened {
  readonly queue: Queue;
  readonly owner: number;
  close(): Promise<void>;
}

async function open(
  address: string,
  recognizers: ReadonlyMap<string, QueuedRecognizer>,
  places: ReturnType<typeof createPlaces>,
  collect: (id: string, outcome: Outcome) => void,
  fail: (error: unknown) => void,
): Promise<Opened> {
  const queue = await openQueue(address);
  const owner = randomInt(1, 2 ** 31 - 1);
  const dead = deadOf(owner);
  for (const name of new Set([...recognizers.values()].map(({ identity }) => queueOf(identity))))
    await queue.boss.createQueue(name);
  await queue.boss.createQueue(dead);
  // Workers make no calls for whom nobody waits any more: the server lets go of this lock when the connection ends.
  const listener = await queue.pool.connect();
  await listener.query('SELECT pg_advisory_lock($1, $2)', [ownerSpace, owner]);
  // What cannot be reached now is removed by a later run, or where somebody is forgotten.
  await removeLeftClips(queue.pool, await queue.ownersAlive()).catch(() => {});
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
          'DELETE FROM earwitness_calls.outcomes WHERE owner = $1 RETURNING call, outcome',
          [owner],
        );
        for (const { call, outcome } of rows) collect(call, JSON.parse(outcome) as Outcome);
      } while (again);
    } finally {
      collecting = false;
    }
  };
  const takeDead = async () => {
    const jobs = await queue.boss.fetch<QueuedCall>(dead, { batchSize: 100 });
    for (const { data } of jobs) collect(data.call, failed('crash', lostSentence, 0, { retryable: true }));
    if (jobs.length > 0)
      await queue.boss.complete(
        dead,
        jobs.map(({ id }) => id),
      );
  };
  listener.on('notification', () => void take().catch(fail));
  listener.on('error', fail);
  await listener.query(`LISTEN ${channelOf(owner)}`);
  const looking = setInterval(() => void take().then(takeDead).catch(fail), lookEveryMs);
  return {
    queue,
    owner,
    async close() {
      clearInterval(looking);
      listener.removeAllListeners('error');
      listener.on('error', () => {});
      listener.release(true);
      await removeClips(queue.pool, places, owner, null).catch(() => {});
      await queue.boss.deleteQueue(dead).catch(() => {});
      await queue.close();
    },
  };
}

/** A worker is another machine: what it says is looked at as what any engine says. */
function checked(outcome: Outcome): Outcome {
  const seconds = Number.isFinite(outcome.seconds) && outcome.seconds >= 0 ? outcome.seconds : 0;
  if (outcome.failure === undefined) {
    const { transcript, stream, processorSeconds = null } = outcome;
    return answered({ ...transcript, timing: { processorSeconds, stream } }, seconds);
  }
  const { kind, message } = outcome.failure;
  const known = recognizerFailureKinds.find((one) => one === kind);
  return failed(known ?? 'error', String(message), seconds, outcome);
}
