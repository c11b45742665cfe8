import { awsTranscribeLive } from './aws-transcribe.ts';
import { azureLive } from './azure-live.ts';
import { ibmFacts, ibmModel } from './ibm-facts.ts';
import { iflytek } from './iflytek.ts';
import { gladiaLanguages, joinedResults, speechmaticsLanguages } from './job-services.ts';
import { deepgramFacts, ibmStretch } from './one-call-services.ts';
import {
  codes,
  failed,
  final,
  heard,
  items,
  jsonCall,
  type LiveService,
  members,
  partial,
  query,
  type Stretch,
  seconds,
  textIn,
  together,
  wordOf,
} from './service.ts';

/**
 * https://developers.deepgram.com/reference/speech-to-text/listen-streaming (AsyncAPI; types of github.com/deepgram/deepgram-js-sdk,
 * src/api/resources/listen/resources/v1), errors: /docs/stt-troubleshooting-websocket-data-and-net-errors, the end: /docs/close-stream
 */
const deepgram: LiveService = {
  ...deepgramFacts,
  documentation: 'https://developers.deepgram.com/reference/speech-to-text/listen-streaming',
  models: ['nova-3', 'nova-2', 'enhanced', 'base'],
  price: { amount: 0.0077, currency: 'USD', seen: '2026-03' },
  // Those that take `multi` (/docs/multilingual-code-switching).
  findsLanguage: ['nova-3', 'nova-2'],
  path: ({ model, language, sampleRate }) =>
    `/v1/listen${query({
      ...{ model, language: language ?? 'multi', encoding: 'linear16', sample_rate: String(sampleRate) },
      ...{ channels: '1', interim_results: 'true' },
    })}`,
  end: () => ({ type: 'CloseStream' }),
  follow() {
    const finals: Stretch[] = [];
    let info: Readonly<Record<string, unknown>> = {};
    return ({ type, is_final, channel, metadata, description, message }) => {
      if (type === 'Metadata') return final(together(finals, { version: info.version, model: info.name }));
      if (type === 'Error') return failed(400, description ?? message);
      if (type !== 'Results') return 'nothing';
      const best = items(members(channel).alternatives)[0];
      const text = textIn(best?.transcript);
      if (text === null) return null;
      info = members(members(metadata).model_info);
      const stretch = {
        text,
        words: items(best?.words).flatMap(({ word, punctuated_word, start, end, confidence }) =>
          wordOf(punctuated_word ?? word, start, end, confidence),
        ),
      };
      if (is_final === true) finals.push(stretch);
      return partial(together(is_final === true ? finals : [...finals, stretch]));
    };
  },
};

/** 1008 says of a key and of an account without money alike that the connection is not authorized. */
const closesOfAssembly: Readonly<Record<number, number>> = { 1008: 401, 3005: 500, 3009: 429 };

/**
 * https://www.assemblyai.com/docs/api-reference/streaming-api/streaming-api (github.com/AssemblyAI/assemblyai-api-spec,
 * fern/.definition/universalStreaming.yml), codes of closing: /docs/streaming/common-session-errors-and-closures
 */
