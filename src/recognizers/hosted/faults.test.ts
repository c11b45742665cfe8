import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { RecognitionError } from '../contract.ts';
import { plainServices } from '../testing/tones.ts';
import { hosted } from './hosted.ts';
import { hostedServices, type ServiceName, serviceNames } from './services.ts';
import {
  type ServiceServerOptions,
  serviceEnvironment,
  serviceOptions,
  startServiceServer,
} from './testing/service-server.ts';
import { vendors } from './testing/vendors.ts';

const key = 'key-of-a-test-0123456789abcdef';
const services = plainServices(tmpdir(), serviceEnvironment(key));
const clip = { samples: Float32Array.from({ length: 1600 }, (_, n) => Math.sin(n / 7) / 3), sampleRate: 16_000 };
const request = { clip, language: 'en', utteranceId: 'a', conditionName: 'clean', repeat: 0 };
const json = { 'Content-Type': 'application/json' };

interface Fault {
  readonly what: string;
  answer(response: ServerResponse, error: (status: number) => string): void;
  readonly kind: string;
  readonly retryable: boolean;
  readonly retryAfterSeconds?: number;
  readonly message: RegExp;
}

/** A refusal in the vendor's own words, which tells the key it was sent. */
const status =
  (code: number, headers: Record<string, string> = {}): Fault['answer'] =>
  (response, error) =>
    void response.writeHead(code, { ...json, ...headers }).end(error(code));

