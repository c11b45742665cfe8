import { messageOf } from '../../../base/errors.ts';
import type { Announced, RecordingPlace } from '../../../web/collect/announced.ts';
import { all } from './elements.ts';
import { putJson, putTo, type Reply } from './keeping.ts';

/*
 * What the browser keeps of recordings, and how it sends them: each second of sound is on its disk as it comes, and leaves it when the server
 * has acknowledged the whole clip. One tab sends at a time.
 */

interface OwnTake {
  readonly take: string;
  /** Whose it is, and of what: paths of the server. */
  readonly home: string;
  readonly path: string;
  /** When, in ms since 1970. */
  readonly at: number;
}

/** One that was not kept yet: its samples lie beside it in parts. */
export interface DraftTake extends OwnTake {
  readonly state: 'draft';
  readonly sampleRate: number;
  readonly settings: Announced['settings'];
  readonly place: Partial<RecordingPlace>;
}

/** One that is to be sent. */
export interface QueuedTake extends OwnTake {
  readonly state: 'queued';
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly what: Announced;
}

type Take = DraftTake | QueuedTake | (Omit<QueuedTake, 'state'> & { readonly state: 'refused'; readonly why: string });

/** What the server says of a clip that is sent. */
interface SendReply extends Reply {
  /** It has all bytes, and keeps them. */
  readonly kept?: boolean;
  readonly refused?: boolean;
  /** Bytes that it has. */
  readonly have?: number;
}

/** What became of a clip. */
export interface Sent {
  readonly kept: boolean;
  readonly path: string;
  readonly next?: string;
  readonly problem?: string;
}

export const wait = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, 1000 * seconds));

function done<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

let opening: Promise<IDBDatabase> | null = null;

/** The names of its stores and keys stay: browsers have recordings under them. */
async function transaction(stores: string[], mode: IDBTransactionMode = 'readonly'): Promise<IDBTransaction> {
  opening ??= (() => {
    const request = indexedDB.open('earwitness-recordings', 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('takes', { keyPath: 'take' });
      request.result.createObjectStore('parts', { keyPath: ['take', 'number'] });
    };
    return done(request);
  })();
  return (await opening).transaction(stores, mode, { durability: 'strict' });
}

async function change(stores: string[], write: (transaction: IDBTransaction) => void): Promise<void> {
  const made = await transaction(stores, 'readwrite');
  write(made);
  await new Promise<void>((resolve, reject) => {
    made.oncomplete = () => resolve();
    made.onabort = made.onerror = () => reject(made.error);
  });
}

export async function allTakes(): Promise<readonly Take[]> {
  return done((await transaction(['takes'])).objectStore('takes').getAll());
}

async function takeOf(take: string): Promise<Take | undefined> {
  return done((await transaction(['takes'])).objectStore('takes').get(take));
}

export function putTake(take: Take): Promise<void> {
  return change(['takes'], (made) => made.objectStore('takes').put(take));
}

export function putPart(part: { readonly take: string; readonly number: number; readonly samples: Float32Array }) {
  return change(['parts'], (made) => made.objectStore('parts').put(part));
}

const partsOf = (take: string) => IDBKeyRange.bound([take, 0], [take, Infinity]);

export function dropTake(take: string): Promise<void> {
  return change(['takes', 'parts'], (made) => {
    made.objectStore('takes').delete(take);
    made.objectStore('parts').delete(partsOf(take));
  });
}

export async function samplesOf(take: string): Promise<Float32Array<ArrayBuffer>> {
  const parts: { readonly samples: Float32Array }[] = await done(
    (await transaction(['parts'])).objectStore('parts').getAll(partsOf(take)),
  );
  return joinedSamples(parts.map(({ samples }) => samples));
}

export function joinedSamples(parts: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const samples = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    samples.set(part, at);
    at += part.length;
  }
  return samples;
}

