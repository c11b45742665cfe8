import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../base/json.ts';
import type { HttpCall } from '../../http/connections.ts';
import type { Price, Transcript, Word } from '../../model/observation.ts';
import type { Billing } from '../contract.ts';

/** What a service is asked about one clip. */
export interface ServiceQuestion {
  /** A WAV file of 16 bits and one channel. */
  readonly wav: Uint8Array;
  readonly sampleRate: number;
  /** As the service writes languages; null: it finds out, where it can, or its account says. */
  readonly language: string | null;
  readonly model: string;
  readonly wordTimes: boolean;
  /** The user's own bucket, where the service reads from one. */
  readonly bucket: string | null;
}

/** A call without what all calls have: the key's header. */
export interface ServiceCall extends Pick<HttpCall, 'path' | 'body'>, Partial<Pick<HttpCall, 'method' | 'headers'>> {
  /** In place of the service: a bucket of the user's, or an address that the service gave and signed, which gets no key of ours. */
  readonly to?: { readonly bucket: string } | URL;
  /** Whether all that is to come is a status. */
  readonly answersNothing?: true;
}

/** What a service heard. */
export interface Heard {
  readonly text: string;
  readonly words?: readonly Word[];
  readonly details?: JsonObject;
}

/** Why an answer that came with status 200, or a message, is none: with the HTTP status that says the same. */
export interface ServiceFailure {
  readonly status: number;
  readonly message: string;
}

export interface ServiceFacts {
  /** What people call it. */
  readonly title: string;
  /** Where the vendor describes the calls. */
  readonly documentation: string;
  /** The address in a region. Paths of calls are appended. */
  address(region: string): string;
  /** The first is the default; none: there is one address alone. */
  readonly regions: readonly string[];
  /** The first is the default. Any other name may be given. */
  readonly models: readonly string[];
  /** The environment variable that the vendor's own pages name. */
  readonly keyVariable: string;
  authorize(key: string): Readonly<Record<string, string>>;
  /** In place of `authorize`, of AWS: the name under which each call is signed, with three keys. */
  readonly signedFor?: string;
  /** Where a bucket is, of which audio is read. */
  bucketAddress?(region: string, bucket: string): string;
  /** Price of a minute as public pages told it, and when; 0: free. Null: none was found. */
  readonly price: (Price & { readonly seen: string }) | null;
  /** Whether every model has that price; absent: the first alone. */
  readonly onePrice?: boolean;
  readonly billing?: Billing;
  /** Calls at once that the smallest plan takes. */
  readonly concurrency: number;
  /** Longer sound is cut at its quietest places. */
  readonly maxSeconds?: number;
  /** What it has words for; `account`: the key stands for one language. */
  readonly languages: readonly string[] | 'account';
  /** Languages of a model, or at a rate in Hz, where it has others than `languages`. */
  languagesOf?(model: string, sampleRate: number): readonly string[] | undefined;
  /** Whether it has languages that are not listed; one that `language` names is told as it stands, and the service itself refuses what it lacks. */
  readonly hasOtherLanguages?: true;
  /** Whether its description says that it finds out the language by itself; models, where these alone do. */
  readonly findsLanguage?: true | readonly string[];
  /** Rates in Hz, where not any are taken. */
  sampleRates?(model: string): readonly number[];
  /** Whether tags with a region are sent although they are not among the languages, of which there are too many to list. */
  readonly takesOtherRegions?: boolean;
  /** Statuses besides those of all services with which it refuses what it has not worked on, as its description says. */
  readonly refusesWith?: readonly number[];
}

/** One call, one answer. */
export interface OneCallService extends ServiceFacts {
  ask(question: ServiceQuestion): ServiceCall | Promise<ServiceCall>;
  /** What the answer says is wrong, in spite of its status. */
  refusal?(answer: unknown): ServiceFailure | null;
  /** Null: it makes no sense. */
  read(answer: unknown): Heard | null;
  /** JSON objects that follow each other in place of one. */
  readonly answersInPieces?: boolean;
}

