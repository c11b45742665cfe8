import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Clip } from '../../audio/clip.ts';
import { toInt16 } from '../../audio/encode-wav.ts';
import { resample } from '../../audio/resample.ts';
import type { Clock } from '../../base/clock.ts';
import { printable } from '../../base/printable.ts';
import { type HttpCall, openConnections } from '../../http/connections.ts';
import { type HiddenKey, keyRedactor } from '../../http/hidden-key.ts';
import { beginningOf, jsonOf, maxAnswerBytes, type RefusalHints, refusalOf, refusedAs } from '../../http/refusal.ts';
import { openSocket, type Socket } from '../../http/socket.ts';
import {
  type PartialTranscript,
  type Recognition,
  RecognitionError,
  type Recognizer,
  type RecognizerServices,
} from '../contract.ts';
import { quietPieces } from '../shared/quiet-pieces.ts';
import { recognizeStream } from '../shared/recognize-stream.ts';
import { clipOf, recognitionFailure } from '../shared/requests.ts';
import { exchangeRecorder, keepExchange } from './exchange-recorder.ts';
import type { HostedOptions } from './options.ts';
import { joined, type LiveQuestion, type LiveService, members } from './service.ts';

/** Where a service is asked, and what for. */
export interface LivePlace {
  readonly service: LiveService;
  readonly model: string;
  readonly region: string | null;
  readonly address: URL;
  readonly key: string | null;
  readonly hints: RefusalHints;
  /** @throws RecognitionError `refused` for a language that the service is not known to have */
  languageOf(tag: string): string | null;
}

/**
 * A service that hears over a socket, fed in real time as one speaks: none of them promises the same text, or an answer at all, where sound
 * comes faster. Each recognition has a socket of its own.
 *
 * @param clock paces the sound and times the answers
 */