const outboxes = all('[data-outbox]', HTMLElement);
/** Whose pages these are; null: nothing is kept of them. */
export const home = outboxes[0]?.dataset.home ?? all('[data-recorder]', HTMLElement)[0]?.dataset.home ?? null;

export function tell(text: string): void {
  for (const box of outboxes) box.textContent = text;
}

const pieceBytes = 262_144;

/** What stands in the way of all clips that wait: a page that leads on, or a server that cannot take anything now. */
class NotNow extends Error {
  readonly next: string | undefined;

  constructor(message: string, next?: string) {
    super(message);
    this.next = next;
  }
}

/**
 * Sends one clip from where the server has it; what it answers at the end.
 *
 * @throws where it may go better later
 */
export async function send({ path, take, bytes, what }: Omit<QueuedTake, 'state' | 'home' | 'at'>): Promise<Sent> {
  const to = `${path}/takes/${take}`;
  const taken = (reply: SendReply) => {
    if (reply.status >= 500) throw new NotNow(reply.problem ?? 'the server has a problem');
    return reply;
  };
  for (let tries = 0; tries < 20; tries++) {
    let told = taken(await putJson<SendReply>(to, what));
    while (told.ok && !told.kept) {
      const from = told.have ?? 0;
      const piece = bytes.slice(from, from + pieceBytes);
      told = taken(await putTo<SendReply>(`${to}?from=${from}`, 'application/octet-stream', piece));
      if (told.ok && !told.kept && (told.have ?? 0) <= from) break;
    }
    if (told.kept || told.refused) return { ...told, kept: told.kept === true, path };
    // Anything else may heal: consent to a text that was changed, an invitation that was given anew.
    if (!told.ok && (told.status !== 409 || told.next)) throw new NotNow(told.problem ?? 'it was not taken', told.next);
  }
  throw new NotNow('it did not arrive whole');
}

let sending: Promise<ReadonlyMap<string, Sent>> | null = null;

/** Sends what waits in this browser, oldest first, in one tab at a time. */
export function sendAll(): Promise<ReadonlyMap<string, Sent>> {
  sending ??= navigator.locks.request('earwitness outbox', sendWaiting).finally(() => {
    sending = null;
  });
  return sending;
}

async function sendWaiting(): Promise<ReadonlyMap<string, Sent>> {
  const answers = new Map<string, Sent>();
  for (let pause = 1; ; pause = Math.min(10, 2 * pause)) {
    const waiting = (await allTakes())
      .flatMap((one) => (one.state === 'queued' && one.home === home ? [one] : []))
      .sort((a, b) => a.at - b.at);
    if (waiting.length === 0) {
      tell('');
      return answers;
    }
    const isOne = waiting.length === 1;
    const those = isOne ? 'One recording' : `${waiting.length} recordings`;
    tell(`${those} ${isOne ? 'is' : 'are'} being sent …`);
    try {
      for (const one of waiting) {
        const told = await send(one);
        answers.set(one.take, told);
        if (told.kept) await dropTake(one.take);
        else await putTake({ ...one, state: 'refused', why: told.problem ?? '' });
      }
      pause = 1;
    } catch (error) {
      if (error instanceof NotNow && error.next) location.assign(error.next);
      // Of `fetch`, which says no more.
      const why = error instanceof TypeError ? 'there is no connection.' : messageOf(error);
      tell(`${those} ${isOne ? 'waits' : 'wait'} in this browser and will be sent: ${why}`);
      const online = new Promise((resolve) => addEventListener('online', resolve, { once: true }));
      await Promise.race([wait(pause), online]);
    }
  }
}

/** What became of one clip, whichever tab sent it. */
export async function sentBy(take: string): Promise<Pick<Sent, 'kept' | 'next' | 'problem'>> {
  for (;;) {
    const answer = (await sendAll()).get(take);
    if (answer) return answer;
    const left = await takeOf(take);
    if (left === undefined) return { kept: true };
    if (left.state === 'refused') return { kept: false, problem: left.why };
  }
}
