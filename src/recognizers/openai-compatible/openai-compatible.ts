import type { Clip } from '../../audio/clip.ts';
import { encodeWav } from '../../audio/encode-wav.ts';
import { resample } from '../../audio/resample.ts';
import { hashJson } from '../../base/hash.ts';
import { type HttpMessage, openConnections } from '../../http/connections.ts';
import { keyRedactor } from '../../http/hidden-key.ts';
import { maxAnswerBytes } from '../../http/read-json.ts';
import { readKey, serviceAddress } from '../../http/read-key.ts';
import { type RefusalHints, refusalOf } from '../../http/refusal.ts';
import type { RecognizerKind } from '../contract.ts';
import { recognitionFailure } from '../shared/recognition-failure.ts';
import { clipOf } from '../shared/request-clip.ts';
import { type OpenaiCompatibleOptions, openaiCompatibleOptions } from './options.ts';
import { readTranscription } from './read-transcription.ts';

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
    const connections = openConnections(url, recognitionFailure);
    return {
      async recognize(request, signal) {
        const form = await formOf(clipOf(request), request.language, options);
        const headers = {
          ...form.headers,
          Accept: options.responseFormat === 'text' ? 'text/plain' : 'application/json',
        };
        const answer = await connections.post(
          { body: form.body, headers: key === null ? headers : { ...headers, Authorization: `Bearer ${key}` } },
          maxAnswerBytes,
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
    key:
      keyVariable === null
        ? 'if it wants a key, name its environment variable in keyVariable'
        : `check the key in ${keyVariable}`,
    missing: 'check baseUrl and model',
  };
}
