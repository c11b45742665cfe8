import { z } from 'zod';
import type { Clip } from '../../audio/clip.ts';
import { encodeWav } from '../../audio/encode-wav.ts';
import { resample } from '../../audio/resample.ts';
import { foreignLimits } from '../../base/foreign-data.ts';
import { hashJson } from '../../base/hash.ts';
import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { between, flag, matching, nonEmpty, oneOf, whole } from '../../base/option-kinds.ts';
import { type HttpAnswer, type HttpMessage, openConnections } from '../../http/connections.ts';
import { type HiddenKey, keyRedactor } from '../../http/hidden-key.ts';
import { readKey, serviceAddress } from '../../http/read-key.ts';
import { beginningOf, jsonOf, type RefusalHints, refusalOf, textOf } from '../../http/refusal.ts';
import type { Transcript, Word } from '../../model/observation.ts';
import { RecognitionError, type RecognizerKind } from '../contract.ts';
import { clipOf, recognitionFailure } from '../shared/requests.ts';

export const openaiCompatibleOptions = z.strictObject({
  model: nonEmpty(300).describe('Name of the model, as the server knows it: whisper-1, whisper-large-v3, …'),
  baseUrl: nonEmpty(2000)
    .default('https://api.openai.com/v1')
    .describe('Address that the path is appended to: https://api.groq.com/openai/v1, http://localhost:8000/v1, …'),
  path: matching(/^\/[\w./-]{1,200}$/, 'expected a path that begins with "/"')
    .default('/audio/transcriptions')
    .describe("Appended to the address. whisper.cpp's server has /inference unless it was started with another."),
  keyVariable: matching(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable')
    .nullable()
    .optional()
    .describe(
      'Environment variable that holds the key; null for none. Default: OPENAI_API_KEY for api.openai.com, none for any other server, which must not get the key of that one unasked.',
    ),
  responseFormat: oneOf(['verbose_json', 'json', 'text'])
    .default('verbose_json')
    .describe('What the server is asked for. Some models know json alone; only verbose_json has times.'),
  wordTimes: flag(true).describe('With verbose_json: whether times of words are asked for.'),
  language: matching(/^(none|[a-z]{2,3})$/, 'expected an ISO 639 code like "en", or "none"')
    .optional()
    .describe('ISO 639 code that the server is told; none: it finds out. Default: the language of each utterance.'),
  prompt: z.string().max(10_000).optional().describe('Text that steers spelling and style of the transcript.'),
  temperature: between(0, 2).optional().describe("Of the sampling. Default: the server's own."),
  sampleRate: whole(8000, 48_000)
    .default(16_000)
    .describe('Rate in Hz of the 16-bit WAV files that are sent; clips are resampled.'),
  usesProcessor: flag(false).describe(
    "Whether the server works on this machine's processor: then it shares its cores with other recognizers.",
  ),
  version: nonEmpty(300)
    .optional()
    .describe('Version of server and model. Given, answers are kept from run to run; else every run asks anew.'),
});

export type OpenaiCompatibleOptions = z.infer<typeof openaiCompatibleOptions>;

type Members = Readonly<Record<string, unknown>>;

/**
 * A successful answer as a transcript: `text`, or JSON with `text` and, where it was asked for, words with their times
 * (OpenAI API reference, "Create transcription"; other servers have words in their segments).
 *
 * @throws RecognitionError `garbage`
 */
export function readTranscription(
  answer: HttpAnswer,
  { responseFormat }: Pick<OpenaiCompatibleOptions, 'responseFormat'>,
  hidden: HiddenKey,
): Transcript {
  const body = textOf(answer, recognitionFailure);
  if (responseFormat === 'text') return hidden.inAnswer({ text: body.trim() });

  const value = jsonOf(answer, hidden, recognitionFailure);
  const members = isJsonObject(value) ? value : {};
  if (typeof members.text !== 'string') {
    throw new RecognitionError('garbage', `the server answered with JSON without a text: ${beginningOf(body, hidden)}`);
  }
  const words = wordsIn(members);
  const details = detailsIn(members);
  return hidden.inAnswer({
    text: members.text,
    ...(words.length > 0 ? { words } : {}),
    ...(Object.keys(details).length > 0 ? { details } : {}),
  });
}

function wordsIn({ words, segments }: Members): Word[] {
  if (Array.isArray(words) && words.length > 0) return words.flatMap(wordOf);
  if (!Array.isArray(segments)) return [];
  return segments.flatMap((segment) =>
    isJsonObject(segment) && Array.isArray(segment.words) ? segment.words.flatMap(wordOf) : [],
  );
}

function wordOf(item: unknown): Word[] {
  if (!isJsonObject(item)) return [];
  const text = item.word ?? item.text;
  if (typeof text !== 'string' || text.trim() === '') return [];
  const { start, end } = item;
  const timed = isTime(start) && isTime(end) && end >= start;
  const confidence = item.probability ?? item.confidence ?? item.score;
  return [
    {
      text: text.trim(),
      ...(timed ? { startSeconds: start, endSeconds: end } : {}),
      ...(isTime(confidence) && confidence <= 1 ? { confidence } : {}),
    },
  ];
}

/** What the server says of the whole sound: the language it heard, its length, what it counts for the bill. */
function detailsIn({ language, duration, usage }: Members): JsonObject {
  const counts = isJsonObject(usage)
    ? Object.fromEntries(Object.entries(usage).filter(([, value]) => isTime(value) || isShort(value)))
    : {};
  return {
    ...(isShort(language) ? { language } : {}),
    ...(isTime(duration) ? { durationSeconds: duration } : {}),
    ...(Object.keys(counts).length > 0 ? { usage: counts as JsonObject } : {}),
  };
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 100;
}

/** Calls at once where the config does not say. */
const concurrency = 4;

/**
 * Any server that takes `POST /audio/transcriptions` as OpenAI's does (OpenAI API reference, "Create transcription"):
 * OpenAI, Groq, vLLM, speaches, LocalAI, whisper.cpp's server (`path: /inference`).
 *
 * What can pass is worth asking again: no connection, one that closes before or in the middle of the answer, and the
 * statuses 408, 425, 429 and from 500. What the server understood and refused is not, nor is a whole answer that makes
 * no sense.
 */
export const openaiCompatible: RecognizerKind<OpenaiCompatibleOptions> = {
  name: 'openai-compatible',
  about: 'Any server with the transcription API of OpenAI: OpenAI, Groq, vLLM, speaches, LocalAI, …',
  options: openaiCompatibleOptions,
  isolation: 'none',

  async describe(options) {
    const { model, responseFormat, wordTimes, language, prompt, temperature, sampleRate, version } = options;
    const { origin, pathname } = transcriptionsUrl(options.baseUrl, options.path);
    return {
      identity: {
        engine: 'openai-compatible',
        method: 1,
        endpoint: `${origin}${pathname}`,
        model,
        settings: {
          responseFormat,
          wordTimes: responseFormat === 'verbose_json' && wordTimes,
          sampleRate,
          ...(language === undefined ? {} : { language }),
          ...(temperature === undefined ? {} : { temperature }),
          // A prompt may hold names of people.
          ...(prompt === undefined ? {} : { prompt: hashJson(prompt) }),
        },
        ...(version === undefined ? {} : { version }),
      },
      input: 'sound',
      pinned: version !== undefined,
      concurrency,
      usesProcessor: options.usesProcessor,
      hosted: isHosted(options),
      facts: { model, wordTimes: responseFormat === 'verbose_json' && wordTimes },
    };
  },

  async open(options, services) {
    const url = transcriptionsUrl(options.baseUrl, options.path);
    const keyVariable = keyVariableFor(url, options.keyVariable);
    const key = readKey('keyVariable', keyVariable, services.environment);
    const hidden = keyRedactor(key);
    const connections = openConnections(url, recognitionFailure, hintsOf(keyVariable).unreachable);
    return {
      async recognize(request, signal) {
        const form = await formOf(clipOf(request), request.language, options);
        const headers = {
          ...form.headers,
          Accept: options.responseFormat === 'text' ? 'text/plain' : 'application/json',
        };
        const answer = await connections.post(
          { body: form.body, headers: key === null ? headers : { ...headers, Authorization: `Bearer ${key}` } },
          foreignLimits.answerBytes,
          signal,
        );
        if (answer.status < 200 || answer.status >= 300) {
          throw refusalOf(answer, hidden, hintsOf(keyVariable), Date.now(), recognitionFailure);
        }
        return readTranscription(answer, options, hidden);
      },
      async close() {
        connections.close();
      },
    };
  },

  async readiness(services) {
    const hasKey = Boolean(services.environment('OPENAI_API_KEY'));
    return {
      ready: true,
      found: `built in; the server is asked when it is used; OPENAI_API_KEY is ${hasKey ? '' : 'not '}set`,
    };
  },
};

/** A server on this machine that wants no key bills nobody. */
function isHosted({ baseUrl, keyVariable, usesProcessor }: OpenaiCompatibleOptions): boolean {
  const { hostname } = transcriptionsUrl(baseUrl);
  const isHere = hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
  return !usesProcessor && (!isHere || keyVariable !== undefined);
}

/** Subtags that say that the language is not known: undetermined, several, none, not coded (ISO 639-2). */
const unknownLanguages: readonly string[] = ['und', 'mul', 'zxx', 'mis'];

/** The question as a form with a file (multipart/form-data, RFC 7578). */
async function formOf(clip: Clip, languageTag: string, options: OpenaiCompatibleOptions): Promise<HttpMessage> {
  const wav = encodeWav(resample(clip, options.sampleRate), { format: 's16' });
  const form = new FormData();
  form.set('file', new Blob([wav as Uint8Array<ArrayBuffer>], { type: 'audio/wav' }), 'clip.wav');
  form.set('model', options.model);
  form.set('response_format', options.responseFormat);
  if (options.responseFormat === 'verbose_json' && options.wordTimes) form.set('timestamp_granularities[]', 'word');
  const language = languageOf(languageTag, options.language);
  if (language !== null) form.set('language', language);
  if (options.prompt !== undefined) form.set('prompt', options.prompt);
  if (options.temperature !== undefined) form.set('temperature', String(options.temperature));
  // Node's own encoder of forms stands behind its Response.
  const encoded = new Response(form);
  return {
    headers: { 'Content-Type': encoded.headers.get('content-type')! },
    body: new Uint8Array(await encoded.arrayBuffer()),
  };
}

/** ISO 639 code: the first part of a BCP 47 tag. */
function languageOf(tag: string, chosen: string | undefined): string | null {
  if (chosen !== undefined) return chosen === 'none' ? null : chosen;
  const primary = tag.split('-', 1)[0]!.toLowerCase();
  return /^[a-z]{2,3}$/.test(primary) && !unknownLanguages.includes(primary) ? primary : null;
}

const standardVariable = 'OPENAI_API_KEY';
const standardHost = 'api.openai.com';

/**
 * Where clips are posted to.
 *
 * @throws EarwitnessError `bad-config` for anything but an http(s) address without user, query and fragment: keys could
 * stand there, and it becomes part of the identity
 * @example transcriptionsUrl('http://localhost:8000/v1/').href // 'http://localhost:8000/v1/audio/transcriptions'
 */
function transcriptionsUrl(baseUrl: string, path = '/audio/transcriptions'): URL {
  const url = serviceAddress(baseUrl, 'baseUrl', 'keyVariable');
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}${path}`;
  return url;
}

/** The environment variable that holds the key; null where none is sent. A key goes to no server that it was not named for. */
function keyVariableFor(url: URL, named: string | null | undefined): string | null {
  if (named !== undefined) return named;
  return url.hostname === standardHost && url.protocol === 'https:' ? standardVariable : null;
}

function hintsOf(keyVariable: string | null): RefusalHints {
  return {
    address: 'baseUrl',
    unreachable: 'check baseUrl, and that the server runs',
    key:
      keyVariable === null
        ? 'if it wants a key, name its environment variable in keyVariable'
        : `check the key in ${keyVariable}`,
    missing: 'check baseUrl and model',
  };
}