/** A job that is submitted, and asked for until it is done. */
export interface JobService extends ServiceFacts {
  /** Where the sound is sent ahead, for nothing. */
  readonly upload?: {
    call(question: ServiceQuestion, mark: string): ServiceCall | Promise<ServiceCall>;
    read(answer: unknown, question: ServiceQuestion, mark: string): string | null;
  };
  /** @param mark what the job is found by in the list of jobs, or called @param uploaded what `upload` gave */
  submit(question: ServiceQuestion, mark: string, uploaded: string | null): ServiceCall | Promise<ServiceCall>;
  /** The id of a job that was submitted. */
  jobId(answer: unknown): string | null;
  /** Looks for a job whose id never came. Absent: the mark is its id, and one that is submitted again is refused as being there (409). */
  readonly find?: {
    call(mark: string): ServiceCall;
    read(answer: unknown, mark: string, uploaded: string | null): string | null;
  };
  status(id: string): ServiceCall;
  /** `gone`: it is shown, but what was heard is not there any more. */
  state(answer: unknown): 'waiting' | 'done' | 'gone' | { readonly failed: string } | null;
  /** The id of the job that a status or a transcript is about; null: it does not say. */
  jobOf(answer: unknown): string | null;
  /** Absent: the status of a job that is done holds what was heard. */
  result?(id: string, status: unknown): ServiceCall | null;
  read(answer: unknown): Heard | null;
  /** What removes clip and job from where they lie at the user's cost and risk; either may be gone. Absent: the service does so itself. */
  cleanUp?(id: string | null, uploaded: string | null): readonly ServiceCall[];
}

export type HostedService = OneCallService | JobService;

/** What a service is asked about sound that is still to come. */
export interface LiveQuestion extends Pick<ServiceQuestion, 'sampleRate' | 'language' | 'model' | 'wordTimes'> {
  readonly region: string | null;
  /** The socket's own: 32 hexadecimal digits. */
  readonly id: string;
  /** The time of day, in milliseconds since 1970-01-01 UTC. */
  readonly now: () => number;
}

/** What goes out over a socket; an object as JSON. */
export type LiveMessage = string | Uint8Array | object;

/**
 * What a message of a service comes to that hears while one speaks: it is ready for sound; it has heard something, all from the start as it
 * stands now; it failed; null: it makes no sense. `at the close`: final if the service says no more.
 */
export type LiveNews =
  | 'ready'
  | 'nothing'
  | { readonly heard: Heard; readonly final: boolean | 'at the close' }
  | { readonly failed: ServiceFailure }
  | null;

/** A service that hears over a socket while one speaks: 16-bit samples one way, JSON the other. */
export interface LiveService extends ServiceFacts {
  /** Seconds of sound in a message, where not any are taken. */
  readonly chunkSeconds?: { readonly min: number; readonly max: number };
  /** The parts of a key that is several. */
  secrets?(key: string): readonly string[];
  /** Path and query of the socket. */
  path(question: LiveQuestion): string;
  /** Headers of the socket besides the key's. */
  headers?(question: LiveQuestion): Readonly<Record<string, string>>;
  /** A call ahead that gives the address of the socket, in whose query a token stands. */
  readonly begin?: { call(question: LiveQuestion): ServiceCall; read(answer: unknown): string | null };
  /** What the query is completed with, in place of a header with the key. */
  sign?(key: string, url: URL, nowMs: number): Signed;
  /** Said as soon as the socket is open. */
  start?(question: LiveQuestion): readonly LiveMessage[];
  /** Whether it says when it is ready for sound. */
  readonly waitsUntilReady?: boolean;
  /** A message of sound, where it is not the samples alone. */
  sound?(
    samples: Uint8Array,
    question: LiveQuestion,
    place: { readonly first: boolean; readonly key: string | null },
  ): LiveMessage;
  /** Says that the sound has ended. @param messages how many there were of it */
  end(messages: number, question: LiveQuestion): LiveMessage;
  /** Its messages, where they are not JSON as text. */
  readonly writing?: {
    /** What each is, in a sentence. */
    readonly name: string;
    /** Null: it is none. */
    read(message: string | Uint8Array): Readonly<Record<string, unknown>> | null;
  };
  /** Whether all is said once it closes the socket, with no message that says so. */
  readonly endsByClosing?: true;
  /** Follows the messages of one socket. @param isOver whether it was told that the sound has ended */
  follow(isOver: () => boolean): (message: Readonly<Record<string, unknown>>) => LiveNews;
  /** The HTTP status that a code with which it closes stands for, where the code is its own. */
  readonly statusOfClose?: Readonly<Record<number, number>>;
}

/** What makes an address one that opens. */
export interface Signed {
  readonly query: Readonly<Record<string, string>>;
  /** What of it must be shown nowhere, although the key is not in it. */
  readonly secret: string;
}

