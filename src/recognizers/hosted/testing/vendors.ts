import { members } from '../service.ts';
import type { ServiceName } from '../services.ts';
import { awsVendor } from './aws-server.ts';
import type { Vendor, WireRequest } from './vendor.ts';

const json = (body: Buffer) => members(JSON.parse(body.toString('utf8')));
const fileOf = async (form: FormData | null, name: string) =>
  Buffer.from(await (form!.get(name) as File).arrayBuffer());
const bearer = (key: string) => ['authorization', `Bearer ${key}`] as const;
const ms = (seconds: number) => Math.round(seconds * 1000);
const isWav = (request: WireRequest) => request.headers['content-type'] === 'audio/wav';

export const vendors: Readonly<Record<ServiceName, Vendor>> = {
  'aws-transcribe': awsVendor,
  deepgram: {
    authorization: (key) => ['authorization', `Token ${key}`],
    error: (_, message) => JSON.stringify({ err_code: 'INVALID_AUTH', err_msg: message, request_id: 'r' }),
    async told(request) {
      const { pathname, searchParams } = request.url;
      if (pathname !== '/v1/listen' || !isWav(request)) return null;
      return { sound: request.body, language: searchParams.get('language'), model: searchParams.get('model') };
    },
    answer: ({ text, words, seconds }) =>
      JSON.stringify({
        metadata: {
          request_id: 'a847f427-4ad5-4d67-9b95-db801e58251c',
          duration: seconds,
          channels: 1,
          models: ['30089e05'],
          model_info: { '30089e05': { name: 'general-nova-3', version: '2025-04-17.21547', arch: 'nova-3' } },
        },
        results: {
          channels: [
            {
              alternatives: [
                {
                  transcript: text,
                  confidence: 0.99,
                  words: words.map(({ text: word, start, end }) => ({
                    word,
                    start,
                    end,
                    confidence: 0.98,
                    punctuated_word: word,
                  })),
                },
              ],
            },
          ],
        },
      }),
  },
  google: {
    authorization: (key) => ['x-goog-api-key', key],
    error: (status, message) => JSON.stringify({ error: { code: status, message, status: 'UNAUTHENTICATED' } }),
    async told({ url, body }) {
      if (url.pathname !== '/v1/speech:recognize') return null;
      const { config, audio } = json(body);
      const { encoding, languageCode, model } = members(config);
      if (encoding !== 'LINEAR16') return null;
      const sound = Buffer.from(members(audio).content as string, 'base64');
      return { sound, language: languageCode as string, model: model as string };
    },
    answer: ({ text, words, seconds }) =>
      JSON.stringify({
        ...(text === ''
          ? {}
          : {
              results: [
                {
                  alternatives: [
                    {
                      transcript: text,
                      confidence: 0.97,
                      words: words.map(({ text: word, start, end }) => ({
                        startTime: `${start.toFixed(3)}s`,
                        endTime: `${end.toFixed(3)}s`,
                        word,
                        confidence: 0.9,
                      })),
                    },
                  ],
                  resultEndTime: `${seconds.toFixed(3)}s`,
                  languageCode: 'en-us',
                },
              ],
            }),
        totalBilledTime: `${Math.ceil(seconds)}s`,
        requestId: '4231465795364183',
      }),
  },
  azure: {
    authorization: (key) => ['ocp-apim-subscription-key', key],
    error: (_, message) => JSON.stringify({ error: { code: '401', message } }),
    async told({ url, form }) {
      if (url.pathname !== '/speechtotext/transcriptions:transcribe' || url.search !== '?api-version=2024-11-15')
        return null;
      const { locales } = members(JSON.parse(form!.get('definition') as string));
      return {
        sound: await fileOf(form, 'audio'),
        language: (locales as string[] | undefined)?.[0] ?? null,
        model: null,
      };
    },
    answer: ({ text, words, seconds }) =>
      JSON.stringify({
        durationMilliseconds: ms(seconds),
        combinedPhrases: [{ text }],
        phrases: [
          {
            offsetMilliseconds: 0,
            durationMilliseconds: ms(seconds),
            text,
            words: words.map((word) => ({
              text: word.text,
              offsetMilliseconds: ms(word.start),
              durationMilliseconds: ms(word.end) - ms(word.start),
            })),
            locale: 'en-US',
            confidence: 0.93,
          },
        ],
      }),
  },
  ibm: {
    authorization: (key) => ['authorization', `Basic ${Buffer.from(`apikey:${key}`).toString('base64')}`],
    error: (code, error) => JSON.stringify({ code, error }),
    async told(request) {
      const { pathname, searchParams } = request.url;
      if (pathname !== '/v1/recognize' || !isWav(request)) return null;
      const model = searchParams.get('model')!;
      return { sound: request.body, language: model.split('_')[0]!, model };
    },
    answer: ({ text, words }) =>
      JSON.stringify({
        result_index: 0,
        results:
          text === ''
            ? []
            : [
                {
                  final: true,
                  alternatives: [
                    {
                      transcript: `${text} `,
                      confidence: 0.91,
                      timestamps: words.map((word) => [word.text, word.start, word.end]),
                      word_confidence: words.map((word) => [word.text, 0.9]),
                    },
                  ],
                },
              ],
      }),
  },
  'wit-ai': {
    authorization: bearer,
    error: (_, error) => JSON.stringify({ error, code: 'no-auth' }),
    told: async (request) =>
      request.url.pathname === '/dictation' && isWav(request)
        ? { sound: request.body, language: null, model: null }
        : null,
    answer: ({ text, words }) =>
      [
        { text: text.slice(0, 3), type: 'PARTIAL_TRANSCRIPTION' },
        {
          is_final: true,
          speech: {
            confidence: 0.9,
            tokens: words.map(({ text: token, start, end }) => ({
              confidence: 0.8,
              start: ms(start),
              end: ms(end),
              token,
            })),
          },
          text,
          type: 'FINAL_TRANSCRIPTION',
        },
      ]
        .map((value) => JSON.stringify(value, null, 2))
        .join('\r\n'),
  },
  baidu: {
    authorization: bearer,
    error: (_, err_msg) => JSON.stringify({ err_no: 3302, err_msg, sn: '1' }),
    async told({ url, body }) {
      const { format, rate, channel, len, speech, dev_pid, cuid } = json(body);
      const sound = Buffer.from(speech as string, 'base64');
      if (url.pathname !== '/server_api' || format !== 'wav' || rate !== 16_000 || channel !== 1 || !cuid) return null;
      if (len !== sound.length) return null;
      return {
        sound,
        language: { 1537: 'zh', 1737: 'en', 1637: 'yue', 1837: 'zh-CN-sichuan' }[dev_pid as number] ?? null,
        model: String(dev_pid),
      };
    },
    answer: ({ text }) => JSON.stringify({ corpus_no: '6', err_no: 0, err_msg: 'success.', result: [text], sn: '7' }),
  },
  elevenlabs: {
    authorization: (key) => ['xi-api-key', key],
    error: (_, message) => JSON.stringify({ detail: { status: 'invalid_api_key', message } }),
    async told({ url, form }) {
      if (url.pathname !== '/v1/speech-to-text') return null;
      return {
        sound: await fileOf(form, 'file'),
        language: form!.get('language_code') as string | null,
        model: form!.get('model_id') as string,
      };
    },
    answer: ({ text, words }) =>
      JSON.stringify({
        language_code: 'eng',
        language_probability: 1,
        text,
        words: words.flatMap(({ text: word, start, end }) => [
          { text: word, start, end, type: 'word', logprob: -0.1 },
          { text: ' ', start: end, end, type: 'spacing', logprob: 0 },
        ]),
      }),
  },
  'rev-ai': {
    authorization: bearer,
    error: (status, title) => JSON.stringify({ title, status }),
    jobs: {
      submitPath: '/speechtotext/v1/jobs',
      async submitted({ form }) {
        const { metadata, language, transcriber } = members(JSON.parse(form!.get('options') as string));
        return {
          sound: await fileOf(form, 'media'),
          mark: metadata as string,
          language: language as string,
          model: transcriber as string,
        };
      },
      created: (id) => JSON.stringify({ id, created_on: '2026-03-03T10:00:00Z', status: 'in_progress', type: 'async' }),
      listed: (jobs) => JSON.stringify(jobs.map(({ id, mark }) => ({ id, metadata: mark, status: 'in_progress' }))),
      status: (id, state) =>
        JSON.stringify({
          id,
          status: { waiting: 'in_progress', done: 'transcribed', failed: 'failed' }[state],
          ...(state === 'failed' ? { failure: 'empty_media', failure_detail: 'no speech' } : {}),
        }),
      resultPath: (id) => `/speechtotext/v1/jobs/${id}/transcript`,
      result: ({ words }) =>
        JSON.stringify({
          monologues: [
            {
              speaker: 0,
              elements: words.flatMap(({ text, start, end }, index) => [
                ...(index === 0 ? [] : [{ type: 'punct', value: ' ' }]),
                { type: 'text', value: text, ts: start, end_ts: end, confidence: 0.9 },
              ]),
            },
          ],
        }),
    },
  },
  assemblyai: {
    authorization: (key) => ['authorization', key],
    error: (_, error) => JSON.stringify({ error }),
    jobs: {
      uploadPath: '/v2/upload',
      uploaded: (upload_url) => JSON.stringify({ upload_url }),
      submitPath: '/v2/transcript',
      async submitted({ body }) {
        const { audio_url, language_code, speech_models } = json(body);
        return {
          sound: audio_url as string,
          mark: audio_url as string,
          language: language_code as string,
          model: (speech_models as string[])[0]!,
        };
      },
      created: (id) => JSON.stringify({ id, status: 'queued' }),
      listed: (jobs) =>
        JSON.stringify({
          page_details: { limit: 200 },
          transcripts: jobs.map(({ id, mark }) => ({ id, audio_url: mark, status: 'queued' })),
        }),
      status: (id, state, spoken) =>
        JSON.stringify({
          id,
          status: { waiting: 'processing', done: 'completed', failed: 'error' }[state],
          ...(state === 'failed' ? { error: 'empty_media' } : {}),
          ...(spoken && {
            text: spoken.text,
            confidence: 0.9,
            words: spoken.words.map(({ text, start, end }) => ({
              text,
              start: ms(start),
              end: ms(end),
              confidence: 0.9,
            })),
          }),
        }),
    },
  },
  gladia: {
    authorization: (key) => ['x-gladia-key', key],
    error: (statusCode, message) => JSON.stringify({ statusCode, message }),
    jobs: {
      uploadPath: '/v2/upload',
      uploaded: (audio_url) => JSON.stringify({ audio_url }),
      submitPath: '/v2/pre-recorded',
      async submitted({ body }) {
        const { audio_url, custom_metadata, language_config, model } = json(body);
        const { mark } = members(custom_metadata);
        const [language] = (members(language_config).languages ?? []) as string[];
        return { sound: audio_url as string, mark: mark as string, language: language ?? null, model: model as string };
      },
      created: (id) => JSON.stringify({ id, result_url: `https://api.gladia.io/v2/pre-recorded/${id}` }),
      listed: (jobs) => JSON.stringify({ items: jobs.map(({ id, mark }) => ({ id, custom_metadata: { mark } })) }),
      status: (id, state, spoken) =>
        JSON.stringify({
          id,
          status: { waiting: 'queued', done: 'done', failed: 'error' }[state],
          ...(state === 'failed' ? { error_code: 'empty_media' } : {}),
          ...(spoken && {
            result: {
              transcription: {
                full_transcript: spoken.text,
                utterances: [
                  {
                    language: 'en',
                    words: spoken.words.map(({ text, start, end }) => ({
                      word: ` ${text}`,
                      start,
                      end,
                      confidence: 0.9,
                    })),
                  },
                ],
              },
            },
          }),
        }),
    },
  },
  speechmatics: {
    authorization: bearer,
    error: (code, error) => JSON.stringify({ code, error, detail: error }),
    jobs: {
      submitPath: '/v2/jobs',
      async submitted({ form }) {
        const { tracking, transcription_config } = members(JSON.parse(form!.get('config') as string));
        const { language, language_hints = [], model } = members(transcription_config);
        return {
          sound: await fileOf(form, 'data_file'),
          mark: members(tracking).reference as string,
          language: [language, ...(language_hints as string[])].join(' '),
          model: model as string,
        };
      },
      created: (id) => JSON.stringify({ id }),
      listed: (jobs) =>
        JSON.stringify({ jobs: jobs.map(({ id, mark }) => ({ id, config: { tracking: { reference: mark } } })) }),
      status: (id, state) =>
        JSON.stringify({
          job: {
            id,
            status: { waiting: 'running', done: 'done', failed: 'rejected' }[state],
            ...(state === 'failed' ? { errors: [{ message: 'empty_media' }] } : {}),
          },
        }),
      resultPath: (id) => `/v2/jobs/${id}/transcript`,
      result: ({ words }, id) =>
        JSON.stringify({
          format: '2.9',
          job: { id, created_at: '2026-03-03T10:00:00.000Z', data_name: 'clip.wav', duration: 1 },
          metadata: { language_pack_info: { word_delimiter: ' ' } },
          results: [
            ...words.map(({ text, start, end }) => ({
              type: 'word',
              start_time: start,
              end_time: end,
              alternatives: [{ content: text, confidence: 1 }],
            })),
          ],
        }),
    },
  },
};
