import type { Word } from '../../model/observation.ts';
import {
  codes,
  formCall,
  heard,
  items,
  type JobService,
  jsonCall,
  members,
  query,
  seconds,
  textIn,
  wordOf,
} from './service.ts';

/** https://docs.rev.ai/api/asynchronous/ (OpenAPI: jobs, jobs/{id}, jobs/{id}/transcript) */
const revAi: JobService = {
  title: 'Rev AI',
  documentation: 'https://docs.rev.ai/api/asynchronous/reference/',
  address: (region) => (region === 'eu' ? 'https://ec1.api.rev.ai' : 'https://api.rev.ai'),
  regions: ['us', 'eu'],
  models: ['machine', 'low_cost', 'fusion'],
  keyVariable: 'REVAI_ACCESS_TOKEN',
  authorize: (key) => ({ Authorization: `Bearer ${key}` }),
  price: null,
  billing: { minSeconds: 15, stepSeconds: 1 },
  concurrency: 8,
  languages: codes(`
    en ar bg ca cs da de el es fi fr he hi hr hu id it ja ko lt lv ms nl no pl pt ro ru sk sl sv ta te th tr
    uk vi cmn
  `),
  hasOtherLanguages: true,
  submit: ({ wav, model, language }, mark) =>
    formCall(
      '/speechtotext/v1/jobs',
      { name: 'media', wav },
      {
        options: JSON.stringify({
          metadata: mark,
          transcriber: model,
          skip_diarization: true,
          language,
        }),
      },
    ),
  jobId: (answer) => textIn(members(answer).id),
  find: {
    call: () => ({ path: `/speechtotext/v1/jobs${query({ limit: '1000' })}` }),
    read: (answer, mark) => textIn(items(answer).find(({ metadata }) => metadata === mark)?.id),
  },
  status: (id) => ({ path: `/speechtotext/v1/jobs/${id}` }),
  state(answer) {
    const { status, failure, failure_detail } = members(answer);
    if (status === 'failed') return { failed: `${textIn(failure) ?? 'failed'}: ${textIn(failure_detail) ?? ''}` };
    if (status === 'transcribed') return 'done';
    return status === 'in_progress' ? 'waiting' : null;
  },
  jobOf: (answer) => textIn(members(answer).id),
  result: (id) => ({
    path: `/speechtotext/v1/jobs/${id}/transcript`,
    headers: { Accept: 'application/vnd.rev.transcript.v1.0+json' },
  }),
  read(answer) {
    const { monologues } = members(answer);
    if (!Array.isArray(monologues)) return null;
    const elements = items(monologues).map((monologue) => items(monologue.elements));
    return heard(
      elements
        .map((parts) =>
          parts
            .map(({ value }) => textIn(value) ?? '')
            .join('')
            .trim(),
        )
        .join(' '),
      elements
        .flat()
        .flatMap(({ type, value, ts, end_ts, confidence }) =>
          type === 'text' ? wordOf(value, ts, end_ts, confidence) : [],
        ),
    );
  },
};

/**
 * https://www.assemblyai.com/docs/api-reference/transcripts/submit, …/upload, …/list (OpenAPI: github.com/AssemblyAI/assemblyai-api-spec,
 * openapi.yml), models: /docs/pre-recorded-audio/select-the-speech-model
 */
