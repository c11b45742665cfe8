import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../cli/testing/run-command.ts';
import { awsTestKeys } from '../../http/testing/verify-aws-signature.ts';
import { RecognitionError } from '../contract.ts';
import { plainServices } from '../testing/tones.ts';
import { awsTranscribe } from './aws-transcribe.ts';
import { hosted } from './hosted.ts';
import { awsState } from './testing/aws-server.ts';
import {
  type ServiceServer,
  type ServiceServerOptions,
  serviceEnvironment,
  serviceOptions,
  startServiceServer,
} from './testing/service-server.ts';

const key = 'secret-of-a-test/0123456789abcdef+';
const clip = { samples: new Float32Array(1600).fill(0.1), sampleRate: 16_000 };
const request = { clip, language: 'en', utteranceId: 'a', conditionName: 'clean', repeat: 0, key: 'trial' };
const start = (more: Partial<ServiceServerOptions> = {}) =>
  startServiceServer('aws-transcribe', { key, recognize: async () => 'all is well', ...more });

async function hear(server: ServiceServer, folder: string, more: object = {}, signal = new AbortController().signal) {
  const told: string[] = [];
  const services = {
    ...plainServices(folder, serviceEnvironment(key)),
    ...{ jobsFolder: join(folder, 'jobs'), progress: (text: string) => void told.push(text) },
  };
  const options = { ...serviceOptions('aws-transcribe', server), ...more };
  const recognizer = await hosted.open(hosted.options.parse(options), services);
  try {
    let free = false;
    const alreadyPaid = async () => {
      free = true;
    };
    const heard = await recognizer.recognize({ ...request, alreadyPaid }, signal).catch((error: unknown) => error);
    return { told, heard, free };
  } finally {
    await recognizer.close();
  }
}

const targetOf = ({ method, headers }: { method: string; headers: Readonly<Record<string, unknown>> }) =>
  String(headers['x-amz-target'] ?? method).replace('Transcribe.', '');

test('a clip is put into the bucket, heard, and removed with its job; the address of the transcript is asked without keys', async () => {
  await using folder = await temporaryFolder();
  await using server = await start();
  const { heard } = await hear(server, folder.path, { model: 'our-words' });
  assert.equal((heard as { text: string }).text, 'all is well');
  const [start_, poll, remove] = ['StartTranscriptionJob', 'GetTranscriptionJob', 'DeleteTranscriptionJob'];
  assert.deepEqual(server.requests.map(targetOf), ['PUT', start_, poll, poll, 'GET', 'DELETE', remove]);
  assert.equal(server.requests[4]!.headers.authorization, undefined);
  const sent = JSON.parse(server.requests[1]!.body.toString('utf8'));
  const { TranscriptionJobName: name, Media, ...rest } = sent;
  assert.deepEqual(Media, { MediaFileUri: `s3:/${server.requests[0]!.url.pathname}` });
  assert.ok(server.requests[0]!.url.pathname.endsWith(`/earwitness/${name}.wav`));
  assert.deepEqual(rest, {
    ...{ MediaFormat: 'wav', MediaSampleRateHertz: 16_000, LanguageCode: 'en-US' },
    ModelSettings: { LanguageModelName: 'our-words' },
  });
});

test('failures are what AWS calls them, whatever their status', async () => {
  await using folder = await temporaryFolder();
  const json = (name: string) => JSON.stringify({ __type: name, Message: `no: ${key}` });
  const xml = (name: string) =>
    `<?xml version="1.0"?>\n<Error><Code>${name}</Code><Message>no: ${key}</Message></Error>`;
  const cases: [target: string, status: number, body: string, kind: string, message: RegExp][] = [
    ['PUT', 503, xml('SlowDown'), 'unavailable', /^the server answered 503: SlowDown: no: \[key\]$/],
    ['PUT', 403, xml('AccessDenied'), 'refused', /^the server answered 403: AccessDenied: .*; check the key in EARW/],
    [
      'PUT',
      404,
      xml('NoSuchBucket'),
      'refused',
      /^the server answered 404: NoSuchBucket: .*; check model, region, bucket/,
    ],
    ['PUT', 400, xml('RequestTimeout'), 'unavailable', /^the server answered 400: RequestTimeout/],
    [
      'StartTranscriptionJob',
      400,
      json('ThrottlingException'),
      'unavailable',
      /^the server answered 400: no: \[key\]$/,
    ],
    ['StartTranscriptionJob', 429, json('LimitExceededException'), 'unavailable', /429/],
    [
      'StartTranscriptionJob',
      400,
      json('AccessDeniedException'),
      'refused',
      /400: .*; check the key in EARWITNESS_TEST_KEY$/,
    ],
    ['StartTranscriptionJob', 400, json('BadRequestException'), 'refused', /400: no: \[key\]$/],
    ['GetTranscriptionJob', 500, json('InternalFailureException'), 'unavailable', /500/],
    ['GetTranscriptionJob', 400, json('ExpiredTokenException'), 'refused', /; check the key/],
  ];
  for (const [place, [target, status, body, kind, message]] of cases.entries()) {
    await using server = await start({
      misbehave(asked, response) {
        if (targetOf(asked) !== target) return false;
        response.writeHead(status, { 'Content-Type': 'application/xml' }).end(body);
        return true;
      },
    });
    const { heard } = await hear(server, join(folder.path, String(place)));
    assert.ok(heard instanceof RecognitionError, String(heard));
    assert.deepEqual([heard.kind, heard.retryable], [kind, kind === 'unavailable'], heard.message);
    assert.match(heard.message, message);
    // What was refused lies nowhere: neither the clip nor a note of it.
    if (kind === 'refused' && target !== 'GetTranscriptionJob') {
      assert.equal(awsState(server.jobs).objects.size, 0);
      assert.deepEqual(await readdir(join(folder.path, String(place), 'jobs')), []);
    }
  }
});

