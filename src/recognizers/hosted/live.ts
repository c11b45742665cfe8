import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { Clip } from '../../audio/clip.ts';
import { resample } from '../../audio/resample.ts';
import type { Clock } from '../../base/clock.ts';
import { foreignLimits } from '../../base/foreign-data.ts';
import { printable } from '../../base/printable.ts';
import { awsAddressSigner, awsSecrets, awsStatus, readAwsKeys } from '../../http/aws-signature.ts';
import { type HttpCall, openConnections } from '../../http/connections.ts';
import { type HiddenKey, keyRedactor } from '../../http/hidden-key.ts';
import { readKey } from '../../http/read-key.ts';
import { jsonOf, type RefusalHints, refusalOf } from '../../http/refusal.ts';
import { openSocket } from '../../http/socket.ts';
import {
  type PartialTranscript,
  type Recognition,
  RecognitionError,
  type Recognizer,
  type RecognizerServices,
} from '../contract.ts';
import { quietPieces } from '../shared/quiet-pieces.ts';
import { recognizeStream } from '../shared/recognize-stream.ts';
import { clipOf, recognitionFailure, withUnheard } from '../shared/requests.ts';
import { exchangeRecorder, keepExchange } from './exchange-recorder.ts';
import { talk } from './live-talk.ts';
import type { HostedOptions } from './options.ts';
import { joined, type LiveQuestion, type LiveService, type Signed } from './service.ts';

/** Where a service is asked, and what for. */
export interface LivePlace {
  readonly service: LiveService;
  readonly model: string;
  readonly region: string | null;
  readonly address: URL;
  /** The environment variable that holds the key; null: none is sent. */
  readonly keyVariable: string | null;
  readonly hints: RefusalHints;
  /** @throws RecognitionError `refused` for a language that the service is not known to have */
  languageOf(tag: string): string | null;
  /** Of a stream, of which no utterance says a language. @throws EarwitnessError `bad-config` where the service has to be told one */
  languageOfStream(): string | null;
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
  { baseFolder, environment }: RecognizerServices,
  clock: Clock,
): Recognizer {
  const { service, model, region, address, hints, languageOf, languageOfStream } = place;
  const { sampleRate, wordTimes, chunkSeconds } = options;
  const { key, authorization, secrets, sign } = credentials(place, options, environment);
  const hidden = keyRedactor(secrets);
  const record =
    options.record === undefined
      ? null
      : exchangeRecorder(resolve(baseFolder, options.record), options.service, hidden);
  const connections = openConnections(address, recognitionFailure, hints.unreachable);
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
    if (sign === null) return { url, hidden };
    const signed = await sign(url, clock.wallMs());
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
      foreignLimits.answerBytes,
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
    const id = randomUUID().replaceAll('-', '');
    const question: LiveQuestion = { sampleRate, language, model, wordTimes, region, id, now: clock.wallMs };
    const path = `${base}${service.path(question)}`;
    // Before the socket is open no sound has gone out.
    const { socket, hidden } = await connect(question, path, trial, signal).catch((error: unknown) => {
      throw withUnheard(error, true);
    });
    const kept = record === null ? null : keepExchange(clock);
    try {
      yield* talk({ service, question, key, hidden, hints, kept }, socket, chunks);
    } finally {
      socket.close();
      if (kept !== null) record!.socket({ path, ...kept.exchange(), closed: socket.closed() }, trial, hidden);
    }
  }

  const connect = async (question: LiveQuestion, path: string, trial: string | undefined, signal: AbortSignal) => {
    const { url, hidden } = await target(question, trial, signal);
    // Whoever has a token in the address of the socket needs no key.
    const headers = { ...(service.begin === undefined ? authorization : {}), ...service.headers?.(question) };
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
          const meant =
            service.signedFor === undefined
              ? answer.status
              : awsStatus(answer.status, answer.header('x-amzn-errortype'), answer.body);
          return refusalOf(answer, hidden, hints, clock.wallMs(), recognitionFailure, meant);
        },
      },
      signal,
    );
    return { socket, hidden };
  };

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
          part: await recognizeStream(heard, { samples, sampleRate }, feeding, until, clock).catch((error: unknown) => {
            throw parts.length > 0 ? withUnheard(error, false) : error;
          }),
        });
      }
      return joinedStreams(parts);
    },
    stream: (chunks, signal) => hear(chunks, languageOfStream(), undefined, AbortSignal.any([signal, closing.signal])),
    async close() {
      closing.abort(new Error('the recognizer was closed'));
      connections.close();
    },
  };
}

interface Credentials {
  readonly key: string | null;
  readonly authorization: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly sign: ((url: URL, nowMs: number) => Signed | Promise<Signed>) | null;
}

/** What opens a socket, and what of it must never come out. */
function credentials(
  { service, keyVariable, region }: LivePlace,
  options: HostedOptions,
  environment: RecognizerServices['environment'],
): Credentials {
  const { signedFor } = service;
  if (signedFor !== undefined) {
    const keys = readAwsKeys({ ...options, keyVariable }, environment);
    const queryOf = awsAddressSigner(keys, signedFor, region!);
    const sign = async (url: URL, nowMs: number): Promise<Signed> => {
      const query = await queryOf(url, new Date(nowMs));
      return { query, secret: query['X-Amz-Signature']! };
    };
    return { key: null, authorization: {}, secrets: awsSecrets(keys), sign };
  }
  const key = readKey('keyVariable', keyVariable, environment);
  if (key === null) return { key, authorization: {}, secrets: [], sign: null };
  const sign = service.sign === undefined ? null : (url: URL, nowMs: number) => service.sign!(key, url, nowMs);
  return { key, authorization: service.authorize(key), secrets: service.secrets?.(key) ?? [key], sign };
}

/** What was heard in the pieces of a sound, as of one: the first words were shown when the first piece had any. */
function joinedStreams(parts: readonly { readonly startSeconds: number; readonly part: Recognition }[]): Recognition {
  if (parts.length === 1) return parts[0]!.part;
  const timings = parts.map(({ part }) => part.timing!.stream!);
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
      stream: {
        firstPartialSeconds: first < 0 ? null : parts[first]!.startSeconds + timings[first]!.firstPartialSeconds!,
        finalLatencySeconds: timings.at(-1)!.finalLatencySeconds,
        waitedSeconds: timings.reduce((sum, { waitedSeconds }) => sum + waitedSeconds, 0),
      },
    },
  };
}
