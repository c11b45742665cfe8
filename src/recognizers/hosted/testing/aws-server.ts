import { randomBytes } from 'node:crypto';
import { awsTestKeys, wrongAwsSignature } from '../../../http/testing/verify-aws-signature.ts';
import { members } from '../service.ts';
import type { Spoken, Vendor, VendorAnswer, VendorState, WireRequest } from './vendor.ts';

/** The bucket that the user of tests has. */
export const testBucket = 'clips-of-a-test';

const failure = (status: number, name: string, message: string): VendorAnswer => ({
  status,
  body: JSON.stringify({ __type: name, Message: message }),
});
const failureOfS3 = (status: number, code: string, message: string): VendorAnswer => ({
  status,
  type: 'application/xml',
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message><RequestId>4442587FB7D0A2F9</RequestId></Error>`,
});

/** What differs from run to run, of one server. */
interface AwsState {
  /** Objects of the bucket by their paths. */
  readonly objects: Map<string, Buffer>;
  readonly deletedJobs: Set<string>;
  /** Signed addresses of transcripts, by the signature. */
  readonly signed: Map<string, Spoken>;
}

const states = new WeakMap<readonly unknown[], AwsState>();

/** @param jobs those of the server */
export function awsState(jobs: readonly unknown[]): AwsState {
  const known = states.get(jobs) ?? { objects: new Map(), deletedJobs: new Set(), signed: new Map() };
  states.set(jobs, known);
  return known;
}

/**
 * AWS Transcribe and S3 behind one address, by the letter of botocore's `service-2.json` of both (transcribe 2017-10-26, by its JSON 1.1
 * protocol; s3 2006-03-01) and of the page "Data input and output" of the Transcribe guide. Every call is signed but those of transcripts,
 * whose address is.
 */
export const awsVendor: Vendor = {
  authorization: () => ['authorization', ''],
  error: (status, message) => {
    const name =
      { 401: 'UnrecognizedClientException', 403: 'AccessDeniedException', 429: 'LimitExceededException' }[status] ??
      (status >= 500 ? 'InternalFailureException' : 'BadRequestException');
    return JSON.stringify({ __type: name, Message: message });
  },
  async serve(request, state) {
    const { method, url, headers, body } = request;
    const { objects, signed } = awsState(state.jobs);
    if (method === 'GET') return transcriptAt(request, signed);
    const secrets = {
      ...{ accessKeyId: awsTestKeys.AWS_ACCESS_KEY_ID, sessionToken: awsTestKeys.AWS_SESSION_TOKEN },
      secret: state.key,
    };
    const target = `${url.pathname}${url.search}`;
    const wrong = wrongAwsSignature({ method, target, headers, body }, secrets);
    const object = url.pathname.startsWith(`/${testBucket}/`) ? url.pathname : null;
    // As AWS does, it tells what it was sent, and what it would have signed.
    const echo = `the request was signed wrongly: ${String(headers.authorization)} ${String(headers['x-amz-security-token'])} ${state.key}`;
    if (wrong !== null) return object === null ? failure(400, wrong, echo) : failureOfS3(403, wrong, echo);
    if (object !== null && method === 'PUT') {
      objects.set(object, body);
      return { status: 200, body: '' };
    }
    if (object !== null && method === 'DELETE') {
      objects.delete(object);
      return { status: 204, body: '' };
    }
    if (method !== 'POST' || url.pathname !== '/' || headers['content-type'] !== 'application/x-amz-json-1.1') {
      return failure(404, 'UnknownOperationException', 'no such operation');
    }
    return operate(String(headers['x-amz-target']), members(JSON.parse(body.toString('utf8'))), request, state);
  },
};

function transcriptAt({ url, headers }: WireRequest, signed: AwsState['signed']): VendorAnswer {
  const spoken = signed.get(url.searchParams.get('X-Amz-Signature') ?? '');
  if (!url.pathname.startsWith('/aws-transcribe-us-east-1-prod/') || spoken === undefined || headers.authorization)
    return failureOfS3(403, 'AccessDenied', 'Request has expired');
  return {
    status: 200,
    body: JSON.stringify({
      jobName: url.pathname.split('/').at(-2),
      accountId: '111122223333',
      status: 'COMPLETED',
      results: {
        language_code: 'en-US',
        transcripts: [{ transcript: spoken.text }],
        items: spoken.words.flatMap(({ text, start, end }, id) => [
          {
            ...{ id, type: 'pronunciation', alternatives: [{ confidence: '0.99', content: text }] },
            ...{ start_time: String(start), end_time: String(end) },
          },
          ...(id === 0 ? [{ type: 'punctuation', alternatives: [{ confidence: '0.0', content: ',' }] }] : []),
        ]),
      },
    }),
  };
}

async function operate(
  target: string,
  input: Readonly<Record<string, unknown>>,
  request: WireRequest,
  state: VendorState,
): Promise<VendorAnswer> {
  const { objects, deletedJobs, signed } = awsState(state.jobs);
  const name = String(input.TranscriptionJobName);
  const known = deletedJobs.has(name) ? undefined : state.jobs.find(({ id }) => id === name);
  const shown = (more: object) => ({
    status: 200,
    body: JSON.stringify({ TranscriptionJob: { TranscriptionJobName: name, MediaFormat: 'wav', ...more } }),
  });
  switch (target) {
    case 'Transcribe.StartTranscriptionJob': {
      if (known) return failure(400, 'ConflictException', 'The requested job name already exists.');
      const { LanguageCode, IdentifyLanguage, Media, MediaFormat, ModelSettings } = input;
      const [, path] = /^s3:\/(\/.+)$/.exec(String(members(Media).MediaFileUri)) ?? [];
      const sound = objects.get(path ?? '');
      if (!/^[0-9a-zA-Z._-]{1,200}$/.test(name) || MediaFormat !== 'wav' || !LanguageCode === !IdentifyLanguage)
        return failure(400, 'BadRequestException', '1 validation error detected');
      if (sound === undefined)
        return failure(400, 'BadRequestException', "The S3 URI that you provided can't be accessed.");
      const model = members(ModelSettings).LanguageModelName;
      await state.submit(name, sound, (LanguageCode as string) ?? null, (model as string) ?? null);
      return shown({ TranscriptionJobStatus: 'QUEUED' });
    }
    case 'Transcribe.GetTranscriptionJob': {
      if (!known)
        return failure(
          400,
          'BadRequestException',
          "The requested job couldn't be found. Check the job name and try again.",
        );
      const progress = state.progress(known);
      if (progress === 'waiting') return shown({ TranscriptionJobStatus: 'IN_PROGRESS' });
      if (progress === 'failed') return shown({ TranscriptionJobStatus: 'FAILED', FailureReason: 'empty_media' });
      const signature = randomBytes(32).toString('hex');
      signed.set(signature, known.spoken);
      const query = new URLSearchParams({
        'X-Amz-Security-Token': 'presigned-token-of-the-service//',
        'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
        'X-Amz-Credential': 'ASIATHESERVICESOWN01/20261125/us-east-1/s3/aws4_request',
        'X-Amz-Signature': signature,
      });
      const uri = `http://${String(request.headers.host)}/aws-transcribe-us-east-1-prod/111122223333/${name}/asrOutput.json?${query}`;
      return shown({ TranscriptionJobStatus: 'COMPLETED', Transcript: { TranscriptFileUri: uri } });
    }
    case 'Transcribe.DeleteTranscriptionJob':
      if (!known) return failure(400, 'BadRequestException', "The requested job couldn't be found.");
      deletedJobs.add(name);
      return { status: 200, body: '' };
    default:
      return failure(400, 'UnknownOperationException', 'no such operation');
  }
}