test('what a given-up call left in the bucket is told at the next start, and removed when its trial is asked again', async () => {
  await using folder = await temporaryFolder();
  const abort = new AbortController();
  await using server = await start({
    dealtWith(asked) {
      if (targetOf(asked) === 'GetTranscriptionJob') abort.abort();
      return true;
    },
  });
  const { heard } = await hear(server, folder.path, {}, abort.signal);
  assert.ok(heard instanceof RecognitionError);
  assert.equal(awsState(server.jobs).objects.size, 1);
  const again = await hear(server, folder.path);
  assert.match(
    again.told.join(),
    /^AWS Transcribe: 1 clip of earlier starts still lie.* in the bucket; .*asked again$/,
  );
  assert.deepEqual([(again.heard as { text: string }).text, again.free], ['all is well', true]);
  assert.deepEqual(
    [server.jobs.length, awsState(server.jobs).objects.size, awsState(server.jobs).deletedJobs.size],
    [1, 0, 1],
  );
  assert.deepEqual((await hear(server, folder.path)).told, []);
});

test('a job that was submitted and never acknowledged is there under its name, and is not submitted again', async () => {
  await using folder = await temporaryFolder();
  const abort = new AbortController();
  await using server = await start({
    dealtWith(asked) {
      if (abort.signal.aborted || targetOf(asked) !== 'StartTranscriptionJob') return true;
      abort.abort();
      return false;
    },
  });
  await hear(server, folder.path, {}, abort.signal);
  assert.equal((await hear(server, folder.path)).free, true);
  assert.deepEqual(
    server.requests.map(targetOf).filter((target) => /PUT|Start/.test(target)),
    [...['PUT', 'StartTranscriptionJob', 'StartTranscriptionJob']],
  );
  assert.equal(server.jobs.length, 1);
});

test('a clip that cannot be removed is a failure, and its transcript is kept for the next call, which pays nothing', async () => {
  await using folder = await temporaryFolder();
  let allowed = false;
  await using server = await start({
    misbehave(asked, response) {
      if (allowed || asked.method !== 'DELETE') return false;
      response.writeHead(403).end('<Error><Code>AccessDenied</Code><Message>not s3:DeleteObject</Message></Error>');
      return true;
    },
  });
  const { heard } = await hear(server, folder.path);
  assert.match(String(heard), /403: AccessDenied: not s3:DeleteObject/);
  allowed = true;
  const before = server.requests.length;
  const again = await hear(server, folder.path);
  assert.equal((again.heard as { text: string }).text, 'all is well');
  assert.deepEqual(server.requests.slice(before).map(targetOf), ['DELETE', 'DeleteTranscriptionJob']);
  const [note] = await readdir(join(folder.path, 'jobs'));
  const written = await readFile(join(folder.path, 'jobs', note!), 'utf8');
  for (const secret of [key, ...Object.values(awsTestKeys), 'presigned']) assert.ok(!written.includes(secret), secret);
});

test('keys go to no address but https, and none at all to the one that a service signed', async () => {
  await using folder = await temporaryFolder();
  await using elsewhere = await start();
  await using server = await start({
    misbehave(asked, response) {
      if (targetOf(asked) !== 'GetTranscriptionJob') return false;
      const job = { TranscriptionJobStatus: 'COMPLETED', Transcript: { TranscriptFileUri: `${elsewhere.baseUrl}/x` } };
      response.writeHead(200).end(JSON.stringify({ TranscriptionJob: job }));
      return true;
    },
  });
  const { heard } = await hear(server, folder.path);
  assert.match(String(heard), /gave an address that is not https: 127\.0\.0\.1/);
  assert.equal(elsewhere.requests.length, 0);
});

test('hosts are those that AWS names, and what is missing is said', async () => {
  const { address, bucketAddress } = awsTranscribe;
  assert.equal(address('eu-west-1'), 'https://transcribe.eu-west-1.amazonaws.com');
  assert.equal(address('cn-north-1'), 'https://transcribe.cn-north-1.amazonaws.com.cn');
  assert.equal(bucketAddress!('eu-west-1', 'mine'), 'https://mine.s3.eu-west-1.amazonaws.com');
  assert.equal(bucketAddress!('eu-west-1', 'my.own'), 'https://s3.eu-west-1.amazonaws.com/my.own');
  const open = (more: object, environment: object = {}) =>
    hosted.open(
      hosted.options.parse({ service: 'aws-transcribe', ...more }),
      plainServices('.', environment as Record<string, string>),
    );
  await assert.rejects(open({}), /^EarwitnessError: bucket: expected the name of an S3 bucket of yours/);
  await assert.rejects(open({ bucket: 'mine' }), /accessKeyIdVariable: .* AWS_ACCESS_KEY_ID, but it is not set/);
  await assert.rejects(open({ bucket: 'mine', baseUrl: 'https://proxy.example.com' }), /keyVariable: expected/);
  await assert.rejects(open({ service: 'deepgram', bucket: 'mine' }), /bucket: Deepgram reads from none; take it out/);
  assert.throws(() => hosted.options.parse({ service: 'aws-transcribe', bucket: 's3://mine' }), /without s3:\/\//);
});