export function openLive(
  place: LivePlace,
  options: HostedOptions,
  { baseFolder }: RecognizerServices,
  clock: Clock,
): Recognizer {
  const { service, model, region, address, key, hints, languageOf } = place;
  const { sampleRate, wordTimes, chunkSeconds } = options;
  const authorization = key === null ? {} : service.authorize(key);
  const secrets = key === null ? [] : (service.secrets?.(key) ?? [key]);
  const hidden = keyRedactor(secrets);
  const record =
    options.record === undefined
      ? null
      : exchangeRecorder(resolve(baseFolder, options.record), options.service, hidden);
  const connections = openConnections(address, recognitionFailure);
  const base = address.pathname.replace(/\/+$/, '');
  const closing = new AbortController();

  /** The address of the socket, and what takes out of messages whatever opens it. */
  const target = async (
    question: LiveQuestion,
    trial: string | undefined,
    signal: AbortSignal,
  ): Promise<{ url: URL; hidden: HiddenKey }> => {
    if (service.begin !== undefined) return begun(service.begin, question, trial, signal);
    const url = new URL(`${base}${service.path(question)}`, address);
    const signed = key === null ? undefined : service.sign?.(key, url, clock.wallMs());
    if (signed === undefined) return { url, hidden };
    for (const [name, value] of Object.entries(signed.query)) url.searchParams.append(name, value);
    return { url, hidden: keyRedactor([...secrets, signed.secret]) };
  };

  const begun = async (
    { call: ask, read }: NonNullable<LiveService['begin']>,
    question: LiveQuestion,
    trial: string | undefined,
    signal: AbortSignal,
  ) => {
    const { path = '', headers, body } = ask(question);
    const call: HttpCall = {
      method: 'POST',
      path: `${base}${path}`,
      headers: { Accept: 'application/json', ...headers },
      ...(body && { body }),
    };
    const answer = await connections.send(
      { ...call, headers: { ...call.headers, ...authorization } },
      maxAnswerBytes,
      signal,
    );
    const isRefused = answer.status < 200 || answer.status >= 300;
    const url = isRefused ? null : URL.parse(read(jsonOf(answer, hidden, recognitionFailure)) ?? '');
    const all = keyRedactor([...secrets, ...(url === null ? [] : url.searchParams.values())]);
    record?.call(call, answer, trial, all);
    if (isRefused) throw refusalOf(answer, hidden, hints, clock.wallMs(), recognitionFailure);
    if (url === null)
      throw new RecognitionError('garbage', 'the server answered with JSON without the address of a socket');
    if (url.protocol !== 'wss:' && url.host !== address.host) {
      throw new RecognitionError('refused', `the service gave an address that is not wss: ${printable(url.host, 100)}`);
    }
    return { url, hidden: all };
  };

  async function* hear(
    chunks: AsyncIterable<Clip>,
    language: string | null,
    trial: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<PartialTranscript> {
    const question: LiveQuestion = { sampleRate, language, model, wordTimes, region };
    const { url, hidden } = await target(question, trial, signal);
    const path = `${base}${service.path(question)}`;
    // Whoever has a token in the address of the socket needs no key.
    const headers = service.begin === undefined ? authorization : {};
    const socket = await openSocket(
      url,
      {
        ...{ headers, hidden, hints, fail: recognitionFailure },
        statusOfClose: (code) => service.statusOfClose?.[code] ?? null,
        refusal(answer) {
          record?.call({ method: 'GET', path, headers: { Upgrade: 'websocket' } }, answer, trial, hidden);
          if (answer.status < 300) {
            return new RecognitionError('garbage', `the server answered ${answer.status}, and opened no socket`);
          }
          return refusalOf(answer, hidden, hints, clock.wallMs(), recognitionFailure);
        },
      },
      signal,
    );
    const kept = record === null ? null : keepExchange(clock);
    try {
      yield* talk({ service, question, key, hidden, hints, kept }, socket, chunks);
    } finally {
      socket.close();
      if (kept !== null) record!.socket({ path, ...kept.exchange(), closed: socket.closed() }, trial, hidden);
    }
  }

  return {
    streamSampleRate: sampleRate,
    async recognize(request, signal) {
      const clip = resample(clipOf(request), sampleRate);
      // Nothing to hear, and nothing to pay for.
      if (clip.samples.length === 0) return { text: '' };
      const language = languageOf(request.language);
      const until = AbortSignal.any([signal, closing.signal]);
      const parts: { readonly startSeconds: number; readonly part: Recognition }[] = [];
      for (const { startSeconds, samples } of quietPieces(
        clip.samples,
        sampleRate,
        service.maxSeconds ?? Number.POSITIVE_INFINITY,
      )) {
        const feeding = { pace: 'real-time', chunkSeconds } as const;
        const heard = (chunks: AsyncIterable<Clip>, given: AbortSignal) => hear(chunks, language, request.key, given);
        parts.push({
          startSeconds,
          part: await recognizeStream(heard, { samples, sampleRate }, feeding, until, clock),
        });
      }
      return joinedStreams(parts);
    },
    stream: (chunks, signal) =>
      hear(
        chunks,
        options.language === undefined ? null : languageOf(options.language),
        undefined,
        AbortSignal.any([signal, closing.signal]),
      ),
    async close() {
      closing.abort(new Error('the recognizer was closed'));
      connections.close();
    },
  };
}

/** What is needed to talk over an open socket. */
interface Talk extends Pick<LivePlace, 'service' | 'key' | 'hints'> {
  readonly question: LiveQuestion;
  readonly hidden: HiddenKey;
  readonly kept: ReturnType<typeof keepExchange> | null;
}

/** Sends sound as it comes, and gives what comes back. */
async function* talk(
  { service, question, key, hidden, hints, kept }: Talk,
  socket: Socket,
  chunks: AsyncIterable<Clip>,
): AsyncGenerator<PartialTranscript> {
  let isReady = () => {};
  const ready = service.waitsUntilReady
    ? new Promise<void>((resolve) => {
        isReady = resolve;
      })
    : Promise.resolve();
  const sounds = inMessages(chunks, question.sampleRate, service.chunkSeconds);
  const say = (message: object): Promise<void> => {
    const text = JSON.stringify(message);
    kept?.said(text);
    return socket.send(text);
  };
  const sending = async (): Promise<number> => {
    if (service.start !== undefined) await say(service.start(question));
    await ready;
    let count = 0;
    for await (const samples of sounds) {
      const place = { first: count++ === 0, key };
      kept?.sound(samples);
      // Sound that is there at once would else keep everybody else from their turn.
      await setImmediate();
      await socket.send(
        service.sound === undefined ? samples : JSON.stringify(service.sound(samples, question, place)),
      );
    }
    if (count > 0) await say(service.end(count, question));
    return count;
  };
  // Ends the listening where no sound came, or none can be sent any more.
  const silence = new Promise<null>((resolve, reject) => {
    sending().then((count) => count === 0 && resolve(null), reject);
  });
  silence.catch(() => {});
  const follow = service.follow();
  try {
    for (;;) {
      const text = await Promise.race([socket.receive(), silence]);
      if (text === null) return yield { text: '', final: true };
      kept?.heard(text);
      const news = follow(messageIn(text, hidden));
      if (news === null) {
        throw new RecognitionError(
          'garbage',
          `the server sent JSON without a transcript: ${beginningOf(text, hidden)}`,
        );
      }
      if (news === 'ready') isReady();
      if (typeof news === 'string') continue;
      if ('failed' in news) {
        const { status, message } = news.failed;
        const said = `the service answered: ${printable(hidden.inMessage(message), 300)}`;
        throw refusedAs(status, said, hints, recognitionFailure);
      }
      const { details, ...heard } = hidden.inAnswer(news.heard);
      yield { ...heard, final: news.final, ...(news.final && details ? { details } : {}) };
      if (news.final) return;
    }
  } finally {
    // Whoever waits for sound that nobody will hear is told so, and not waited for.
    isReady();
    void sounds.return(undefined).catch(() => {});
  }
}

function messageIn(text: string, hidden: HiddenKey): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RecognitionError('garbage', `the server sent no JSON: ${beginningOf(text, hidden)}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new RecognitionError('garbage', `the server sent JSON that is no object: ${beginningOf(text, hidden)}`);
  }
  return members(value);
}

/**
 * Sound as 16-bit samples, in messages as long as the service takes them: shorter chunks wait for the next, and the last is filled up
 * with silence.
 *
 * @throws RecognitionError `sound` for a chunk at another rate
 */
async function* inMessages(
  chunks: AsyncIterable<Clip>,
  rate: number,
  { min, max }: { readonly min: number; readonly max: number } = { min: 0, max: Number.POSITIVE_INFINITY },
): AsyncGenerator<Uint8Array, void, undefined> {
  const [shortest, longest] = [Math.ceil(min * rate), Math.floor(max * rate)];
  let left = new Float32Array(0);
  for await (const { samples, sampleRate } of chunks) {
    if (sampleRate !== rate) throw new RecognitionError('sound', `expected sound at ${rate} Hz, got ${sampleRate} Hz`);
    const all = new Float32Array(left.length + samples.length);
    all.set(left);
    all.set(samples, left.length);
    let from = 0;
    while (from < all.length && all.length - from >= shortest) {
      const to = Math.min(all.length, from + longest);
      yield bytesOf(all.subarray(from, to));
      from = to;
    }
    left = all.slice(from);
  }
  if (left.length === 0) return;
  const filled = new Float32Array(shortest);
  filled.set(left);
  yield bytesOf(filled);
}

function bytesOf(samples: Float32Array): Uint8Array {
  const bytes = new Uint8Array(2 * samples.length);
  const view = new DataView(bytes.buffer);
  for (let n = 0; n < samples.length; n++) view.setInt16(2 * n, toInt16(samples[n]!), true);
  return bytes;
}

/** What was heard in the pieces of a sound, as of one: the first words were shown when the first piece had any. */
function joinedStreams(parts: readonly { readonly startSeconds: number; readonly part: Recognition }[]): Recognition {
  if (parts.length === 1) return parts[0]!.part;
  const timings = parts.map(({ part }) => part.timing!);
  const instabilities = parts.map(({ part }) => part.details!.streaming as Readonly<Record<string, number>>);
  const streaming: Record<string, number> = {};
  for (const counts of instabilities) {
    for (const [name, count] of Object.entries(counts)) streaming[name] = (streaming[name] ?? 0) + count;
  }
  const first = timings.findIndex(({ firstPartialSeconds }) => firstPartialSeconds !== null);
  const { details, ...whole } = joined(parts);
  return {
    ...whole,
    details: { ...details, streaming },
    timing: {
      firstPartialSeconds: first < 0 ? null : parts[first]!.startSeconds + timings[first]!.firstPartialSeconds!,
      finalLatencySeconds: timings.at(-1)!.finalLatencySeconds,
      waitedSeconds: timings.reduce((sum, { waitedSeconds }) => sum + waitedSeconds, 0),
    },
  };
}
