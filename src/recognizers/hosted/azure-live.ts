import { encodeWav } from '../../audio/encode-wav.ts';
import { jsonProblem } from '../../base/foreign-data.ts';
import {
  codes,
  failed,
  final,
  items,
  type LiveQuestion,
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

/** What its two ways of recognizing have alike. */
export const azureFacts = {
  title: 'Azure Speech',
  regions: ['eastus', 'westeurope', 'northeurope', 'southeastasia', 'westus', 'centralindia', 'japaneast'],
  keyVariable: 'AZURE_SPEECH_KEY',
  authorize: (key: string) => ({ 'Ocp-Apim-Subscription-Key': key }),
  languages: codes(`
    en-US en-GB en-IN da-DK de-DE es-ES es-MX fi-FI fr-FR he-IL hi-IN id-ID it-IT ja-JP ko-KR pl-PL pt-BR
    pt-PT sv-SE zh-CN
  `),
  takesOtherRegions: true,
} as const;

/** Ways of hearing that go on after a phrase; any other model is one of the user's own. */
const modes: readonly string[] = ['conversation', 'dictation'];
/** Times are told in steps of 100 ns. */
const ticks = 10_000_000;
const jsonType = { 'Content-Type': 'application/json' };

/**
 * The protocol of the Speech service, as Microsoft's kit speaks it (github.com/microsoft/cognitive-services-speech-sdk-js, src/common.speech:
 * SpeechConnectionFactory, WebsocketMessageFormatter, ServiceRecognizerBase, SpeechServiceRecognizer, EnumTranslation): each message has
 * headers of its own, `Path` among them, before its body; those of bytes have the length of the headers in two bytes before all. The sound
 * is a WAV file without an end, and an empty message ends it. One turn hears one clip.
 */
export const azureLive: LiveService = {
  ...azureFacts,
  documentation: 'https://learn.microsoft.com/azure/ai-services/speech-service/how-to-recognize-speech',
  address(region) {
    const domain = region.startsWith('china') ? 'azure.cn' : region.startsWith('usgov') ? 'azure.us' : 'microsoft.com';
    return `https://${region}.stt.speech.${domain}`;
  },
  models: modes,
  price: null,
  concurrency: 1,
  path: ({ model, language, wordTimes }) =>
    `/speech/recognition/${modes.includes(model) ? model : 'conversation'}/cognitiveservices/v1${query({
      // A model of the user's own knows its language.
      ...(modes.includes(model) ? { language } : { cid: model }),
      ...{ format: 'detailed', wordLevelTimestamps: wordTimes ? 'true' : null },
    })}`,
  headers: ({ id }) => ({ 'X-ConnectionId': id }),
  start: (question) => [
    textMessage('speech.config', question, { context: { system: { name: 'Earwitness' } } }),
    textMessage('speech.context', question, {
      phraseOutput: { format: 'Detailed', detailed: { options: question.wordTimes ? ['WordTimings'] : [] } },
    }),
    soundMessage(question, wavHeader(question.sampleRate), { 'Content-Type': 'audio/x-wav' }),
  ],
  sound: (samples, question) => soundMessage(question, samples),
  end: (_, question) => soundMessage(question, new Uint8Array(0)),
  writing: {
    name: 'message of the Speech service',
    read(message) {
      if (typeof message !== 'string') return null;
      const [head = '', ...rest] = message.split('\r\n\r\n');
      const path = /^path:\s*(\S+)\s*$/im.exec(head)?.[1];
      if (path === undefined) return null;
      const text = rest.join('\r\n\r\n').trim();
      try {
        const body: unknown = text === '' ? {} : JSON.parse(text);
        return jsonProblem(body) === null ? { path: path.toLowerCase(), body } : null;
      } catch {
        return null;
      }
    },
  },
  follow() {
    const phrases: Stretch[] = [];
    let details: Readonly<Record<string, unknown>> = {};
    return ({ path, body }) => {
      switch (path) {
        case 'speech.hypothesis':
        case 'speech.fragment': {
          const text = textIn(members(body).Text);
          return text === null ? null : partial(together([...phrases, { text, words: [] }]));
        }
        case 'speech.phrase': {
          const { RecognitionStatus: status, NBest, DisplayText, PrimaryLanguage } = members(body);
          const refused = statusOfPhrase[String(status)];
          if (refused !== undefined) return failed(refused, [status, DisplayText].filter(Boolean).join(': '));
          if (phrasesWithoutWords.includes(status)) return 'nothing';
          const best = items(NBest)[0] ?? {};
          const text = textIn(best.Display ?? best.DisplayText ?? DisplayText);
          if (text === null || status !== 'Success') return null;
          details = { confidence: best.Confidence, language: members(PrimaryLanguage).Language, ...details };
          phrases.push({
            text,
            words: items(best.Words).flatMap(({ Word, Offset, Duration, Confidence }) => {
              const start = seconds(Offset, ticks);
              return wordOf(Word, start, (start ?? 0) + (seconds(Duration, ticks) ?? 0), Confidence);
            }),
          });
          return partial(together(phrases));
        }
        case 'turn.end':
          return final(together(phrases, details));
        default:
          return 'nothing';
      }
    };
  },
};

/** Phrases in which nothing was said. */
const phrasesWithoutWords: readonly unknown[] = ['NoMatch', 'InitialSilenceTimeout', 'BabbleTimeout', 'EndOfDictation'];

/** What is wrong, as a phrase says it: too many streams at once; a free account whose quota is used up. */
const statusOfPhrase: Readonly<Record<string, number>> = {
  BadRequest: 400,
  Forbidden: 402,
  TooManyRequests: 429,
  Error: 500,
};

function headersOf(path: string, { id, now }: LiveQuestion, more: Readonly<Record<string, string>>): string {
  const headers = { Path: path, 'X-RequestId': id, 'X-Timestamp': new Date(now()).toISOString(), ...more };
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

function textMessage(path: string, question: LiveQuestion, body: object): string {
  return `${headersOf(path, question, jsonType)}\r\n${JSON.stringify(body)}`;
}

function soundMessage(question: LiveQuestion, bytes: Uint8Array, more: Readonly<Record<string, string>> = {}) {
  const head = Buffer.from(headersOf('audio', question, more));
  const length = Buffer.alloc(2);
  length.writeUInt16BE(head.length);
  return Buffer.concat([length, head, bytes]);
}

/** Its lengths are 0: nobody knows them yet. */
function wavHeader(sampleRate: number): Uint8Array {
  return encodeWav({ samples: new Float32Array(0), sampleRate }, { format: 's16' }).fill(0, 4, 8);
}
