import { randomUUID } from 'node:crypto';
import type { Clip } from '../audio/clip.ts';
import { printable } from '../base/printable.ts';
import { type CallMakers, CallRecalled, type Executor, type Outcome } from '../engine/executors/contract.ts';
import { answered, failed } from '../engine/executors/outcome.ts';
import { recognizerFailureKinds } from '../model/observation.ts';
import { asServerError, isCut } from '../store/postgres/connection.ts';
import { type AwaitedAnswers, awaitAnswers, lostCall, recallLeft } from './await-answers.ts';
import { createHeldClips } from './clips/held-clips.ts';
import { clipHash, createPlaces, keepClips, removeClips } from './clips/kept-clips.ts';
import {
  callFormat,
  type Queue,
  type QueuedCall,
  type QueuedOutcome,
  type QueuedRecognizer,
  queued,
  queueOf,
} from './open-queue.ts';

const recallEveryMs = 500;

interface Outgoing {
  /** Of its job, which is another where it is sent again. */
  readonly id: string;
  readonly queue: string;
  readonly data: Omit<QueuedCall, 'owner'>;
  /** What is sent: what is heard, or what it is made of. */
  readonly clip: Clip | null;
}

const sentHash = ({ clip, recipe }: Outgoing['data']) => recipe?.source ?? clip;

