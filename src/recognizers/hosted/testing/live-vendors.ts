import { createHmac } from 'node:crypto';
import { readAwsEvent, writeAwsEvent } from '../../../http/aws-event-stream.ts';
import { awsTestKeys, wrongAwsAddress } from '../../../http/testing/verify-aws-signature.ts';
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

/** A message of the client; both where bytes have headers. */
export type Said =
  | { readonly json: Readonly<Record<string, unknown>> }
  | { readonly bytes: Buffer; readonly json?: Readonly<Record<string, unknown>> };

interface Handshake {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** How messages are written that are not JSON as text. */
interface Writing {
  read(data: Buffer, isBinary: boolean): Said;
  write(message: object): string | Uint8Array;
}

/** What a service sends. */
export function written({ writing }: LiveVendor, message: object): string | Uint8Array {
  return writing === undefined ? JSON.stringify(message) : writing.write(message);
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
  readonly writing?: Writing;
  /** Said when the socket is open. */
  readonly hello?: object;
  /** What a message is; a text: why it is not as described. */
  read(
    said: Said,
    soundMessages: number,
  ): { readonly asks?: Partial<Asked>; readonly sound?: Buffer; readonly ends?: true } | string;
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
const jsonIn = (said: Said) => said.json ?? {};
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

const ticks = (seconds: number) => Math.round(seconds * 10_000_000);

/** As the kit for JavaScript reads and writes it (src/common.speech/WebsocketMessageFormatter.ts). */
const azureWriting: Writing = {
  read(data, isBinary) {
    const headersIn = (text: string) =>
      Object.fromEntries(
        text
          .split('\r\n')
          .filter((line) => line !== '')
          .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
      );
    if (!isBinary) {
      const text = data.toString();
      const end = text.indexOf('\r\n\r\n');
      return { json: { headers: headersIn(text.slice(0, end)), body: JSON.parse(text.slice(end + 4)) } };
    }
    const bodyAt = 2 + data.readUInt16BE(0);
    const bytes = data.subarray(bodyAt);
    return { json: { headers: headersIn(data.subarray(2, bodyAt).toString('latin1')) }, bytes };
  },
  write(message) {
    const { path, body } = message as { path: string; body: object };
    const id = '0123456789abcdef0123456789abcdef';
    return `X-RequestId:${id}\r\nContent-Type:application/json; charset=utf-8\r\nPath:${path}\r\n\r\n${JSON.stringify(body)}`;
  },
};

const azurePhrase = (spoken: Spoken, status = 'Success') => ({
  path: 'speech.phrase',
  body: {
    ...{ Id: 'p', RecognitionStatus: status, Offset: 0, Duration: ticks(spoken.seconds), Channel: 0 },
    NBest: [
      {
        ...{ Confidence: 0.9, Lexical: spoken.text, ITN: spoken.text, MaskedITN: spoken.text, Display: spoken.text },
        Words: spoken.words.map(({ text, start, end }) => ({
          ...{ Word: text, Offset: ticks(start), Duration: ticks(end - start) },
        })),
      },
    ],
  },
});

const ibmResult = (spoken: Spoken, index: number, final: boolean) => ({
  result_index: index,
  results: [
    {
      final,
      alternatives: [
        {
          ...{ transcript: `${spoken.text} `, confidence: 0.9 },
          timestamps: spoken.words.map(({ text, start, end }) => [text, start, end]),
          word_confidence: spoken.words.map(({ text }) => [text, 0.9]),
        },
      ],
    },
  ],
});

const awsTypes = { ':content-type': 'application/json', ':message-type': 'event' };
const awsResult = (spoken: Spoken, id: number, isPartial: boolean) => ({
  headers: { ...awsTypes, ':event-type': 'TranscriptEvent' },
  body: {
    Transcript: {
      Results: [
        {
          ...{ ResultId: `r${id}`, IsPartial: isPartial, StartTime: 0, EndTime: spoken.seconds },
          Alternatives: [
            {
              Transcript: spoken.text,
              Items: spoken.words.flatMap(({ text, start, end }, index) => [
                { Content: text, StartTime: start, EndTime: end, Type: 'pronunciation', VocabularyFilterMatch: false },
                ...(index === 0 ? [{ Content: ',', StartTime: end, EndTime: end, Type: 'punctuation' }] : []),
              ]),
            },
          ],
        },
      ],
    },
  },
});
const awsException = (type: string) => (Message: string) => ({
  headers: { ':content-type': 'application/json', ':exception-type': type, ':message-type': 'exception' },
  body: { Message },
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
  azure: {
    isAuthorized: ({ headers }, key) =>
      headers['ocp-apim-subscription-key'] === key && /^[0-9a-f]{32}$/.test(String(headers['x-connectionid'])),
    error: (code, message) => JSON.stringify({ error: { code: String(code), message } }),
    asks({ pathname, searchParams }) {
      const [, mode] = /^\/speech\/recognition\/(\w+)\/cognitiveservices\/v1$/.exec(pathname) ?? [];
      const { language, format, cid, wordLevelTimestamps } = Object.fromEntries(searchParams);
      if (mode === undefined || format !== 'detailed' || wordLevelTimestamps !== 'true') return null;
      return { language: language ?? null, model: cid ?? mode, sampleRate: 0, partials: true };
    },
    writing: azureWriting,
    read(said) {
      const { headers, body } = jsonIn(said);
      const { path, 'x-requestid': id, 'x-timestamp': moment, 'content-type': type } = members(headers);
      if (!/^[0-9a-f]{32}$/.test(String(id)) || !(Date.parse(String(moment)) > 0))
        return 'no X-RequestId or X-Timestamp';
      if (path === 'speech.config') return members(members(body).context).system ? {} : 'no context.system';
      if (path === 'speech.context')
        return members(members(body).phraseOutput).format === 'Detailed' ? {} : 'no format';
      if (path !== 'audio' || !('bytes' in said)) return 'no such message';
      if (said.bytes.length === 0) return { ends: true };
      if (type === undefined) return { sound: said.bytes };
      const [format, channels, rate, bits] = [
        ...[said.bytes.readUInt16LE(20), said.bytes.readUInt16LE(22)],
        ...[said.bytes.readUInt32LE(24), said.bytes.readUInt16LE(34)],
      ];
      const isWav = said.bytes.toString('latin1', 0, 4) === 'RIFF' && said.bytes.length === 44;
      if (type !== 'audio/x-wav' || !isWav || format !== 1 || channels !== 1 || bits !== 16) return 'no WAV header';
      return { asks: { sampleRate: rate! } };
    },
    hello: { path: 'turn.start', body: { context: { serviceTag: 'tag' } } },
    partial: ({ text, seconds }) => ({
      path: 'speech.hypothesis',
      body: { Id: 'h', Text: text, Offset: 0, Duration: ticks(seconds), Channel: 0 },
    }),
    finals: (stretches) => [
      { path: 'speech.enddetected', body: {} },
      ...stretches.map((spoken) => azurePhrase(spoken)),
      { path: 'speech.phrase', body: { RecognitionStatus: 'EndOfDictation', Offset: 0, Duration: 0 } },
      { path: 'turn.end', body: {} },
    ],
    failures: (
      [
        ['TooManyRequests', 429],
        ['BadRequest', 400],
        ['Forbidden', 402],
        ['Error', 500],
      ] as const
    ).map(([RecognitionStatus, status]) => [
      (DisplayText: string) => ({ path: 'speech.phrase', body: { RecognitionStatus, DisplayText } }),
      status,
    ]),
    closes: [
      [1007, 400],
      [1011, 500],
    ],
  },
  ibm: {
    isAuthorized: ({ headers }, key) =>
      headers.authorization === `Basic ${Buffer.from(`apikey:${key}`).toString('base64')}`,
    error: (code, error) => JSON.stringify({ code, error }),
    asks({ pathname, searchParams }) {
      const [language = '', model = 'large'] = searchParams.get('model')?.split('_') ?? [];
      return pathname === '/v1/recognize' && language !== ''
        ? { language, model, sampleRate: 0, partials: false }
        : null;
    },
    read(said) {
      if ('bytes' in said) return { sound: said.bytes };
      const { action, interim_results, timestamps, 'content-type': type } = said.json;
      if (action === 'stop') return { ends: true };
      const [, rate] = /^audio\/l16;rate=(\d+);channels=1;endianness=little-endian$/.exec(String(type)) ?? [];
      if (action !== 'start' || rate === undefined || timestamps !== true) return 'not as described';
      return { asks: { sampleRate: Number(rate), partials: interim_results === true } };
    },
    started: { state: 'listening' },
    partial: (spoken) => ibmResult(spoken, 0, false),
    finals: (stretches) => [
      ...stretches.map((spoken, index) => ibmResult(spoken, index, true)),
      { state: 'listening' },
    ],
    failures: [
      [(words) => ({ error: `unable to transcode data stream audio/l16 -> audio/l16: ${words}` }), 400],
      [(words) => ({ error: `Session timed out: ${words}` }), 504],
    ],
    closes: [
      [1002, 400],
      [1011, 500],
    ],
  },
  'aws-transcribe': {
    isAuthorized({ url, headers }, secret) {
      const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SESSION_TOKEN: sessionToken } = awsTestKeys;
      return (
        headers.authorization === undefined && wrongAwsAddress(url, { accessKeyId, sessionToken, secret }) === null
      );
    },
    error: (_, Message) => JSON.stringify({ Message }),
    asks({ pathname, searchParams }) {
      const {
        'language-code': language,
        'media-encoding': encoding,
        'sample-rate': rate,
        'language-model-name': model = 'standard',
      } = Object.fromEntries(searchParams);
      if (pathname !== '/stream-transcription-websocket' || encoding !== 'pcm' || language === undefined) return null;
      return { language, model, sampleRate: Number(rate), partials: true };
    },
    writing: {
      read(data) {
        const { headers = {}, payload = Buffer.alloc(0) } = readAwsEvent(data) ?? {};
        return { json: headers, bytes: Buffer.from(payload) };
      },
      write(message) {
        const { headers, body } = message as { headers: Record<string, string>; body: object };
        return writeAwsEvent(headers, Buffer.from(JSON.stringify(body)));
      },
    },
    read(said) {
      const types = [':message-type', ':event-type', ':content-type'].map((name) => jsonIn(said)[name]);
      if (types.join() !== 'event,AudioEvent,application/octet-stream' || !('bytes' in said)) return 'not as described';
      return said.bytes.length === 0 ? { ends: true } : { sound: said.bytes };
    },
    partial: (spoken) => awsResult(spoken, 0, true),
    finals: (stretches) => stretches.map((spoken, index) => awsResult(spoken, index, false)),
    failures: [
      [awsException('BadRequestException'), 400],
      [awsException('UnrecognizedClientException'), 403],
      [awsException('LimitExceededException'), 429],
      [awsException('InternalFailureException'), 500],
      [awsException('ServiceUnavailableException'), 503],
    ],
    closes: [[1011, 500]],
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
