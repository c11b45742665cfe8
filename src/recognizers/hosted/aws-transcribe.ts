import { jsonProblem, utf8Text } from '../../base/foreign-data.ts';
import { readAwsEvent, writeAwsEvent } from '../../http/aws-event-stream.ts';
import { awsStatus } from '../../http/aws-signature.ts';
import {
  codes,
  failed,
  heard,
  items,
  type JobService,
  type LiveService,
  members,
  query,
  type ServiceCall,
  type Stretch,
  seconds,
  textIn,
  together,
  wordOf,
} from './service.ts';

/** As AWS' own clients name hosts (botocore, `endpoint-rule-set-1.json` of transcribe and s3). */
const domain = (region: string) => (region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com');

const operation = (name: string, value: Readonly<Record<string, unknown>>): ServiceCall => ({
  path: '/',
  headers: { 'Content-Type': 'application/x-amz-json-1.1', 'X-Amz-Target': `Transcribe.${name}` },
  body: Buffer.from(JSON.stringify(value)),
});

/** The object of a job: nothing else of the bucket is touched. */
const objectOf = (mark: string) => `earwitness/${mark}.wav`;
const atS3 = /^s3:\/\/([^/]+)\/(.+)$/;

/**
 * https://docs.aws.amazon.com/transcribe/latest/APIReference/ (botocore, `data/transcribe/2017-10-26/service-2.json`: StartTranscriptionJob,
 * GetTranscriptionJob, DeleteTranscriptionJob) and https://docs.aws.amazon.com/AmazonS3/latest/API/ (PutObject, DeleteObject). The service
 * reads the clip from a bucket of the user's own; the name of a job, which is ours, is taken once, so that no job is looked for.
 */
export const awsTranscribe: JobService = {
  title: 'AWS Transcribe',
  documentation: 'https://docs.aws.amazon.com/transcribe/latest/APIReference/API_StartTranscriptionJob.html',
  address: (region) => `https://transcribe.${region}.${domain(region)}`,
  regions: ['us-east-1', 'us-west-2', 'eu-central-1', 'eu-west-1', 'ap-southeast-2', 'ap-northeast-1'],
  models: ['standard'],
  keyVariable: 'AWS_SECRET_ACCESS_KEY',
  authorize: () => ({}),
  signedFor: 'transcribe',
  bucketAddress: (region, bucket) =>
    // Certificates of S3 cover one name before the region's.
    bucket.includes('.')
      ? `https://s3.${region}.${domain(region)}/${bucket}`
      : `https://${bucket}.s3.${region}.${domain(region)}`,
  price: { amount: 0.024, currency: 'USD', seen: '2026-04' },
  billing: { minSeconds: 15, stepSeconds: 1 },
  concurrency: 10,
  languages: codes(`
    en-US en-AB en-AU en-GB en-IE en-IN en-NZ en-WL en-ZA af-ZA am-ET ar-SA ar-AE az-AZ bg-BG bn-IN bs-BA ca-ES
    cs-CZ cy-GB cy-WL da-DK de-DE de-CH el-GR es-ES es-MX es-US et-EE et-ET eu-ES fa-IR fa-AF fi-FI fr-FR fr-CA
    ga-IE gd-GB gl-ES gu-IN he-IL hi-IN hr-HR ht-HT hu-HU hy-AM id-ID is-IS it-IT ja-JP jv-ID ka-GE kk-KZ km-KH
    kn-IN ko-KR lt-LT lv-LV mi-NZ mk-MK ml-IN mn-MN mr-IN ms-MY mt-MT my-MM ne-NP nl-NL no-NO or-IN pa-IN pl-PL
    ps-AF pt-BR pt-PT ro-RO ru-RU rw-RW si-LK sk-SK sl-SI so-SO sq-AL sr-RS su-ID sv-SE sw-KE sw-TZ ta-IN te-IN
    th-TH tl-PH tr-TR uk-UA uz-UZ vi-VN zh-CN zh-HK zh-TW zu-ZA
  `),
  takesOtherRegions: true,
  findsLanguage: true,
  upload: {
    call: ({ wav, bucket }, mark) => ({
      to: { bucket: bucket! },
      method: 'PUT',
      path: `/${objectOf(mark)}`,
      headers: { 'Content-Type': 'audio/wav' },
      body: wav,
      answersNothing: true,
    }),
    read: (_, { bucket }, mark) => `s3://${bucket}/${objectOf(mark)}`,
  },
  submit: ({ sampleRate, model, language }, mark, uploaded) =>
    operation('StartTranscriptionJob', {
      TranscriptionJobName: mark,
      Media: { MediaFileUri: uploaded },
      MediaFormat: 'wav',
      MediaSampleRateHertz: sampleRate,
      ...(language === null ? { IdentifyLanguage: true } : { LanguageCode: language }),
      ...(model === 'standard' ? {} : { ModelSettings: { LanguageModelName: model } }),
    }),
  jobId: (answer) => textIn(members(members(answer).TranscriptionJob).TranscriptionJobName),
  status: (name) => operation('GetTranscriptionJob', { TranscriptionJobName: name }),
  state(answer) {
    const { TranscriptionJobStatus: status, FailureReason: reason } = members(members(answer).TranscriptionJob);
    if (status === 'FAILED') return { failed: textIn(reason) ?? 'no reason' };
    if (status === 'COMPLETED') return 'done';
    return status === 'QUEUED' || status === 'IN_PROGRESS' ? 'waiting' : null;
  },
  jobOf(answer) {
    const { TranscriptionJob, jobName } = members(answer);
    return textIn(members(TranscriptionJob).TranscriptionJobName ?? jobName);
  },
  result(_, status) {
    const { Transcript: file } = members(members(status).TranscriptionJob);
    const url = URL.parse(textIn(members(file).TranscriptFileUri) ?? '');
    return url === null ? null : { to: url };
  },
  read(answer) {
    const { transcripts, items: pieces, language_code } = members(members(answer).results);
    const texts = items(transcripts).map(({ transcript }) => textIn(transcript));
    if (!Array.isArray(transcripts) || texts.includes(null)) return null;
    return heard(
      texts.join(' '),
      items(pieces).flatMap(({ type, start_time, end_time, alternatives }) => {
        const { content, confidence } = items(alternatives)[0] ?? {};
        // All its numbers are texts.
        const [start, end, share] = [start_time, end_time, confidence].map((text) => seconds(numberIn(text), 1));
        return type === 'pronunciation' ? wordOf(content, start, end, share) : [];
      }),
      { language: language_code },
    );
  },
  cleanUp(name, uploaded) {
    const [, bucket, path] = atS3.exec(uploaded ?? '') ?? [];
    const calls: ServiceCall[] = [];
    if (bucket !== undefined) {
      calls.push({ to: { bucket }, method: 'DELETE', path: `/${path}`, answersNothing: true });
    }
    if (name !== null) {
      const call = operation('DeleteTranscriptionJob', { TranscriptionJobName: name });
      calls.push({ ...call, answersNothing: true });
    }
    return calls;
  },
};

function numberIn(text: unknown): number {
  return typeof text === 'string' && text !== '' ? Number(text) : Number.NaN;
}

const soundEvent = (samples: Uint8Array): Uint8Array =>
  writeAwsEvent(
    { ':content-type': 'application/octet-stream', ':event-type': 'AudioEvent', ':message-type': 'event' },
    samples,
  );

/**
 * https://docs.aws.amazon.com/transcribe/latest/dg/streaming-websocket.html (github.com/awsdocs/amazon-transcribe-developer-guide,
 * doc_source/websocket.md and API_streaming_*.md; languages: npm's @aws-sdk/client-transcribe-streaming, enums). Who opens the socket stands
 * signed in its address; messages are events, those that say what is wrong too; an empty one ends the sound, and closing the socket all.
 */
export const awsTranscribeLive: LiveService = {
  title: 'AWS Transcribe',
  documentation: 'https://docs.aws.amazon.com/transcribe/latest/dg/streaming-websocket.html',
  address: (region) => `https://transcribestreaming.${region}.${domain(region)}:8443`,
  regions: awsTranscribe.regions,
  models: ['standard'],
  keyVariable: 'AWS_SECRET_ACCESS_KEY',
  authorize: () => ({}),
  signedFor: 'transcribe',
  price: awsTranscribe.price,
  billing: { minSeconds: 15, stepSeconds: 1 },
  concurrency: 10,
  languages: codes(`
    en-US en-AB en-AU en-GB en-IE en-IN en-NZ en-WL en-ZA af-ZA am-ET ar-AE ar-SA be-BY bg-BG bn-IN bs-BA ca-ES
    cs-CZ cy-WL da-DK de-DE de-CH el-GR es-ES es-MX es-US et-ET eu-ES fa-IR fa-AF fi-FI fr-FR fr-CA gl-ES gu-IN
    he-IL hi-IN hr-HR ht-HT hu-HU hy-AM id-ID is-IS it-IT ja-JP jv-ID ka-GE kk-KZ km-KH kn-IN ko-KR lt-LT lv-LV
    mk-MK ml-IN mr-IN ms-MY my-MM ne-NP nl-NL no-NO or-IN pa-IN pl-PL ps-AF pt-BR pt-PT ro-RO ru-RU si-LK sk-SK
    sl-SI so-SO sq-AL sr-RS su-ID sv-SE sw-KE sw-TZ ta-IN te-IN th-TH tl-PH tr-TR uk-UA uz-UZ vi-VN zh-CN zh-HK
    zh-TW zu-ZA
  `),
  takesOtherRegions: true,
  path: ({ language, sampleRate, model }) =>
    `/stream-transcription-websocket${query({
      ...{ 'language-code': language, 'media-encoding': 'pcm', 'sample-rate': String(sampleRate) },
      'language-model-name': model === 'standard' ? null : model,
    })}`,
  sound: soundEvent,
  end: () => soundEvent(new Uint8Array(0)),
  endsByClosing: true,
  writing: {
    name: 'event of AWS',
    read(message) {
      const event = typeof message === 'string' ? null : readAwsEvent(message);
      if (event === null) return null;
      const read = utf8Text(event.payload);
      try {
        const body: unknown = 'text' in read ? JSON.parse(read.text) : undefined;
        return body === undefined || jsonProblem(body) !== null ? null : { headers: event.headers, body };
      } catch {
        return null;
      }
    },
  },
  follow() {
    const results = new Map<unknown, Stretch>();
    const open = new Set<unknown>();
    return ({ headers, body }) => {
      const told = members(headers);
      const wrong = told[':exception-type'] ?? told[':error-code'];
      if (wrong !== undefined) {
        const { Message, message = Message ?? told[':error-message'] } = members(body);
        const status = awsStatus(400, String(wrong), Buffer.alloc(0));
        return failed(status, `${String(wrong)}: ${textIn(message) ?? 'no reason'}`);
      }
      if (told[':event-type'] !== 'TranscriptEvent') return 'nothing';
      const { Results } = members(members(body).Transcript);
      if (!Array.isArray(Results)) return null;
      for (const { ResultId: id, IsPartial: isPartial, Alternatives } of items(Results)) {
        const best = items(Alternatives)[0] ?? {};
        const text = textIn(best.Transcript);
        if (text === null) return null;
        if (isPartial === true) open.add(id);
        else open.delete(id);
        results.set(id, {
          text,
          words: items(best.Items).flatMap(({ Type, Content, StartTime, EndTime, Confidence }) =>
            Type === 'pronunciation' ? wordOf(Content, StartTime, EndTime, Confidence) : [],
          ),
        });
      }
      return { heard: together(results.values()), final: open.size === 0 ? 'at the close' : false };
    };
  },
};
