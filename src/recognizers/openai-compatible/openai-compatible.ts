import type { Clip } from '../../audio/clip.ts';
import { encodeWav } from '../../audio/encode-wav.ts';
import { resample } from '../../audio/resample.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { hashJson } from '../../base/hash.ts';
import { printable } from '../../base/printable.ts';
import { RecognitionError, type RecognizerKind } from '../contract.ts';
import { type HiddenKey, keyRedactor } from '../shared/hidden-key.ts';
import { type HttpAnswer, type HttpMessage, openConnections } from '../shared/http-post.ts';
import { clipOf } from '../shared/request-clip.ts';
import { retryAfterSeconds } from '../shared/retry-after.ts';
import { type OpenaiCompatibleOptions, openaiCompatibleOptions } from './options.ts';
import { maxAnswerBytes, readTranscription } from './read-transcription.ts';

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
    const key = readKey(keyVariable, services.environment);
    const hidden = keyRedactor(key);
    const connections = openConnections(url);
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
        if (answer.status < 200 || answer.status >= 300) throw refusalOf(answer, keyVariable, hidden, Date.now());
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
  const url = URL.parse(baseUrl);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    // Without what came: a text that is no address may be a key in the wrong place.
    throw new EarwitnessError(
      'bad-config',
      'baseUrl: expected an address that begins with https:// or http://, but got something else; as in https://api.openai.com/v1',
    );
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new EarwitnessError(
      'bad-config',
      `baseUrl: expected an address without user, query and fragment, but got one with it for ${printable(url.host, 100)}; a key goes into the environment, and its variable's name into keyVariable`,
    );
  }
  url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '')}${path}`;
  return url;
}

/** The environment variable that holds the key; null where none is sent. A key goes to no server that it was not named for. */
function keyVariableFor(url: URL, named: string | null | undefined): string | null {
  if (named !== undefined) return named;
  return url.hostname === standardHost && url.protocol === 'https:' ? standardVariable : null;
}

/**
 * The key.
 *
 * @throws EarwitnessError `bad-config` where the variable is not set or holds what no header can carry
 */
function readKey(variable: string | null, environment: (name: string) => string | undefined): string | null {
  if (variable === null) return null;
  const key = environment(variable);
  if (key === undefined || key === '') {
    throw new EarwitnessError(
      'bad-config',
      `keyVariable: expected the key in the environment variable ${variable}, but it is not set; set it, or keyVariable to null where the server needs none`,
    );
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new EarwitnessError(
      'bad-config',
      `keyVariable: expected a key of visible ASCII characters in the environment variable ${variable}, but it holds blanks, line ends or others; correct it`,
    );
  }
  return key;
}

const shownCharacters = 300;
/** Nobody waits longer within a run; `run --retry-failed` asks again when it is time. */
const maxWaitSeconds = 3600;
/** Request Timeout, Too Early, Too Many Requests; and all of 500 and above. */
const passingStatuses: readonly number[] = [408, 425, 429];

/**
 * An answer that is no success, as the failure it stands for.
 *
 * @param keyVariable null where no key was sent
 * @param nowMs milliseconds since 1970-01-01 UTC
 */
function refusalOf(answer: HttpAnswer, keyVariable: string | null, hidden: HiddenKey, nowMs: number): RecognitionError {
  const { status } = answer;
  if (status >= 300 && status < 400) {
    const target = redirectTarget(answer.header('location'));
    return new RecognitionError(
      'refused',
      `the server redirects (${status})${target === null ? '' : ` to ${hidden.inMessage(target)}`}, which is not followed: neither sound nor key goes to an address that was not named; put it into baseUrl if it is to be trusted`,
    );
  }
  const said = errorIn(answer.body);
  const words = said.message === '' ? '' : `: ${printable(hidden.inMessage(said.message), shownCharacters)}`;
  // OpenAI's code for an account without money, which waiting does not fill.
  if ((passingStatuses.includes(status) || status >= 500) && said.code !== 'insufficient_quota') {
    const wait = retryAfterSeconds(answer.header('retry-after'), answer.header('date'), nowMs);
    const tooLong = wait !== undefined && wait > maxWaitSeconds;
    const when = tooLong ? `, to be asked again in ${(wait / 3600).toFixed(1)} hours` : '';
    return new RecognitionError('unavailable', `the server answered ${status}${when}${words}`, {
      retryable: !tooLong,
      ...(wait === undefined || tooLong ? {} : { retryAfterSeconds: wait }),
    });
  }
  const hint =
    status === 401 || status === 403
      ? keyVariable === null
        ? '; if it wants a key, name its environment variable in keyVariable'
        : `; check the key in ${keyVariable}`
      : status === 404
        ? '; check baseUrl and model'
        : '';
  return new RecognitionError('refused', `the server answered ${status}${words}${hint}`);
}

/** Without its query, in which such addresses carry what is secret. */
function redirectTarget(location: string | null): string | null {
  const url = location === null ? null : URL.parse(location);
  return url === null ? null : printable(`${url.origin}${url.pathname}`, shownCharacters);
}

/** `{"error": {"message", "code"}}` as OpenAI writes it, `{"error": "…"}` or `{"detail": "…"}` as others do, or a short text. */
function errorIn(body: Buffer): { readonly message: string; readonly code: unknown } {
  const text = body.toString('utf8').trim();
  try {
    const value = JSON.parse(text) as { error?: { message?: unknown; code?: unknown } | string; detail?: unknown };
    const { error, detail } = value;
    if (typeof error === 'object' && error !== null && typeof error.message === 'string') {
      return { message: error.message, code: error.code };
    }
    if (typeof error === 'string') return { message: error, code: null };
    if (typeof detail === 'string') return { message: detail, code: null };
    return { message: text, code: null };
  } catch {
    return { message: text.startsWith('<') ? '' : text, code: null };
  }
}
