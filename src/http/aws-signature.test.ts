import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awsAddressSigner, awsSecrets, awsSigner, awsStatus, readAwsKeys } from './aws-signature.ts';
import { wrongAwsAddress, wrongAwsSignature } from './testing/verify-aws-signature.ts';

const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY';
const suiteTime = new Date('2015-08-30T12:36:00Z');
const token = '6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267';

/**
 * AWS' published vectors: github.com/awslabs/aws-c-auth (Apache-2.0), tests/aws-signing-test-suite/v4/NAME/header-signed-request.txt, and
 * the last from docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, "PUT Object".
 */
const vectors = [
  {
    name: 'post-vanilla',
    ...{ method: 'POST', target: '/', signature: '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b' },
  },
  {
    name: 'get-vanilla-query-order-key-case',
    ...{ method: 'GET', target: '/?Param2=value2&Param1=value1' },
    signature: 'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  },
  {
    name: 'get-unreserved',
    ...{ method: 'GET', target: '/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz' },
    signature: '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f',
  },
  {
    name: 'get-vanilla-utf8-query',
    ...{ method: 'GET', target: `/?${encodeURIComponent('ሴ')}=bar` },
    signature: '2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04',
  },
  {
    name: 'get-vanilla-with-session-token',
    ...{ method: 'GET', target: '/', sessionToken: token },
    signature: '07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8',
  },
  {
    name: 'post-x-www-form-urlencoded',
    ...{ method: 'POST', target: '/', body: 'Param1=value1' },
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': '13',
      'x-amz-content-sha256': '9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e',
    },
    signature: 'd3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b',
  },
  {
    name: 'PUT of S3',
    ...{ method: 'PUT', host: 'examplebucket.s3.amazonaws.com', target: '/test%24file.text', service: 's3' },
    ...{ accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' },
    headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    ...{ body: 'Welcome to Amazon S3.', time: new Date('2013-05-24T00:00:00Z') },
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
].map((vector) => ({
  ...{ host: 'example.amazonaws.com', service: 'service', accessKeyId: 'AKIDEXAMPLE', secretAccessKey, headers: {} },
  ...{ body: '', time: suiteTime, sessionToken: null },
  ...vector,
}));

for (const vector of vectors) {
  const { name, method, host, target, service, accessKeyId, headers, time, sessionToken, signature } = vector;
  test(`signatures are those that AWS published, and the servers of tests know them: ${name}`, async () => {
    const keys = { accessKeyId, secretAccessKey: vector.secretAccessKey, sessionToken };
    const body = Buffer.from(vector.body);
    const call = { method: method as 'PUT', url: new URL(`https://${host}${target}`), headers, body };
    const added = await awsSigner(keys, service, 'us-east-1')(call, time);
    assert.equal(/Signature=(.*)$/.exec(added.authorization!)![1], signature);
    const wire = { method, target, headers: { host, ...headers, ...added }, body };
    const known = { accessKeyId, secret: vector.secretAccessKey, sessionToken };
    assert.equal(wrongAwsSignature(wire, known, time.getTime()), null);
    for (const [changed, wrong] of [
      [{ method: 'DELETE' }, 'SignatureDoesNotMatch'],
      [{ target: '/other' }, 'SignatureDoesNotMatch'],
      [{ headers: { ...wire.headers, host: 'evil.example.com' } }, 'SignatureDoesNotMatch'],
      [{ headers: { ...wire.headers, 'x-amz-target': 'Transcribe.Delete' } }, 'unsigned x-amz-target'],
    ] as const) {
      assert.equal(wrongAwsSignature({ ...wire, ...changed }, known, time.getTime()), wrong);
    }
    assert.match(
      wrongAwsSignature({ ...wire, body: Buffer.from('else') }, known, time.getTime())!,
      /DoesNotMatch|Mismatch/,
    );
    assert.equal(wrongAwsSignature(wire, known, time.getTime() + 301_000), 'RequestTimeTooSkewed');
  });
}

/** What AWS' library for Python makes of it (PyPI: botocore 1.44.8, SigV4QueryAuth). */
const addresses = [
  [null, 'bdf6edaed36feeb5a511d3f6e57b884827cd88e6f4c83bc1bf747a3a5c766548'],
  ['session/token+of=aws', 'a7919fb239014e0092029642ae172232336609ba019ea46bc3b2bcb9d4fd7ccc'],
] as const;

test('addresses are signed as botocore signs them, and the servers of tests know them', async () => {
  const host = 'transcribestreaming.eu-west-1.amazonaws.com:8443';
  const at = new Date('2026-03-03T10:00:00Z');
  for (const [sessionToken, signature] of addresses) {
    const url = new URL(
      `https://${host}/stream-transcription-websocket?language-code=en-US&media-encoding=pcm&sample-rate=16000`,
    );
    const keys = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey, sessionToken };
    const query = await awsAddressSigner(keys, 'transcribe', 'eu-west-1')(url, at);
    assert.deepEqual(query, {
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': 'AKIDEXAMPLE/20260303/eu-west-1/transcribe/aws4_request',
      'X-Amz-Date': '20260303T100000Z',
      'X-Amz-Expires': '300',
      'X-Amz-SignedHeaders': 'host',
      ...(sessionToken === null ? {} : { 'X-Amz-Security-Token': sessionToken }),
      'X-Amz-Signature': signature,
    });
    for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
    const known = { accessKeyId: 'AKIDEXAMPLE', secret: secretAccessKey, sessionToken };
    assert.equal(wrongAwsAddress(url, known, at.getTime()), null);
    assert.equal(wrongAwsAddress(url, known, at.getTime() + 301_000), 'RequestExpired');
    const other = new URL(url);
    other.searchParams.set('language-code', 'de-DE');
    assert.equal(wrongAwsAddress(other, known, at.getTime()), 'SignatureDoesNotMatch');
    assert.equal(
      wrongAwsAddress(new URL(url.href.replace('8443', '8444')), known, at.getTime()),
      'SignatureDoesNotMatch',
    );
    assert.equal(wrongAwsAddress(url, { ...known, sessionToken: 'other' }, at.getTime()), 'InvalidToken');
  }
});

test('keys are read by the names of their variables; what is missing is said with what prints it', () => {
  const variables = { accessKeyIdVariable: 'ID', keyVariable: 'SECRET', sessionTokenVariable: 'TOKEN' };
  const read = (environment: Record<string, string>, more: object = {}) =>
    readAwsKeys({ ...variables, ...more }, (name) => environment[name]);
  const keys = read({ ID: 'AKIA', SECRET: 'hush' });
  assert.deepEqual(keys, { accessKeyId: 'AKIA', secretAccessKey: 'hush', sessionToken: null });
  assert.deepEqual(awsSecrets(read({ ID: 'AKIA', SECRET: 'hush', TOKEN: 'tok' })), ['hush', 'AKIA', 'tok']);
  assert.throws(
    () => read({ SECRET: 'hush' }),
    /^EarwitnessError: accessKeyIdVariable: .* variable ID, but .*export-credentials/,
  );
  assert.throws(() => read({ ID: 'AKIA' }), /keyVariable: .* variable SECRET, but/);
  assert.throws(
    () => read({ ID: 'AKIA' }, { keyVariable: null }),
    /keyVariable: .*as in keyVariable: AWS_SECRET_ACCESS_KEY/,
  );
  assert.throws(() => read({ ID: 'AKIA', SECRET: 'a b' }), /visible ASCII/);
});

test('a failure is what its name says, whatever status it came with', () => {
  const named = (status: number, name: string) =>
    awsStatus(status, null, Buffer.from(`{"__type":"com.amazonaws.transcribe#${name}"}`));
  assert.deepEqual(
    [
      named(400, 'ThrottlingException'),
      named(400, 'LimitExceededException'),
      named(400, 'InternalFailureException'),
      named(400, 'AccessDeniedException'),
      named(400, 'UnrecognizedClientException'),
      named(400, 'ConflictException'),
      named(400, 'BadRequestException'),
      named(503, 'ServiceUnavailable'),
      awsStatus(503, null, Buffer.from('<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>')),
      awsStatus(404, null, Buffer.from('<Error><Code>NoSuchBucket</Code></Error>')),
      awsStatus(400, 'ThrottlingException:http://internal.amazon.com/coral/', Buffer.alloc(0)),
      awsStatus(
        400,
        null,
        Buffer.from(`{"__type":"BadRequestException","Message":"The requested job couldn't be found."}`),
      ),
      awsStatus(418, null, Buffer.from('{"__type":')),
    ],
    [429, 429, 503, 403, 403, 409, 400, 503, 503, 404, 429, 404, 418],
  );
});
