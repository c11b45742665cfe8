import { azureFacts } from './azure-live.ts';
import { ibmFacts, ibmModel } from './ibm-facts.ts';
import {
  codes,
  formCall,
  type HostedService,
  heard,
  items,
  jsonCall,
  members,
  type OneCallService,
  query,
  type Stretch,
  seconds,
  textIn,
  together,
  wavCall,
  wordOf,
} from './service.ts';
import { witAi } from './wit-ai.ts';

/** What its two ways of recognizing have alike. */
export const deepgramFacts = {
  title: 'Deepgram',
  address: (region: string) => (region === 'eu' ? 'https://api.eu.deepgram.com' : 'https://api.deepgram.com'),
  regions: ['us', 'eu'],
  keyVariable: 'DEEPGRAM_API_KEY',
  authorize: (key: string) => ({ Authorization: `Token ${key}` }),
  concurrency: 20,
  languages: codes(`
    en en-US en-AU en-GB en-IN en-NZ bg ca cs da da-DK de de-CH el es es-419 et fi fr fr-CA hi hu id it ja ko
    ko-KR lt lv ms nl nl-BE no pl pt pt-BR pt-PT ro ru sk sv sv-SE th th-TH tr uk vi zh zh-CN zh-TW
  `),
  hasOtherLanguages: true,
} as const;

/** https://developers.deepgram.com/reference/speech-to-text/listen-pre-recorded, models and languages: /docs/models-languages-overview */
const deepgram: OneCallService = {
  ...deepgramFacts,
  documentation: 'https://developers.deepgram.com/reference/speech-to-text/listen-pre-recorded',
  models: ['nova-3', 'nova-2', 'enhanced', 'base', 'whisper-large'],
  price: { amount: 0.0043, currency: 'USD', seen: '2026' },
  findsLanguage: true,
  ask: ({ wav, model, language }) =>
    wavCall(`/v1/listen${query({ model, language, ...(language === null ? { detect_language: 'true' } : {}) })}`, wav),
  read(answer) {
    const { metadata, results } = members(answer);
    const channel = items(members(results).channels)[0];
    const best = items(channel?.alternatives)[0];
    const text = textIn(best?.transcript);
    if (text === null) return null;
    const [info] = Object.values(members(members(metadata).model_info)).map(members);
    return heard(
      text,
      items(best?.words).flatMap(({ word, punctuated_word, start, end, confidence }) =>
        wordOf(punctuated_word ?? word, start, end, confidence),
      ),
      { version: info?.version, model: info?.name, confidence: best?.confidence, language: channel?.detected_language },
    );
  },
};

/** https://cloud.google.com/speech-to-text/docs/reference/rest/v1/speech/recognize (discovery document: speech.googleapis.com/$discovery/rest?version=v1) */
const google: OneCallService = {
  title: 'Google Speech-to-Text',
  documentation: 'https://cloud.google.com/speech-to-text/docs/reference/rest/v1/speech/recognize',
  address: (region) =>
    region === 'global' ? 'https://speech.googleapis.com' : `https://${region}-speech.googleapis.com`,
  regions: ['global', 'eu', 'us'],
  models: ['latest_long', 'latest_short', 'default', 'command_and_search', 'phone_call', 'video'],
  keyVariable: 'GOOGLE_API_KEY',
  // What gcloud prints as an access token begins so; API keys begin with AIza.
  authorize: (key) => (key.startsWith('ya29.') ? { Authorization: `Bearer ${key}` } : { 'X-Goog-Api-Key': key }),
  price: { amount: 0.024, currency: 'USD', seen: '2024-06' },
  onePrice: true,
  billing: { minSeconds: 15, stepSeconds: 15 },
  concurrency: 8,
  maxSeconds: 59,
  languages: codes(`
    en-US ar-EG cs-CZ da-DK de-DE el-GR es-ES fi-FI fr-FR he-IL hi-IN hu-HU id-ID it-IT ja-JP ko-KR nl-NL
    no-NO pl-PL pt-BR ro-RO ru-RU sk-SK sv-SE ta-IN th-TH tr-TR uk-UA vi-VN cmn-Hans-CN yue-Hant-HK
  `),
  takesOtherRegions: true,
  ask: ({ wav, sampleRate, model, language, wordTimes }) =>
    jsonCall('/v1/speech:recognize', {
      config: {
        encoding: 'LINEAR16',
        sampleRateHertz: sampleRate,
        languageCode: language,
        model,
        enableWordTimeOffsets: wordTimes,
        enableWordConfidence: wordTimes,
      },
      audio: { content: Buffer.from(wav).toString('base64') },
    }),
  read(answer) {
    const { results, totalBilledTime, requestId } = members(answer);
    // No speech: an object without results, but with what the call cost.
    if (results === undefined ? (totalBilledTime ?? requestId) === undefined : !Array.isArray(results)) return null;
    const best = items(results).map(({ alternatives }) => items(alternatives)[0] ?? {});
    if (best.some(({ transcript }) => transcript !== undefined && typeof transcript !== 'string')) return null;
    return heard(
      best
        .map(({ transcript }) => textIn(transcript) ?? '')
        .join('')
        .trim(),
      best.flatMap(({ words }) =>
        items(words).flatMap(({ word, startTime, endTime, confidence }) =>
          // Durations of protocol buffers: "1.300s".
          wordOf(
            word,
            Number.parseFloat(textIn(startTime) ?? ''),
            Number.parseFloat(textIn(endTime) ?? ''),
            confidence,
          ),
        ),
      ),
      { billed: totalBilledTime, confidence: best[0]?.confidence },
    );
  },
};

