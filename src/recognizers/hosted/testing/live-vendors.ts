import { createHmac } from 'node:crypto';
import type { liveServices } from '../live-services.ts';
import { members } from '../service.ts';
import type { Spoken } from './vendor.ts';

/** What the opening of a socket asks for. */
export interface Asked {
  readonly language: string | null;
  readonly model: string | null;
  readonly sampleRate: number;
  /** Whether results are shown before they are final. */
  readonly partials: boolean;
}

/** A message of the client. */
export type Said = { readonly json: Readonly<Record<string, unknown>> } | { readonly bytes: Buffer };

interface Handshake {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** How one service speaks over its socket, as its published description says. */
export interface LiveVendor {
  isAuthorized(handshake: Handshake, key: string): boolean;
  /** How it says that the key is wrong. */
  error(status: number, message: string): string;
  /** A call ahead, which asks; without it the address of the socket or its first message do. */
  readonly begin?: {
    readonly path: string;
    asks(body: Readonly<Record<string, unknown>>): Asked;
    created(url: string): object;
  };
  asks?(url: URL): Asked | null;
  /** Said when the socket is open. */
  readonly hello?: object;
  /** What a message is; a text: why it is not as described. */
  read(
    said: Said,
    soundMessages: number,
  ): { readonly asks?: Asked; readonly sound?: Buffer; readonly ends?: true } | string;
  /** Said to the message that asks, and to one with sound. */
  readonly started?: object;
  taken?(soundMessages: number): object;
  partial(spoken: Spoken, number: number): object;
  /** All that comes after the end, of what was heard in two stretches. */
  finals(stretches: readonly Spoken[], partials: number): readonly object[];
  /** Failures that come as messages: what it is, and the HTTP status that says the same. */
  readonly failures: readonly (readonly [message: (words: string) => object, status: number])[];
  /** Codes of its own with which it closes, by the HTTP status that says the same. */
  readonly closes: readonly (readonly [code: number, status: number])[];
}

const ms = (seconds: number) => Math.round(seconds * 1000);
const bytesIn = (said: Said) => ('bytes' in said ? { sound: said.bytes } : null);
const jsonIn = (said: Said) => ('json' in said ? said.json : {});
const wordsOf = ({ words }: Spoken) =>
  words.map(({ text: word, start, end }) => ({ word, start, end, confidence: 0.9 }));

const deepgramResults = (spoken: Spoken, isFinal: boolean) => ({
  ...{
    type: 'Results',
    channel_index: [0, 1],
    duration: spoken.seconds,
    start: 0,
    is_final: isFinal,
    speech_final: isFinal,
  },
  channel: {
    alternatives: [
      {
        ...{ transcript: spoken.text, confidence: 0.9 },
        words: wordsOf(spoken).map((word) => ({ ...word, punctuated_word: word.word })),
      },
    ],
  },
  metadata: {
    request_id: 'r',
    model_uuid: 'm',
    model_info: { name: 'general-nova-3', version: '2025-04-17.21547', arch: 'nova-3' },
  },
});

const assemblyTurn = (turn: number, { text, words }: Spoken, ended: boolean, formatted = false) => ({
  ...{ type: 'Turn', turn_order: turn, turn_is_formatted: formatted, end_of_turn: ended, end_of_turn_confidence: 0.8 },
  transcript: ended
    ? text
    : words
        .slice(0, -1)
        .map((word) => word.text)
        .join(' '),
  words: words.map((word, index) => ({
    ...{ text: word.text, start: ms(word.start), end: ms(word.end), confidence: 0.9 },
    word_is_final: ended || index < words.length - 1,
  })),
});

const speechmaticsResults = (message: string, { text, words }: Spoken) => ({
  ...{ message, format: '2.1', metadata: { start_time: 0, end_time: words.at(-1)?.end ?? 0, transcript: `${text} ` } },
  results: words.map((word) => ({
    ...{ type: 'word', start_time: word.start, end_time: word.end },
    alternatives: [{ content: word.text, confidence: 0.9, language: 'en' }],
  })),
});

const gladiaTranscript = (id: string, spoken: Spoken, is_final: boolean) => ({
  ...{ type: 'transcript', session_id: 's', created_at: '2026-03-03T10:00:00Z' },
  data: {
    ...{ id, is_final },
    utterance: {
      ...{ text: spoken.text, start: 0, end: spoken.seconds, confidence: 0.9, channel: 0, language: 'en' },
      words: wordsOf(spoken).map((word) => ({ ...word, word: ` ${word.word}` })),
    },
  },
});

const iflytekResult = (status: number, sn: number, { text, words }: Spoken, correction: object) => ({
  ...{ code: 0, message: 'success', sid: 'iat000' },
  data: {
    status,
    result: {
      ...{ sn, ls: status === 2, bg: 0, ed: 0, ...correction },
      ws: text === '' ? [] : words.map((word) => ({ bg: 0, cw: [{ sc: 0, w: ` ${word.text}` }] })),
    },
  },
});

export const liveVendors: Readonly<Record<keyof typeof liveServices, LiveVendor>> = {
  deepgram: {
    isAuthorized: ({ headers }, key) => headers.authorization === `Token ${key}`,
    error: (_, err_msg) => JSON.stringify({ err_code: 'INVALID_AUTH', err_msg, request_id: 'r' }),
    asks({ pathname, searchParams }) {
      const { model, language, encoding, sample_rate, channels, interim_results } = Object.fromEntries(searchParams);
      if (pathname !== '/v1/listen' || encoding !== 'linear16' || channels !== '1') return null;
      return {
        language: language!,
        model: model!,
        sampleRate: Number(sample_rate),
        partials: interim_results === 'true',
      };
    },
    read: (said) => bytesIn(said) ?? (jsonIn(said).type === 'CloseStream' ? { ends: true } : 'no such message'),
    partial: (spoken) => deepgramResults(spoken, false),
    finals: (stretches) => [
      ...stretches.map((spoken) => deepgramResults(spoken, true)),
      {
        type: 'Metadata',
        transaction_key: 'deprecated',
        request_id: 'r',
        sha256: 'e3',
        created: '2026-03-03',
        duration: 1,
        channels: 1,
      },
    ],
    failures: [[(description) => ({ type: 'Error', description, message: '', variant: '' }), 400]],
    closes: [
      [1008, 403],
      [1011, 500],
    ],
  },
  assemblyai: {
    isAuthorized: ({ headers }, key) => headers.authorization === key,
    error: (_, error) => JSON.stringify({ error }),
    asks({ pathname, searchParams }) {
      const { speech_model, encoding, sample_rate } = Object.fromEntries(searchParams);
      if (pathname !== '/v3/ws' || encoding !== 'pcm_s16le') return null;
      return { language: null, model: speech_model!, sampleRate: Number(sample_rate), partials: true };
    },
    hello: { type: 'Begin', id: 'cfd280c7-5a9b-4dd6-8c05-235ccfa3c97f', expires_at: 1745483367 },
    read(said) {
      if ('json' in said) return said.json.type === 'Terminate' ? { ends: true } : 'Invalid Message Type';
      // At 16 kHz, in 16 bits.
      const length = said.bytes.length / 32;
      return length < 50 || length > 1000
        ? `Input duration violation: ${length} ms. Expected between 50 and 1000 ms`
        : { sound: said.bytes };
    },
    partial: (spoken) => assemblyTurn(0, spoken, false),
    finals: (stretches) => [
      ...stretches.flatMap((spoken, turn) => [
        assemblyTurn(turn, spoken, true),
        assemblyTurn(turn, spoken, true, true),
      ]),
      { type: 'Termination', audio_duration_seconds: 1, session_duration_seconds: 1 },
    ],
    failures: [
      [(error) => ({ type: 'Error', error_code: 3009, error }), 429],
      [(error) => ({ type: 'Error', error_code: 3005, error }), 500],
      [(error) => ({ type: 'Error', error_code: 1008, error }), 401],
      [(error) => ({ type: 'Error', error_code: 3006, error }), 400],
    ],
    closes: [
      [1008, 401],
      [3005, 500],
      [3007, 400],
      [3009, 429],
    ],
  },
  speechmatics: {
    isAuthorized: ({ url, headers }, key) => url.pathname === '/v2/' && headers.authorization === `Bearer ${key}`,
    error: (code, detail) => JSON.stringify({ code, error: 'Permission Denied', detail }),
    read(said, soundMessages) {
      if ('bytes' in said) return { sound: said.bytes };
      const { message, last_seq_no, audio_format, transcription_config } = said.json;
      const { type, encoding, sample_rate } = members(audio_format);
      const { language, model, enable_partials } = members(transcription_config);
      if (message === 'EndOfStream') return last_seq_no === soundMessages ? { ends: true } : 'wrong last_seq_no';
      if (message !== 'StartRecognition' || type !== 'raw' || encoding !== 'pcm_s16le') return 'not as described';
      return {
        asks: {
          ...{ language: language as string, model: model as string, sampleRate: sample_rate as number },
          partials: enable_partials === true,
        },
      };
    },
    started: {
      ...{ message: 'RecognitionStarted', id: '807670e9', orchestrator_version: '2025.11.07+cd4ff775c0+14.7.0' },
      language_pack_info: { adapted: false, itn: true, word_delimiter: ' ', writing_direction: 'left-to-right' },
    },
    taken: (seq_no) => ({ message: 'AudioAdded', seq_no }),
    partial: (spoken) => speechmaticsResults('AddPartialTranscript', spoken),
    finals: (stretches) => [
      ...stretches.map((spoken) => speechmaticsResults('AddTranscript', spoken)),
      { message: 'EndOfTranscript' },
    ],
    failures: [
      [(reason) => ({ message: 'Error', type: 'not_authorised', reason }), 401],
      [(reason) => ({ message: 'Error', type: 'timelimit_exceeded', reason }), 402],
      [(reason) => ({ message: 'Error', type: 'quota_exceeded', reason }), 429],
      [(reason) => ({ message: 'Error', type: 'job_error', reason }), 503],
      [(reason) => ({ message: 'Error', type: 'invalid_config', reason }), 400],
      [(reason) => ({ message: 'Warning', type: 'duration_limit_exceeded', reason }), 413],
    ],
    closes: [
      [1003, 400],
      [1011, 500],
      [4001, 401],
      [4003, 403],
      [4004, 404],
      [4005, 429],
      [4006, 402],
      [4013, 503],
    ],
  },
  gladia: {
    isAuthorized: ({ url, headers }, key) =>
      headers['x-gladia-key'] === key || url.searchParams.get('token') === 'token-of-a-session-0123',
    error: (statusCode, message) => JSON.stringify({ statusCode, message, request_id: 'G-12345678' }),
    begin: {
      path: '/v2/live',
      asks({ encoding, bit_depth, sample_rate, channels, model, language_config, messages_config }) {
        if (encoding !== 'wav/pcm' || bit_depth !== 16 || channels !== 1) throw new Error('not as described');
        const [language = null] = (members(language_config).languages ?? []) as string[];
        const partials = members(messages_config).receive_partial_transcripts === true;
        return { language, model: model as string, sampleRate: sample_rate as number, partials };
      },
      created: (url) => ({
        id: '45463597-20b7-4af7-b3b3-f5fb778203ab',
        created_at: '2026-03-03T10:00:00Z',
        url: `${url}?token=token-of-a-session-0123`,
      }),
    },
    read: (said) => bytesIn(said) ?? (jsonIn(said).type === 'stop_recording' ? { ends: true } : 'no such message'),
    taken: (number) => ({
      ...{ type: 'audio_chunk', session_id: 's', acknowledged: true, error: null },
      data: { byte_range: [0, number], time_range: [0, number] },
    }),
    partial: (spoken, number) => gladiaTranscript(number === 1 ? '00_00000000' : '00_00000001', spoken, false),
    finals: (stretches) => [
      { type: 'stop_recording', session_id: 's', acknowledged: true, error: null, data: null },
      ...stretches.map((spoken, index) => gladiaTranscript(`00_0000000${index}`, spoken, true)),
      { type: 'end_recording', session_id: 's', data: { recording_duration: 1 } },
      { type: 'end_session', session_id: 's' },
    ],
    failures: [[(message) => ({ type: 'audio_chunk', acknowledged: false, error: { message }, data: null }), 400]],
    closes: [
      [4401, 401],
      [4403, 403],
      [4429, 429],
      [4500, 500],
    ],
  },
  iflytek: {
    isAuthorized({ url }, key) {
      const [, apiKey, apiSecret] = key.split(':');
      const { authorization = '', date = '', host } = Object.fromEntries(url.searchParams);
      // A clock that is five minutes off is refused.
      if (host !== '127.0.0.1' || !(Math.abs(Date.parse(date) - Date.now()) < 300_000)) return false;
      const signature = createHmac('sha256', apiSecret!)
        .update([`host: ${host}`, `date: ${date}`, 'GET /v2/iat HTTP/1.1'].join('\n'))
        .digest('base64');
      const said = Buffer.from(authorization, 'base64').toString();
      return (
        said ===
        `api_key="${apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`
      );
    },
    error: (_, message) => JSON.stringify({ message: `HMAC signature cannot be verified: ${message}` }),
    read(said, soundMessages) {
      const { common, business, data } = jsonIn(said);
      const { status, format, encoding, audio } = members(data);
      const [, rate] = /^audio\/L16;rate=(8000|16000)$/.exec(String(format)) ?? [];
      if (rate === undefined || encoding !== 'raw' || typeof audio !== 'string') return 'param validate error';
      if (status === 2) return { ends: true };
      const { language, domain, accent, dwa } = members(business);
      if ((status === 0) !== (soundMessages === 0)) return 'invalid status';
      const sound = Buffer.from(audio, 'base64');
      if (status !== 0) return { sound };
      if (members(common).app_id !== 'testapp1' || accent !== 'mandarin') return 'appid is wrong';
      const asks = {
        language: language as string,
        model: domain as string,
        sampleRate: Number(rate),
        partials: dwa === 'wpgs',
      };
      return { asks, sound };
    },
    partial: (spoken, number) =>
      iflytekResult(0, number, spoken, number === 1 ? { pgs: 'apd' } : { pgs: 'rpl', rg: [1, number - 1] }),
    finals: ([first, second], partials) => {
      const corrected = partials === 0 ? {} : { pgs: 'rpl', rg: [1, partials] };
      const nothing = { text: '', words: [], seconds: 0 };
      return [
        iflytekResult(1, partials + 1, first ?? nothing, corrected),
        iflytekResult(2, partials + 2, second ?? nothing, partials === 0 ? {} : { pgs: 'apd' }),
      ];
    },
    failures: [
      [(message) => ({ code: 10105, message, sid: 's' }), 401],
      [(message) => ({ code: 11200, message, sid: 's' }), 402],
      [(message) => ({ code: 11201, message, sid: 's' }), 402],
      [(message) => ({ code: 10106, message, sid: 's' }), 400],
      [(message) => ({ code: 10800, message, sid: 's' }), 429],
      [(message) => ({ code: 10700, message, sid: 's' }), 500],
    ],
    closes: [[1011, 500]],
  },
};