const assemblyai: LiveService = {
  title: 'AssemblyAI',
  documentation: 'https://www.assemblyai.com/docs/api-reference/streaming-api/streaming-api',
  address: (region) => `https://streaming.${region === 'nearest' ? '' : `${region}.`}assemblyai.com`,
  regions: ['nearest', 'us', 'eu'],
  models: ['universal-streaming-multilingual', 'universal-streaming-english', 'u3-rt-pro', 'whisper-rt'],
  keyVariable: 'ASSEMBLYAI_API_KEY',
  authorize: (key) => ({ Authorization: key }),
  price: { amount: 0.15 / 60, currency: 'USD', seen: '2026-03' },
  concurrency: 5,
  languages: codes('en es de fr pt it'),
  languagesOf: (model) => (model === 'universal-streaming-english' ? ['en'] : undefined),
  findsLanguage: ['universal-streaming-multilingual', 'u3-rt-pro', 'whisper-rt'],
  chunkSeconds: { min: 0.05, max: 1 },
  path: ({ model, sampleRate }) =>
    `/v3/ws${query({ sample_rate: String(sampleRate), encoding: 'pcm_s16le', speech_model: model })}`,
  waitsUntilReady: true,
  end: () => ({ type: 'Terminate' }),
  follow() {
    // A turn comes again and again, and after its end perhaps once more, formatted.
    const turns = new Map<unknown, Stretch>();
    return ({ type, turn_order, end_of_turn, transcript, words, error, error_code }) => {
      if (type === 'Begin') return 'ready';
      if (type === 'Termination') return final(together(turns.values()));
      if (type === 'Error' || error !== undefined) return failed(closesOfAssembly[Number(error_code)] ?? 400, error);
      if (type !== 'Turn') return 'nothing';
      if (typeof transcript !== 'string') return null;
      const shown = items(words);
      // Until its end a turn's transcript lacks the words that may still change.
      const text = shown.map((word) => textIn(word.text) ?? '').join(' ');
      turns.set(turn_order, {
        text: end_of_turn === true || text === '' ? transcript : text,
        words: shown.flatMap((word) =>
          wordOf(word.text, seconds(word.start, 1000), seconds(word.end, 1000), word.confidence),
        ),
      });
      return partial(together(turns.values()));
    };
  },
  statusOfClose: closesOfAssembly,
};

/**
 * https://docs.speechmatics.com/api-ref/realtime-transcription-websocket (AsyncAPI: github.com/speechmatics/docs, spec/realtime.yaml)
 */
const speechmatics: LiveService = {
  title: 'Speechmatics',
  documentation: 'https://docs.speechmatics.com/api-ref/realtime-transcription-websocket',
  address: (region) => `https://${region}.rt.speechmatics.com`,
  regions: ['eu', 'us', 'global'],
  models: ['enhanced', 'standard'],
  keyVariable: 'SPEECHMATICS_API_KEY',
  authorize: (key) => ({ Authorization: `Bearer ${key}` }),
  price: null,
  concurrency: 2,
  languages: speechmaticsLanguages,
  hasOtherLanguages: true,
  path: () => '/v2/',
  start: ({ language, model, sampleRate }) => [
    {
      message: 'StartRecognition',
      audio_format: { type: 'raw', encoding: 'pcm_s16le', sample_rate: sampleRate },
      transcription_config: { language, model, enable_partials: true },
    },
  ],
  waitsUntilReady: true,
  end: (messages) => ({ message: 'EndOfStream', last_seq_no: messages }),
  follow() {
    let finals: readonly unknown[] = [];
    let delimiter = ' ';
    let version: unknown;
    return ({ message, results, language_pack_info, orchestrator_version, type, reason }) => {
      switch (message) {
        case 'RecognitionStarted':
          delimiter = textIn(members(language_pack_info).word_delimiter) ?? delimiter;
          version = orchestrator_version;
          return 'ready';
        case 'AddPartialTranscript':
        case 'AddTranscript': {
          if (!Array.isArray(results)) return null;
          const all = [...finals, ...results];
          if (message === 'AddTranscript') finals = all;
          const { text, words } = joinedResults(all, delimiter);
          return partial(heard(text, words));
        }
        case 'EndOfTranscript': {
          const { text, words } = joinedResults(finals, delimiter);
          return final(heard(text, words, { version }));
        }
        case 'Error':
          return failed(statusOfType[String(type)] ?? 400, `${String(type)}: ${textIn(reason) ?? ''}`);
        case 'Warning':
          // What comes after is not heard.
          return type === 'duration_limit_exceeded' ? failed(413, reason) : 'nothing';
        default:
          return 'nothing';
      }
    };
  },
  statusOfClose: { 4001: 401, 4003: 403, 4004: 404, 4005: 429, 4006: 402, 4013: 503 },
};

const statusOfType: Readonly<Record<string, number>> = {
  not_authorised: 401,
  timelimit_exceeded: 402,
  not_allowed: 403,
  invalid_model: 404,
  quota_exceeded: 429,
  unknown_error: 500,
  job_error: 503,
};

/**
 * https://docs.gladia.io/api-reference/v2/live/init (github.com/gladiaio/sdk, packages/sdk-js/src/v2/live): a call gives the address of the
 * socket. Codes of closing from 4400 on are HTTP's, as the kit reads them.
 */