/** https://learn.microsoft.com/azure/ai-services/speech-service/fast-transcription-create (REST API version 2024-11-15) */
const azure: OneCallService = {
  ...azureFacts,
  documentation: 'https://learn.microsoft.com/rest/api/speechtotext/transcriptions/transcribe',
  address: (region) => `https://${region}.api.cognitive.microsoft.com`,
  models: ['fast-transcription'],
  price: { amount: 0.011, currency: 'USD', seen: '2025-10' },
  onePrice: true,
  concurrency: 8,
  findsLanguage: true,
  ask: ({ wav, language }) =>
    formCall(
      '/speechtotext/transcriptions:transcribe?api-version=2024-11-15',
      { name: 'audio', wav },
      {
        definition: JSON.stringify(language === null ? {} : { locales: [language] }),
      },
    ),
  read(answer) {
    const { combinedPhrases, phrases, durationMilliseconds } = members(answer);
    if (!Array.isArray(combinedPhrases)) return null;
    const texts = items(combinedPhrases).map(({ text }) => textIn(text));
    if (texts.includes(null)) return null;
    return heard(
      texts.join(' '),
      items(phrases).flatMap(({ words }) =>
        items(words).flatMap(({ text, offsetMilliseconds, durationMilliseconds: length }) => {
          const start = seconds(offsetMilliseconds, 1000);
          return wordOf(text, start, start === undefined ? undefined : start + (seconds(length, 1000) ?? 0));
        }),
      ),
      {
        durationSeconds: seconds(durationMilliseconds, 1000),
        language: items(phrases)[0]?.locale,
        confidence: items(phrases)[0]?.confidence,
      },
    );
  },
};

/** What IBM heard in a stretch; null: it makes no sense. */
export function ibmStretch(best: Readonly<Record<string, unknown>> = {}): Stretch | null {
  const { transcript, timestamps, word_confidence } = best;
  if (typeof transcript !== 'string') return null;
  const shares = Array.isArray(word_confidence) ? (word_confidence as unknown[][]) : [];
  return {
    text: transcript.trim(),
    words: (Array.isArray(timestamps) ? (timestamps as unknown[][]) : []).flatMap(([text, start, end], index) =>
      wordOf(text, start, end, shares[index]?.[1]),
    ),
  };
}

const ibm: OneCallService = {
  ...ibmFacts,
  ask({ wav, model, language, wordTimes }) {
    const flag = String(wordTimes);
    const named = ibmModel(model, language);
    return wavCall(`/v1/recognize${query({ model: named, timestamps: flag, word_confidence: flag })}`, wav);
  },
  // It begins to answer long calls before it knows how they end, to keep them alive.
  refusal(answer) {
    const { error, code } = members(answer);
    return typeof error === 'string' ? { status: typeof code === 'number' ? code : 400, message: error } : null;
  },
  read(answer) {
    const { results } = members(answer);
    if (!Array.isArray(results)) return null;
    const best = items(results).map(({ alternatives }) => items(alternatives)[0]);
    const stretches = best.map(ibmStretch);
    if (!stretches.every((stretch) => stretch !== null)) return null;
    return together(stretches, { confidence: best[0]?.confidence });
  },
};

/**
 * Baidu's numbers by the status that says the same: a wrong key; the calls of the day are used up; sound that is too long or too large; too
 * many at once; server busy, its faults and its own time limits.
 */