const assemblyai: JobService = {
  title: 'AssemblyAI',
  documentation: 'https://www.assemblyai.com/docs/api-reference/transcripts/submit',
  address: (region) => (region === 'eu' ? 'https://api.eu.assemblyai.com' : 'https://api.assemblyai.com'),
  regions: ['us', 'eu'],
  models: ['universal-2', 'assemblyai-stt-3-7', 'universal-3-5-pro'],
  keyVariable: 'ASSEMBLYAI_API_KEY',
  authorize: (key) => ({ Authorization: key }),
  price: { amount: 0.15 / 60, currency: 'USD', seen: '2026-10' },
  concurrency: 5,
  languages: codes('en en_au en_uk en_us de es fi fr hi it ja ko nl pl pt ru tr uk vi zh'),
  hasOtherLanguages: true,
  findsLanguage: true,
  upload: {
    call: ({ wav }) => ({ path: '/v2/upload', headers: { 'Content-Type': 'application/octet-stream' }, body: wav }),
    read: (answer) => textIn(members(answer).upload_url),
  },
  submit: ({ model, language }, _, uploaded) =>
    jsonCall('/v2/transcript', {
      audio_url: uploaded,
      speech_models: [model],
      ...(language === null ? { language_detection: true } : { language_code: language }),
    }),
  jobId: (answer) => textIn(members(answer).id),
  // Its list has no words of ours; the address of the sound, which nobody else has, is the mark.
  find: {
    call: () => ({ path: `/v2/transcript${query({ limit: '200' })}` }),
    read: (answer, _, uploaded) =>
      textIn(items(members(answer).transcripts).find(({ audio_url }) => audio_url === uploaded)?.id),
  },
  status: (id) => ({ path: `/v2/transcript/${id}` }),
  state(answer) {
    const { status, error, audio_url } = members(answer);
    // What an account lets expire, or somebody deletes, stays completed, with "Deleted by user." as its text.
    if (audio_url === 'http://deleted_by_user') return 'gone';
    if (status === 'error') return { failed: textIn(error) ?? 'no reason' };
    if (status === 'completed') return 'done';
    return status === 'queued' || status === 'processing' ? 'waiting' : null;
  },
  jobOf: (answer) => textIn(members(answer).id),
  read(answer) {
    const { text, words, confidence, language_code, speech_model_used } = members(answer);
    if (typeof text !== 'string') return null;
    return heard(
      text,
      items(words).flatMap((word) =>
        wordOf(word.text, seconds(word.start, 1000), seconds(word.end, 1000), word.confidence),
      ),
      { confidence, language: language_code, model: speech_model_used },
    );
  },
};

/** Gladia's, in both modes (github.com/gladiaio/sdk, packages/sdk-js/src/v2: TranscriptionLanguageCode of prerecorded and live). */
export const gladiaLanguages = codes(`
  en af am ar as az ba be bg bn bo br bs ca cs cy da de el es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy id
  is it ja jw ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd
  si sk sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo zh
`);

/** https://docs.gladia.io/api-reference/v2/pre-recorded/init, filter by custom_metadata: /chapters/pre-recorded-stt/features/custom-metadata */
const gladia: JobService = {
  title: 'Gladia',
  documentation: 'https://docs.gladia.io/api-reference/v2/pre-recorded/init',
  address: () => 'https://api.gladia.io',
  regions: [],
  models: ['solaria-1'],
  keyVariable: 'GLADIA_API_KEY',
  authorize: (key) => ({ 'x-gladia-key': key }),
  price: { amount: 0.61 / 60, currency: 'USD', seen: '2026-06' },
  concurrency: 3,
  languages: gladiaLanguages,
  findsLanguage: true,
  upload: {
    call: ({ wav }) => formCall('/v2/upload', { name: 'audio', wav }, {}),
    read: (answer) => textIn(members(answer).audio_url),
  },
  submit: ({ model, language }, mark, uploaded) =>
    jsonCall('/v2/pre-recorded', {
      audio_url: uploaded,
      model,
      custom_metadata: { mark },
      ...(language === null ? {} : { language_config: { languages: [language], code_switching: false } }),
    }),
  jobId: (answer) => textIn(members(answer).id),
  find: {
    call: (mark) => ({ path: `/v2/pre-recorded${query({ custom_metadata: JSON.stringify({ mark }) })}` }),
    read: (answer, mark) =>
      textIn(items(members(answer).items).find(({ custom_metadata }) => members(custom_metadata).mark === mark)?.id),
  },
  status: (id) => ({ path: `/v2/pre-recorded/${id}` }),
  state(answer) {
    const { status, error_code } = members(answer);
    if (status === 'error') return { failed: `error ${String(error_code)}` };
    if (status === 'done') return 'done';
    return status === 'queued' || status === 'processing' ? 'waiting' : null;
  },
  jobOf: (answer) => textIn(members(answer).id),
  read(answer) {
    const { full_transcript, utterances } = members(members(members(answer).result).transcription);
    if (typeof full_transcript !== 'string') return null;
    return heard(
      full_transcript,
      items(utterances).flatMap(({ words }) =>
        items(words).flatMap(({ word, start, end, confidence }) => wordOf(word, start, end, confidence)),
      ),
      { language: items(utterances)[0]?.language },
    );
  },
};