interface Waiting {
  /** Of its recognizer. */
  readonly name: string;
  /** What is heard. */
  readonly clip: Clip | null;
  sent: Outgoing;
  /** Whether it is taken back as long as nobody has begun to make it. */
  isRecalled: boolean;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

interface Told {
  /** That the server does not answer, that it does again, and that nobody makes calls of a recognizer. */
  tell(message: string): void;
  /** Every few seconds. */
  seen(makers: CallMakers): void;
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
  { tell = () => {}, seen = () => {} }: Partial<Told> = {},
): Executor {
  const waiting = new Map<string, Waiting>();
  const clips = createHeldClips();
  const places = createPlaces();
  /** Whether clips are made by workers, of what they need anyway. */
  let areMadeThere = true;
  let opening: Promise<AwaitedAnswers> | null = null;
  let closed = false;
  let outbox: Outgoing[] = [];
  let sending = false;
  /** What is on its way to the server. */
  let flying: Promise<void> = Promise.resolve();
  /** What the server has not said that it has, and under which word it would have it. */
  let unacknowledged: { readonly sent: readonly Outgoing[]; readonly word: string } | null = null;

  const fail = (error: unknown) => {
    const told = asServerError(error, address);
    for (const one of waiting.values()) one.reject(told);
    waiting.clear();
    outbox = [];
  };

  const sendAll = async ({ queue, owner }: AwaitedAnswers, sent: readonly Outgoing[]): Promise<void> => {
    const word = randomUUID();
    unacknowledged = { sent, word };
    const gone = clips.takeUnused();
    if (gone.length > 0) await removeClips(queue.pool, places, owner, gone);
    await queue.transaction(async (client, db) => {
      await client.query(
        'WITH old AS (DELETE FROM earwitness_calls.sendings WHERE owner = $2) INSERT INTO earwitness_calls.sendings (id, owner) VALUES ($1, $2)',
        [word, owner],
      );
      await keepClips(
        { owner, place, places },
        queue.pool,
        client,
        clips.takeUnsent(sent.map(({ clip, data }) => ({ clip, hash: sentHash(data) }))),
      );
      for (const [name, ofQueue] of Map.groupBy(sent, ({ queue: of }) => of)) {
        await queue.boss.insert(
          name,
          ofQueue.map(({ id, data }) => ({ ...queued({ ...data, owner }), id })),
          { db },
        );
      }
    });
    unacknowledged = null;
  };

  const send = async (): Promise<void> => {
    sending = true;
    try {
      opening ??= awaitAnswers(address, recognizers, places, {
        ...{ collect, fail, comeBack, tell, seen },
        waitingFor: () => new Set([...waiting.values()].map(({ name }) => name)),
      });
      const opened = await opening;
      while (outbox.length > 0) {
        // Whether it came there is looked for where the server goes away.
        await whileThere(opened, async () => {
          const sent = outbox;
          outbox = [];
          const flight = sendAll(opened, sent);
          flying = flight.catch(() => {});
          await flight;
        });
      }
    } catch (error) {
      fail(error);
    } finally {
      sending = false;
    }
  };

  /** Looks what became of the calls after a connection broke; sends again what is not there, and gives up what may have been paid. */
  const comeBack = async ({ pool }: Queue, owner: number, take: () => Promise<void>): Promise<void> => {
    await flying;
    if (unacknowledged !== null) {
      const { sent, word } = unacknowledged;
      // Where its word was not there, it never will be: nothing of it was in the queue, and none of it was made.
      const { rowCount } = await pool.query(
        'INSERT INTO earwitness_calls.sendings (id, owner) VALUES ($1, $2) ON CONFLICT DO NOTHING',
        [word, owner],
      );
      if (rowCount === 1) outbox.unshift(...sent.filter((one) => waiting.get(one.data.call)?.sent === one));
      unacknowledged = null;
    }
    const clipsThere = await pool.query<{ hash: string }>('SELECT hash FROM earwitness_calls.clips WHERE owner = $1', [
      owner,
    ]);
    const there = new Set(clipsThere.rows.map(({ hash }) => hash));
    clips.areThere(there);
    const unsent = new Set(outbox.map(({ data }) => data.call));
    const asked = [...waiting].filter(([call]) => !unsent.has(call));
    const { rows } = await pool.query<{ call: string; state: string }>(
      "SELECT data->>'call' AS call, state FROM earwitness_queue.job WHERE (data->>'owner')::bigint = $1 AND name NOT LIKE 'dead-%'",
      [owner],
    );
    // Whatever was done until then has its outcome beside it.
    await take();
    const states = new Map<string, Set<string>>();
    for (const { call, state } of rows) states.set(call, (states.get(call) ?? new Set()).add(state));
    for (const [call, one] of asked) {
      const found = states.get(call) ?? new Set();
      if (waiting.get(call) !== one || ['created', 'retry', 'active', 'failed'].some((state) => found.has(state)))
        continue;
      // One that a worker gave back, as it took the run for gone, was not made.
      const mayBeMade = !found.has('cancelled') || found.size > 1;
      if (one.sent.data.mayCost && mayBeMade) {
        collect(call, lostCall(true));
      } else {
        one.sent = { ...one.sent, id: randomUUID() };
        outbox.push(one.sent);
      }
    }
    if (outbox.length > 0 && !sending) void send();
  };

  const giveBack = (calls: Iterable<string>) => {
    for (const call of calls) {
      waiting.get(call)?.reject(new CallRecalled('the call was taken back before it was made'));
      waiting.delete(call);
    }
  };
  const recalled = () => [...waiting].flatMap(([call, { isRecalled }]) => (isRecalled ? [call] : []));
  let recalling = false;
  /** Takes back what waits for a worker, also what comes to wait again because its worker is gone. */
  const recallAll = async (): Promise<void> => {
    if (recalling) return;
    recalling = true;
    try {
      for (; recalled().length > 0; await new Promise((resolve) => setTimeout(resolve, recallEveryMs))) {
        const unsent = outbox.filter(({ data }) => waiting.get(data.call)?.isRecalled);
        outbox = outbox.filter((one) => !unsent.includes(one));
        giveBack(unsent.map(({ data }) => data.call));
        if (opening === null) continue;
        const opened = await opening;
        await whileThere(opened, async () => giveBack(await takeBack(opened.queue, recalled())));
      }
    } catch (error) {
      fail(error);
    } finally {
      recalling = false;
    }
  };

  const collect = (id: string, outcome: QueuedOutcome) => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (one === undefined) return;
    if ('unmade' in outcome) sendWhole(one, outcome.unmade);
    else one.resolve(checked(outcome));
  };
  const post = (one: Waiting) => {
    waiting.set(one.sent.data.call, one);
    outbox.push(one.sent);
    // Calls of one turn go out together.
    if (!sending) setImmediate(() => sending || void send());
  };
  /** A worker could not make the clip of a call as it is here: the call is sent with it, and what comes later too. */
  const sendWhole = (one: Waiting, why: unknown) => {
    if (areMadeThere)
      tell(
        `a worker does not make the same samples of a recipe (${printable(String(why), 200)}): all audio is sent whole from here on; the same earwitness and Node.js on both machines make the same`,
      );
    areMadeThere = false;
    const { data } = one.sent;
    clips.letGo(sentHash(data));
    clips.hold(data.clip);
    one.sent = { ...one.sent, id: randomUUID(), data: { ...data, call: randomUUID(), recipe: null }, clip: one.clip };
    post(one);
  };

