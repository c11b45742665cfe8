import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { RecognitionError } from '../contract.ts';
import { plainServices } from '../testing/tones.ts';
import { startTranscriptionServer } from '../testing/transcription-server.ts';
import { openaiCompatible } from './openai-compatible.ts';

const key = 'sk-test-0123456789abcdefghij';
const services = plainServices(tmpdir(), { EARWITNESS_TEST_KEY: key });
const request = {
  clip: { samples: new Float32Array(160), sampleRate: 16_000 },
  utteranceId: 'a',
  conditionName: 'clean',
  repeat: 0,
  language: 'en',
};
const serverDate = 'Tue, 03 Mar 2026 10:00:00 GMT';

interface Misbehaviour {
  readonly what: string;
  answer(response: ServerResponse): void;
  readonly kind: string;
  readonly retryable: boolean;
  readonly retryAfterSeconds?: number;
  readonly message: RegExp;
}

const send = (status: number, headers: Record<string, string>, body: string) => (response: ServerResponse) =>
  void response.writeHead(status, headers).end(body);
const json = { 'Content-Type': 'application/json' };

const misbehaviours: readonly Misbehaviour[] = [
  {
    what: '429 with seconds',
    answer: send(429, { ...json, 'Retry-After': '7' }, '{"error":{"message":"slow down"}}'),
    kind: 'unavailable',
    retryable: true,
    retryAfterSeconds: 7,
    message: /^the server answered 429: slow down$/,
  },
  {
    what: '429 with a date, by the clock of the server',
    answer: send(429, { 'Retry-After': 'Tue, 03 Mar 2026 10:01:30 GMT', Date: serverDate }, ''),
    kind: 'unavailable',
    retryable: true,
    retryAfterSeconds: 90,
    message: /^the server answered 429$/,
  },
  {
    what: '429 for the rest of the day',
    answer: send(429, { 'Retry-After': '36000' }, ''),
    kind: 'unavailable',
    retryable: false,
    message: /^the server answered 429, to be asked again in 10\.0 hours$/,
  },
  {
    what: '429 without money',
    answer: send(429, json, '{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}'),
    kind: 'refused',
    retryable: false,
    message: /exceeded your quota$/,
  },
  {
    what: '503 with a page',
    answer: send(503, { 'Content-Type': 'text/html', 'Retry-After': 'soon' }, '<html>try later</html>'),
    kind: 'unavailable',
    retryable: true,
    message: /^the server answered 503$/,
  },
  {
    what: '400',
    answer: send(400, json, '{"detail":"verbose_json is\\u001b[2J not supported"}'),
    kind: 'refused',
    retryable: false,
    message: /^the server answered 400: verbose_json is⟨U\+001B⟩\[2J not supported$/,
  },
  {
    what: '401 that tells the key',
    answer: send(401, json, `{"error":{"message":"no such key: ${key}"}}`),
    kind: 'refused',
    retryable: false,
    message: /^the server answered 401: no such key: \[key\]; check the key in EARWITNESS_TEST_KEY$/,
  },
  {
    what: 'a refusal whose text would be cut in the middle of the key',
    answer: send(400, {}, `${'x'.repeat(290)}${key}`),
    kind: 'refused',
    retryable: false,
    message: /^the server answered 400: x{290}\[key\]$/,
  },
  {
    what: 'a web page',
    answer: send(200, { 'Content-Type': 'text/html' }, `<html>sign in, ${key}</html>`),
    kind: 'garbage',
    retryable: false,
    message: /^the server answered with a web page$/,
  },
  {
    what: 'half of its JSON',
    answer: send(200, json, `{"text": "hello ${key}`),
    kind: 'garbage',
    retryable: false,
    message: /^the server answered with no JSON: \{"text": "hello \[key\]$/,
  },
  {
    what: 'other JSON',
    answer: send(200, json, '[{"text": "hello"}]'),
    kind: 'garbage',
    retryable: false,
    message: /^the server answered with JSON without a text: /,
  },
  {
    what: 'a text that is none',
    answer: send(200, json, '{"text": null}'),
    kind: 'garbage',
    retryable: false,
    message: /JSON without a text: \{"text": null\}$/,
  },
  { what: 'nothing', answer: send(200, json, ''), kind: 'garbage', retryable: false, message: /with nothing$/ },
  {
    what: 'bytes',
    answer: (response) => void response.writeHead(200).end(Buffer.from([0xff, 0xfe, 0xfd])),
    kind: 'garbage',
    retryable: false,
    message: /no UTF-8 text: byte 1 \(0xff\) is not part of any UTF-8 character$/,
  },
  {
    what: 'a text with U+0000',
    answer: send(200, json, '{"text": "a\\u0000b"}'),
    kind: 'garbage',
    retryable: false,
    message: /with JSON that cannot be kept: "text" has the character U\+0000/,
  },
  {
    what: 'JSON that is deep',
    answer: send(200, json, `{"text": "a", "usage": ${'['.repeat(65)}${']'.repeat(65)}}`),
    kind: 'garbage',
    retryable: false,
    message: /"usage" has more than 64 lists and objects in each other$/,
  },
  {
    what: 'something that is no HTTP',
    answer: (response) => void response.socket!.end('hello\r\n\r\n'),
    kind: 'garbage',
    retryable: false,
    message: /^the server answered with something that is no HTTP \(HPE_\w+\)$/,
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
    what: 'a closed connection',
    answer: (response) => void response.socket!.destroy(),
    kind: 'unavailable',
    retryable: true,
    message: /^the server closed the connection without an answer$/,
  },
  {
    what: 'megabytes without end',
    answer(response) {
      response.writeHead(200, json);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(1 << 20, 0x20)));
      };
      response.on('drain', more).on('error', () => {});
      more();
    },
    kind: 'garbage',
    retryable: false,
    message: /^the server answered with more than 16777216 bytes$/,
  },
  {
    what: 'a redirect without an address',
    answer: send(302, {}, ''),
    kind: 'refused',
    retryable: false,
    message: /^the server redirects \(302\), which is not followed/,
  },
];