const statusAtBaidu: Readonly<Record<number, number>> = {
  ...{ 3302: 401, 3305: 402, 3308: 413, 3310: 413, 3304: 429 },
  ...{ 3303: 503, 3307: 500, 3313: 504, 3315: 504 },
};

/** What Baidu calls a language: Mandarin, English, Cantonese, Sichuanese. Of the last no tag is registered; this is how Azure writes it. */
const baiduDialects: Readonly<Record<string, number>> = {
  ...{ 'zh-CN': 1537, zh: 1537, cmn: 1537, en: 1737, yue: 1637, 'zh-HK': 1637, 'zh-CN-sichuan': 1837 },
};

/** https://cloud.baidu.com/doc/qianfan-api/s/mm7viqkmz (short speech), error numbers: https://cloud.baidu.com/doc/SPEECH/s/lk38lxosv */
const baidu: OneCallService = {
  title: 'Baidu short speech recognition',
  documentation: 'https://cloud.baidu.com/doc/qianfan-api/s/mm7viqkmz',
  address: () => 'https://vop.baidu.com',
  regions: [],
  models: ['server_api', 'pro_api'],
  keyVariable: 'BAIDU_API_KEY',
  authorize: (key) => ({ Authorization: `Bearer ${key}` }),
  price: null,
  // A call has its price, however short.
  billing: { minSeconds: 60, stepSeconds: 60 },
  concurrency: 2,
  maxSeconds: 59,
  languages: Object.keys(baiduDialects),
  // The fast model (cloud.baidu.com/doc/SPEECH/s/6k38lxp0r) and sound of 8 kHz are for Mandarin alone.
  languagesOf: (model, sampleRate) => (model === 'pro_api' || sampleRate === 8000 ? codes('zh-CN zh cmn') : undefined),
  sampleRates: (model) => (model === 'pro_api' ? [16_000] : [16_000, 8000]),
  ask: ({ wav, sampleRate, model, language }) =>
    jsonCall(`/${model}`, {
      format: 'wav',
      rate: sampleRate,
      channel: 1,
      cuid: 'earwitness',
      dev_pid: model === 'pro_api' ? 80_001 : baiduDialects[language!],
      len: wav.byteLength,
      speech: Buffer.from(wav).toString('base64'),
    }),
  refusal(answer) {
    const { err_no, err_msg } = members(answer);
    if (typeof err_no !== 'number' || err_no === 0) return null;
    return { status: statusAtBaidu[err_no] ?? 400, message: `${textIn(err_msg) ?? 'no reason'} (${err_no})` };
  },
  read(answer) {
    const { result } = members(answer);
    const text = Array.isArray(result) ? textIn(result[0]) : null;
    return text === null ? null : heard(text, []);
  },
};

/** https://elevenlabs.io/docs/api-reference/speech-to-text/convert */
const elevenlabs: OneCallService = {
  title: 'ElevenLabs Scribe',
  documentation: 'https://elevenlabs.io/docs/api-reference/speech-to-text/convert',
  address: () => 'https://api.elevenlabs.io',
  regions: [],
  models: ['scribe_v1'],
  keyVariable: 'ELEVENLABS_API_KEY',
  authorize: (key) => ({ 'xi-api-key': key }),
  price: { amount: 0.22 / 60, currency: 'USD', seen: '2026' },
  concurrency: 4,
  refusesWith: [422],
  languages: codes('en ar cs da de el es fi fr hi hu id it ja ko nl no pl pt ro ru sv tr uk vi yue zh'),
  hasOtherLanguages: true,
  findsLanguage: true,
  ask: ({ wav, model, language, wordTimes }) =>
    formCall(
      '/v1/speech-to-text',
      { name: 'file', wav },
      {
        model_id: model,
        timestamps_granularity: wordTimes ? 'word' : 'none',
        tag_audio_events: 'false',
        ...(language === null ? {} : { language_code: language }),
      },
    ),
  read(answer) {
    const { text, words, language_code } = members(answer);
    if (typeof text !== 'string') return null;
    return heard(
      text,
      items(words)
        .filter(({ type }) => type === 'word')
        .flatMap((word) => wordOf(word.text, word.start, word.end)),
      { language: language_code },
    );
  },
};

export const oneCallServices = { deepgram, google, azure, ibm, 'wit-ai': witAi, baidu, elevenlabs } satisfies Record<
  string,
  HostedService
>;