/** Speechmatics', in both modes; packs of two languages and more have names of their own. */
export const speechmaticsLanguages = codes(`
  en ar ba be bg bn ca cmn cs cy da de el eo es et eu fa fi fr ga gl he hi hr hu ia id it ja ko lt lv mn mr ms
  mt nl no pl pt ro ru sk sl sv sw ta th tl tr ug uk ur vi yue
`);

/**
 * https://docs.speechmatics.com/api-ref/batch/create-a-new-job (OpenAPI and languages: github.com/speechmatics/docs, spec/batch.yaml), Melia 1:
 * docs.speechmatics.com/speech-to-text/models, /speech-to-text/batch/input (language hints)
 */
const speechmatics: JobService = {
  title: 'Speechmatics',
  documentation: 'https://docs.speechmatics.com/api-ref/batch/create-a-new-job',
  address: (region) => `https://${region}.asr.api.speechmatics.com`,
  regions: ['eu1', 'us1', 'au1'],
  models: ['enhanced', 'standard', 'melia-1'],
  keyVariable: 'SPEECHMATICS_API_KEY',
  authorize: (key) => ({ Authorization: `Bearer ${key}` }),
  price: null,
  concurrency: 5,
  languages: speechmaticsLanguages,
  // Melia 1 takes no packs.
  languagesOf: (model) => (model === 'melia-1' ? speechmaticsLanguages : undefined),
  hasOtherLanguages: true,
  findsLanguage: true,
  submit: ({ wav, model, language }, mark) =>
    formCall(
      '/v2/jobs',
      { name: 'data_file', wav },
      {
        config: JSON.stringify({
          type: 'transcription',
          transcription_config:
            // It hears all languages at once, and takes one as a hint.
            model === 'melia-1'
              ? { language: 'multi', model, ...(language === null ? {} : { language_hints: [language] }) }
              : { language: language ?? 'auto', model },
          tracking: { reference: mark },
        }),
      },
    ),
  jobId: (answer) => textIn(members(answer).id),
  find: {
    call: () => ({ path: `/v2/jobs${query({ limit: '100' })}` }),
    read: (answer, mark) =>
      textIn(
        items(members(answer).jobs).find(({ config }) => members(members(config).tracking).reference === mark)?.id,
      ),
  },
  status: (id) => ({ path: `/v2/jobs/${id}` }),
  state(answer) {
    const { status, errors } = members(members(answer).job);
    if (status === 'deleted' || status === 'expired') return 'gone';
    if (status === 'rejected') return { failed: textIn(items(errors)[0]?.message) ?? status };
    if (status === 'done') return 'done';
    return status === 'running' ? 'waiting' : null;
  },
  jobOf: (answer) => textIn(members(members(answer).job).id),
  result: (id) => ({ path: `/v2/jobs/${id}/transcript${query({ format: 'json-v2' })}` }),
  read(answer) {
    const { results, metadata } = members(answer);
    if (!Array.isArray(results)) return null;
    const { word_delimiter } = members(members(metadata).language_pack_info);
    const { text, words } = joinedResults(results, textIn(word_delimiter) ?? ' ');
    return heard(text, words);
  },
};

/**
 * The text of Speechmatics' results, batch and real time alike.
 *
 * @param delimiter what stands between words: nothing in Japanese and Mandarin
 */
export function joinedResults(
  results: readonly unknown[],
  delimiter: string,
): { readonly text: string; readonly words: readonly Word[] } {
  let text = '';
  let attaches = true;
  const words = items(results).flatMap(({ type, alternatives, attaches_to, start_time, end_time }) => {
    const best = items(alternatives)[0] ?? {};
    const content = textIn(best.content) ?? '';
    const joins = attaches || content === '' || attaches_to === 'previous' || attaches_to === 'both';
    text += joins ? content : `${delimiter}${content}`;
    if (content !== '') attaches = attaches_to === 'next' || attaches_to === 'both';
    return type === 'punctuation' ? [] : wordOf(content, start_time, end_time, best.confidence);
  });
  return { text, words };
}

export const jobServices = { 'rev-ai': revAi, assemblyai, gladia, speechmatics } satisfies Record<string, JobService>;