const gladia: LiveService = {
  title: 'Gladia',
  documentation: 'https://docs.gladia.io/api-reference/v2/live/init',
  address: () => 'https://api.gladia.io',
  regions: ['us-west', 'eu-west'],
  models: ['solaria-1'],
  keyVariable: 'GLADIA_API_KEY',
  authorize: (key) => ({ 'x-gladia-key': key }),
  price: { amount: 0.75 / 60, currency: 'USD', seen: '2026-06' },
  concurrency: 1,
  languages: gladiaLanguages,
  findsLanguage: true,
  sampleRates: () => [8000, 16_000, 32_000, 44_100, 48_000],
  path: () => '/v2/live',
  begin: {
    call: ({ sampleRate, model, language, region }) =>
      jsonCall(`/v2/live${query({ region })}`, {
        encoding: 'wav/pcm',
        bit_depth: 16,
        sample_rate: sampleRate,
        channels: 1,
        model,
        ...(language === null ? {} : { language_config: { languages: [language], code_switching: false } }),
        messages_config: {
          receive_partial_transcripts: true,
          receive_final_transcripts: true,
          receive_errors: true,
          receive_lifecycle_events: true,
        },
      }),
    read: (answer) => textIn(members(answer).url),
  },
  end: () => ({ type: 'stop_recording' }),
  follow() {
    const utterances = new Map<unknown, Stretch>();
    let language: unknown;
    return ({ type, acknowledged, error, data }) => {
      if (type === 'end_session') return final(together(utterances.values(), { language }));
      if (acknowledged === false || type === 'error') return failed(400, members(error).message);
      if (type !== 'transcript') return 'nothing';
      const { id, utterance } = members(data);
      const said = members(utterance);
      const text = textIn(said.text);
      if (text === null) return null;
      language = said.language;
      utterances.set(id, {
        text: text.trim(),
        words: items(said.words).flatMap(({ word, start, end, confidence }) => wordOf(word, start, end, confidence)),
      });
      return partial(together(utterances.values()));
    };
  },
  statusOfClose: Object.fromEntries(
    [400, 401, 402, 403, 404, 408, 413, 429, 500, 502, 503, 504].map((status) => [4000 + status, status]),
  ),
};

/**
 * https://cloud.ibm.com/docs/speech-to-text?topic=speech-to-text-websockets (github.com/watson-developer-cloud/node-sdk,
 * lib/recognize-stream.ts): the same state says that it listens, and that all was heard.
 */
const ibm: LiveService = {
  ...ibmFacts,
  documentation: 'https://cloud.ibm.com/docs/speech-to-text?topic=speech-to-text-websockets',
  path: ({ model, language }) => `/v1/recognize${query({ model: ibmModel(model, language) })}`,
  start: ({ sampleRate, wordTimes }) => [
    {
      action: 'start',
      'content-type': `audio/l16;rate=${sampleRate};channels=1;endianness=little-endian`,
      ...{ interim_results: true, timestamps: wordTimes, word_confidence: wordTimes },
      // Half a minute without speech ends it else.
      inactivity_timeout: -1,
    },
  ],
  waitsUntilReady: true,
  end: () => ({ action: 'stop' }),
  follow(isOver) {
    const results = new Map<number, Stretch>();
    return ({ state, error, results: told, result_index: first = 0 }) => {
      // Of what went wrong it gives no number.
      if (error !== undefined) return failed(/tim(ed|e) ?out/i.test(String(error)) ? 504 : 400, error);
      if (state === 'listening') return isOver() ? final(together(results.values())) : 'ready';
      if (told === undefined) return 'nothing';
      if (!Array.isArray(told) || typeof first !== 'number') return null;
      for (const [index, { alternatives }] of items(told).entries()) {
        const stretch = ibmStretch(items(alternatives)[0]);
        if (stretch === null) return null;
        results.set(first + index, stretch);
      }
      return partial(together(results.values()));
    };
  },
};

export const liveServices = {
  ...{ deepgram, assemblyai, speechmatics, gladia, azure: azureLive, ibm },
  'aws-transcribe': awsTranscribeLive,
  iflytek,
} satisfies Record<string, LiveService>;