/** Members of a JSON value; empty where it is no object. */
export function members(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

/** The items of a JSON array; none where it is something else. */
export function items(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(members) : [];
}

/** Codes of languages, written one after the other. */
export function codes(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

export function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** A word as it is kept: without what is no time or no share. Times in seconds. */
export function wordOf(text: unknown, start: unknown, end: unknown, confidence?: unknown): Word[] {
  if (typeof text !== 'string' || text.trim() === '') return [];
  const timed = isNumber(start) && isNumber(end) && end > start;
  return [
    {
      text: text.trim(),
      ...(timed ? { startSeconds: start, endSeconds: end } : {}),
      ...(isNumber(confidence) && confidence <= 1 ? { confidence } : {}),
    },
  ];
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/** @returns undefined for what is no number, so that `wordOf` leaves it out */
export function seconds(value: unknown, perSecond: number): number | undefined {
  return isNumber(value) ? value / perSecond : undefined;
}

/** What is heard, with details that are there. */
export function heard(text: string, words: readonly Word[], details: Readonly<Record<string, unknown>> = {}): Heard {
  const kept = Object.entries(details).filter(
    ([, value]) => typeof value === 'boolean' || isNumber(value) || (typeof value === 'string' && value.length <= 200),
  );
  return {
    text,
    ...(words.length > 0 ? { words } : {}),
    ...(kept.length > 0 ? { details: Object.fromEntries(kept) as JsonObject } : {}),
  };
}

/** A stretch of what was heard over a socket. */
export interface Stretch {
  readonly text: string;
  readonly words: readonly Word[];
}

/** What was heard in stretches, as a whole. */
export function together(stretches: Iterable<Stretch>, details?: Readonly<Record<string, unknown>>): Heard {
  const all = [...stretches].filter(({ text }) => text !== '');
  return heard(
    all.map(({ text }) => text).join(' '),
    all.flatMap(({ words }) => words),
    details,
  );
}

export const partial = (said: Heard): LiveNews => ({ heard: said, final: false });
export const final = (said: Heard): LiveNews => ({ heard: said, final: true });

/** @param status the HTTP status that says the same */
export const failed = (status: number, message: unknown): LiveNews => ({
  failed: { status, message: textIn(message) ?? 'no reason' },
});

/**
 * A form (multipart/form-data, RFC 7578) with the sound as a file. Node's own encoder makes streams and blobs of it, whose memory lies
 * outside of the heap and comes back late: a thousand clips of half a second left 30 to 56 MB.
 *
 * @param fields names and values without line ends in the names
 */
export function formCall(
  path: string,
  file: { readonly name: string; readonly wav: Uint8Array },
  fields: Readonly<Record<string, string>>,
): ServiceCall {
  // 128 random bits, which no sound holds by chance.
  const boundary = `earwitness-${randomUUID()}`;
  const head = (name: string, more = '') =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(head(file.name, '; filename="clip.wav"\r\nContent-Type: audio/wav')),
    file.wav,
    ...Object.entries(fields).map(([name, value]) => Buffer.from(`\r\n${head(name)}${value}`)),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { path, headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` }, body };
}

export function jsonCall(path: string, value: unknown): ServiceCall {
  return { path, headers: { 'Content-Type': 'application/json' }, body: Buffer.from(JSON.stringify(value)) };
}

export function wavCall(path: string, wav: Uint8Array): ServiceCall {
  return { path, headers: { 'Content-Type': 'audio/wav' }, body: wav };
}

/** A query; what is null is left out. */
export function query(fields: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== null);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

/** What was heard in the pieces of a sound, as of one. */
export function joined(parts: readonly { readonly startSeconds: number; readonly part: Transcript }[]): Transcript {
  if (parts.length === 1) return parts[0]!.part;
  const words = parts.flatMap(({ startSeconds, part }) =>
    (part.words ?? []).map((word): Word => {
      const { startSeconds: start, endSeconds: end } = word;
      return start === undefined || end === undefined
        ? word
        : { ...word, startSeconds: start + startSeconds, endSeconds: end + startSeconds };
    }),
  );
  return {
    text: parts
      .map(({ part }) => part.text)
      .filter((text) => text !== '')
      .join(' '),
    ...(words.length > 0 ? { words } : {}),
    details: { ...parts[0]!.part.details, pieces: parts.length },
  };
}