const faults: readonly Fault[] = [
  {
    what: '401',
    answer: status(401),
    kind: 'refused',
    retryable: false,
    message: /^the server answered 401: .*; check the key in EARWITNESS_TEST_KEY$/,
  },
  {
    what: '402',
    answer: status(402),
    kind: 'refused',
    retryable: false,
    message: /^the server answered 402: .*; the account has no money or no plan for this$/,
  },
  {
    what: '403',
    answer: status(403),
    kind: 'refused',
    retryable: false,
    message: /^the server answered 403: .*; check the key in EARWITNESS_TEST_KEY$/,
  },
  {
    what: '413',
    answer: status(413),
    kind: 'refused',
    retryable: false,
    message: /^the server answered 413: .*; the sound is too large for this service$/,
  },
  {
    what: '429 with Retry-After',
    answer: status(429, { 'Retry-After': '7' }),
    kind: 'unavailable',
    retryable: true,
    retryAfterSeconds: 7,
    message: /^the server answered 429: /,
  },
  { what: '500', answer: status(500), kind: 'unavailable', retryable: true, message: /^the server answered 500: / },
  {
    what: '503 with a page',
    answer: (response) => void response.writeHead(503, { 'Content-Type': 'text/html' }).end('<html>'),
    kind: 'unavailable',
    retryable: true,
    message: /^the server answered 503$/,
  },
  {
    what: 'half a body',
    answer(response) {
      response.writeHead(200, { ...json, 'Content-Length': '100' });
      response.write('{"text": "hel', () => response.socket!.destroy());
    },
    kind: 'garbage',
    retryable: true,
    message: /^the connection closed in the middle of the answer, after 13 bytes$/,
  },
  {
    what: 'half of its JSON',
    answer: (response) => void response.writeHead(200, json).end(`{"a": "${key}`),
    kind: 'garbage',
    retryable: false,
    message: /^the server answered with no JSON: \{"a": "\[key\]$/,
  },
  {
    what: 'other JSON',
    answer: (response) => void response.writeHead(200, json).end('{"hello": [1]}'),
    kind: 'garbage',
    retryable: false,
    message: /^the server answered with JSON without /,
  },
  {
    what: 'JSON that is no object',
    answer: (response) => void response.writeHead(200, json).end('{"results": 7, "id": {}, "text": null}'),
    kind: 'garbage',
    retryable: false,
    message: /^the server answered with JSON without /,
  },
];

async function failure(
  service: ServiceName,
  misbehaving: Pick<ServiceServerOptions, 'misbehave' | 'fails'>,
  signal = new AbortController().signal,
): Promise<RecognitionError> {
  await using server = await startServiceServer(service, { key, recognize: async () => 'fine', ...misbehaving });
  const options = serviceOptions(service, server);
  const recognizer = await hosted.open(hosted.options.parse(options), services);
  try {
    const heard = await recognizer.recognize(request, signal);
    throw new Error(`expected a failure, got ${JSON.stringify(heard)}`);
  } catch (error) {
    assert.ok(error instanceof RecognitionError, String(error));
    assert.ok(!inspect(error, { depth: 10, showHidden: true }).includes(key), 'the key stands in the error');
    return error;
  } finally {
    await recognizer.close();
  }
}

/** How many questions a clip takes where all goes well: each of them can go wrong. */
async function questions(service: ServiceName): Promise<number> {
  await using server = await startServiceServer(service, { key, recognize: async () => 'fine' });
  const options = serviceOptions(service, server);
  const recognizer = await hosted.open(hosted.options.parse(options), services);
  await recognizer.recognize(request, new AbortController().signal);
  await recognizer.close();
  return server.requests.length;
}

for (const service of serviceNames) {
  const error = (code: number) => vendors[service].error(code, `not with ${key}`);
  test(`${service}: whatever goes wrong with any of its calls is a failure with its kind, without the key`, async () => {
    const calls = await questions(service);
    assert.equal(calls > 2, 'submit' in hostedServices[service]);
    for (let broken = 1; broken <= calls; broken++) {
      for (const { what, answer, kind, retryable, retryAfterSeconds, message } of faults) {
        const thrown = await failure(service, {
          misbehave(_, response, number) {
            if (number === broken) answer(response, error);
            return number === broken;
          },
        });
        const where = `${what} in answer ${broken} of ${calls}: ${thrown.message}`;
        assert.deepEqual(
          [thrown.kind, thrown.retryable, thrown.retryAfterSeconds],
          [kind, retryable, retryAfterSeconds],
          where,
        );
        assert.match(thrown.message, message, where);
      }
    }
  });

  test(`${service}: a socket that never answers, or trickles, is given up at once`, async () => {
    for (const trickles of [false, true]) {
      const started = performance.now();
      const thrown = await failure(
        service,
        {
          misbehave(_, response) {
            if (trickles) response.writeHead(200, json).write('{');
            return true;
          },
        },
        AbortSignal.timeout(100),
      );
      assert.ok(performance.now() - started < 10_000);
      assert.match(thrown.message, /was given up/);
    }
  });

  if ('submit' in hostedServices[service]) {
    test(`${service}: a job that the service gives up is refused in its words`, async () => {
      const thrown = await failure(service, { fails: true });
      assert.deepEqual([thrown.kind, thrown.retryable], ['refused', false]);
      assert.match(thrown.message, /^the service gave the job up: .*empty_media/);
    });
  }
}

test('what is wrong with status 200 is told in the words of the service, and asked again where that can help', async () => {
  const hint = { 401: '; check the key in EARWITNESS_TEST_KEY', 402: '; the account has no money or no plan for this' };
  const tooLarge = '; the sound is too large for this service';
  const baidu = (err_no: number) => JSON.stringify({ err_no, err_msg: `no: ${key}`, sn: '1' });
  const said = JSON.stringify({ text: 'please call stella', type: 'FINAL_TRANSCRIPTION', is_final: true });
  const wit = (code: string) => JSON.stringify({ error: `no: ${key}`, code });
  const ibm = (code: unknown) => JSON.stringify({ error: `no: ${key}`, code, code_description: 'what it is' });
  // Nothing was heard where a status that says the same has it so; wit.ai said something before.
  const cases: [ServiceName, body: string, kind: string, retryable: boolean, unheard: boolean, end: string][] = [
    ['baidu', baidu(3302), 'refused', false, true, `no: [key] (3302)${hint[401]}`],
    ['baidu', baidu(3305), 'refused', false, true, `no: [key] (3305)${hint[402]}`],
    ['baidu', baidu(3310), 'refused', false, true, `no: [key] (3310)${tooLarge}`],
    ['baidu', baidu(3311), 'refused', false, false, 'no: [key] (3311)'],
    ['baidu', baidu(3304), 'unavailable', true, true, 'no: [key] (3304)'],
    ['baidu', baidu(3303), 'unavailable', true, false, 'no: [key] (3303)'],
    ['wit-ai', wit('no-auth'), 'refused', false, true, `no: [key] (no-auth)${hint[401]}`],
    ['wit-ai', wit('msg-body'), 'refused', false, false, 'no: [key] (msg-body)'],
    ['wit-ai', said + wit('timeout'), 'unavailable', true, false, 'no: [key] (timeout)'],
    ['wit-ai', said + wit('msg-body'), 'unavailable', true, false, 'no: [key] (msg-body)'],
    ['ibm', ibm(408), 'unavailable', true, false, 'no: [key]'],
    ['ibm', ibm(500), 'unavailable', true, false, 'no: [key]'],
    ['ibm', ibm(503), 'unavailable', true, false, 'no: [key]'],
    ['ibm', ibm(429), 'unavailable', true, true, 'no: [key]'],
    ['ibm', ibm(400), 'refused', false, false, 'no: [key]'],
    ['ibm', ibm('none'), 'refused', false, false, 'no: [key]'],
  ];
  for (const [service, body, kind, retryable, unheard, end] of cases) {
    const thrown = await failure(service, {
      misbehave: (_, response) => !!response.writeHead(200, json).end(body),
    });
    assert.equal(thrown.message, `the service answered: ${end}`);
    assert.deepEqual([thrown.kind, thrown.retryable, thrown.unheard], [kind, retryable, unheard], body);
  }
});

test('words of wit.ai that never became final are no transcript', async () => {
  const said = { text: 'please call stella', type: 'FINAL_TRANSCRIPTION', is_final: true };
  const begun = { text: 'ask her to', type: 'PARTIAL_TRANSCRIPTION' };
  const thrown = await failure('wit-ai', {
    misbehave: (_, response) => !!response.writeHead(200, json).end(JSON.stringify(said) + JSON.stringify(begun)),
  });
  assert.deepEqual([thrown.kind, thrown.retryable], ['garbage', false]);
  assert.match(thrown.message, /^the server answered with JSON without a transcript: /);
});