  return {
    run(job, clip, signal, _, recall) {
      signal.throwIfAborted();
      const { identity, mayCost } = recognizers.get(job.recognizer)!;
      const queue = queueOf(identity);
      const id = randomUUID();
      const recipe = clip === null || !areMadeThere ? null : clips.recipeFor(clip);
      const made = recipe && { source: clipHash(recipe.source), steps: recipe.steps };
      const heard = clip === null ? null : clipHash(clip);
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
      const data = { format: callFormat, call: id, job, clip: heard, recipe: made, mayCost };
      const sent = { id, queue, data, clip: recipe?.source ?? clip };
      const one: Waiting = { name: job.recognizer, clip, sent, isRecalled: false, resolve, reject };
      clips.hold(sentHash(data));
      post(one);
      const giveUp = () => {
        reject(signal.reason);
        waiting.delete(one.sent.data.call);
        opening?.then((opened) => opened.queue.boss.cancel(queue, one.sent.id)).catch(() => {});
      };
      signal.addEventListener('abort', giveUp, { once: true });
      const takeBackUnbegun = () => {
        one.isRecalled = true;
        void recallAll();
      };
      if (recall?.aborted) takeBackUnbegun();
      recall?.addEventListener('abort', takeBackUnbegun, { once: true });
      return promise.finally(() => {
        signal.removeEventListener('abort', giveUp);
        recall?.removeEventListener('abort', takeBackUnbegun);
        clips.letGo(sentHash(one.sent.data));
      });
    },
    recallLeft: (attempts) => recallLeft(address, attempts),
    async close() {
      if (closed) return;
      closed = true;
      const opened = await opening?.catch(() => null);
      await opened?.close();
    },
  };
}

/** Does something once the server answers; where it goes away meanwhile it is waited for, and whoever asked sees what is left to do. */
async function whileThere({ lost, mended }: AwaitedAnswers, work: () => Promise<void>): Promise<void> {
  try {
    await mended();
    await work();
  } catch (error) {
    if (!isCut(error)) throw error;
    await lost();
  }
}

/** Cancels those of some calls that no worker has. @returns which these are */
async function takeBack(queue: Queue, calls: readonly string[]): Promise<readonly string[]> {
  return queue.transaction(async (client, db) => {
    // Whoever takes one at this moment has it: what is locked is looked at again.
    const { rows } = await client.query<{ id: string; name: string; call: string }>(
      `SELECT id, name, data->>'call' AS call FROM earwitness_queue.job
       WHERE data->>'call' = ANY($1::text[]) AND state < 'active' AND name NOT LIKE 'dead-%' FOR UPDATE`,
      [calls],
    );
    for (const [name, ofQueue] of Map.groupBy(rows, (row) => row.name))
      await queue.boss.cancel(
        name,
        ofQueue.map(({ id }) => id),
        { db },
      );
    return rows.map(({ call }) => call);
  });
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
  return {
    ...failed(known ?? 'error', String(message), seconds, outcome),
    ...(outcome.lost === true && { lost: true }),
  };
}
