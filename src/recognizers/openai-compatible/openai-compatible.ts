import { hashJson } from '../../base/hash.ts';
import type { RecognizerKind } from '../contract.ts';
import { hiddenKey } from '../shared/hidden-key.ts';
import { openConnections } from '../shared/http-post.ts';
import { clipOf } from '../shared/request-clip.ts';
import { keyVariableFor, readKey, transcriptionsUrl } from './endpoint.ts';
import { formOf } from './form.ts';
import { type OpenaiCompatibleOptions, openaiCompatibleOptions } from './options.ts';
import { maxAnswerBytes, readTranscription } from './read-transcription.ts';
import { refusalOf } from './refusal.ts';

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
    const hidden = hiddenKey(key);
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