for (const { what, answer, kind, retryable, retryAfterSeconds, message } of misbehaviours) {
  test(`a server that answers with ${what}: no transcript, and ${retryable ? 'worth' : 'not worth'} asking again`, async () => {
    await using server = await startTranscriptionServer({
      key,
      recognize: async () => ({ text: 'fine' }),
      misbehave({ number }, response) {
        if (number === 1) answer(response);
        return number === 1;
      },
    });
    const error = await failure(server.baseUrl);
    assert.deepEqual([error.kind, error.retryable, error.retryAfterSeconds], [kind, retryable, retryAfterSeconds]);
    assert.match(error.message, message);
    assert.doesNotMatch(inspect(error, { depth: 10, showHidden: true }), new RegExp(key));
  });
}

test('a redirect carries neither sound nor key to another server', async () => {
  await using elsewhere = await startTranscriptionServer({ recognize: async () => ({ text: 'caught' }) });
  for (const status of [301, 302, 307, 308]) {
    await using server = await startTranscriptionServer({
      recognize: async () => ({ text: 'never' }),
      misbehave(_, response) {
        const location = `${elsewhere.baseUrl}/audio/transcriptions?key=${key}`;
        response.writeHead(status, { Location: location }).end();
        return true;
      },
    });
    const error = await failure(server.baseUrl);
    assert.equal(error.kind, 'refused');
    assert.match(error.message, /redirects \(30\d\) to http:\/\/127\.0\.0\.1:\d+\/v1\/audio\/transcriptions, which/);
    assert.doesNotMatch(error.message, new RegExp(key));
  }
  assert.equal(elsewhere.questions.length, 0);
});

test('a server that is not there can come back', async () => {
  const { baseUrl } = await (async () => {
    await using server = await startTranscriptionServer({ recognize: async () => ({ text: '' }) });
    return server;
  })();
  const error = await failure(baseUrl);
  assert.deepEqual([error.kind, error.retryable], ['unavailable', true]);
  const { host } = new URL(baseUrl);
  const sentence =
    'could not be reached (ECONNREFUSED: no server listens there); check baseUrl, and that the server runs';
  assert.equal(error.message, `${host} ${sentence}`);
});

test('a name that no server has is told, with what to check', async () => {
  const error = await failure('http://nobody.invalid:81/v1');
  assert.deepEqual([error.kind, error.retryable], ['unavailable', true]);
  // Without a network nobody can say that there is no such name.
  assert.match(
    error.message,
    /^nobody\.invalid:81 could not be reached \((ENOTFOUND: no server has this name|EAI_AGAIN: its name could not be looked up now)\); check baseUrl, /,
  );
});

test('a server that never answers, or trickles, is given up at once', async () => {
  for (const trickle of [false, true]) {
    await using server = await startTranscriptionServer({
      recognize: async () => ({ text: 'never' }),
      misbehave(_, response) {
        if (trickle) response.writeHead(200, json).write('{"text":');
        return true;
      },
    });
    const started = performance.now();
    const error = await failure(server.baseUrl, AbortSignal.timeout(100));
    assert.ok(performance.now() - started < 10_000);
    assert.equal(error.kind, 'error');
    assert.match(error.message, /^the call was given up/);
  }
});

test('a transcript that holds the key is kept without it, and one that holds a short word is kept as it came', async () => {
  const said = async (secret: string, text: string) => {
    await using server = await startTranscriptionServer({ recognize: async () => ({ text }) });
    const recognizer = await openaiCompatible.open(
      openaiCompatible.options.parse({ baseUrl: server.baseUrl, model: 'm', keyVariable: 'SECRET' }),
      plainServices(tmpdir(), { SECRET: secret }),
    );
    const heard = await recognizer.recognize(request, new AbortController().signal);
    await recognizer.close();
    return heard.text;
  };
  assert.equal(await said(key, `you sent ${key} to me`), 'you sent [key] to me');
  assert.equal(await said('none', 'none of them'), 'none of them');
});

async function failure(baseUrl: string, signal = new AbortController().signal): Promise<RecognitionError> {
  const written = { baseUrl, model: 'm', keyVariable: 'EARWITNESS_TEST_KEY' };
  const recognizer = await openaiCompatible.open(openaiCompatible.options.parse(written), services);
  try {
    const heard = await recognizer.recognize(request, signal);
    throw new Error(`expected a failure, got ${JSON.stringify(heard)}`);
  } catch (error) {
    assert.ok(error instanceof RecognitionError, String(error));
    return error;
  } finally {
    await recognizer.close();
  }
}
