import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import { awsTestKeys } from '../../http/testing/verify-aws-signature.ts';
import { RecognitionError, type RecognitionRequest } from '../contract.ts';
import { plainServices } from '../testing/tones.ts';
import { hosted, openHosted } from './hosted.ts';
import { liveServices } from './live-services.ts';
import { hastyClock, type LiveMoment, startLiveServer } from './testing/live-server.ts';
import { liveVendors, written } from './testing/live-vendors.ts';

const names = Object.keys(liveServices) as (keyof typeof liveServices)[];
const secret = 'secret-of-a-test-0123456789abcdef';
const keyOf = (name: string) => (name === 'iflytek' ? `testapp1:key-of-a-test-0123456789abcdef:${secret}` : secret);
const clip = { samples: Float32Array.from({ length: 3200 }, (_, n) => Math.sin(n / 7) / 3), sampleRate: 16_000 };
const request = { clip, language: 'en', utteranceId: 'a', conditionName: 'clean', repeat: 0 };

interface Expected {
  readonly kind: string;
  readonly retryable: boolean;
  readonly retryAfterSeconds?: number;
  readonly message: RegExp;
}

async function failure(
  name: keyof typeof liveServices,
  misbehave: (moment: LiveMoment) => boolean,
  asked: RecognitionRequest = request,
  signal = new AbortController().signal,
): Promise<RecognitionError> {
  await using server = await startLiveServer(name, { key: keyOf(name), recognize: async () => 'fine', misbehave });
  const options = { service: name, mode: 'streaming', baseUrl: server.baseUrl, keyVariable: 'EARWITNESS_TEST_KEY' };
  const services = plainServices(tmpdir(), { ...awsTestKeys, EARWITNESS_TEST_KEY: keyOf(name) });
  const recognizer = await openHosted(hosted.options.parse(options), services, hastyClock());
  try {
    const heard = await recognizer.recognize(asked, signal);
    throw new Error(`expected a failure, got ${JSON.stringify(heard)}`);
  } catch (error) {
    assert.ok(error instanceof RecognitionError, String(error));
    assert.ok(!inspect(error, { depth: 10, showHidden: true }).includes(secret), 'the key stands in the error');
    return error;
  } finally {
    await recognizer.close();
  }
}

function check(
  error: RecognitionError,
  { kind, retryable, retryAfterSeconds, message }: Expected,
  where: string,
): void {
  assert.deepEqual(
    [error.kind, error.retryable, error.retryAfterSeconds],
    [kind, retryable, retryAfterSeconds],
    `${where}: ${error.message}`,
  );
  assert.match(error.message, message, where);
}

const tooEarly: Expected = {
  ...{ kind: 'unavailable', retryable: true },
  message: /^the service ended before all of the audio was sent: what came after was not recognized$/,
};

/** What a status comes to, however it is said. */
function expected(status: number, says: string): Expected {
  const passes = status === 429 || status >= 500;
  const hint =
    {
      401: '; check the key in EARWITNESS_TEST_KEY',
      403: '; check the key in EARWITNESS_TEST_KEY',
      402: '; the account has no money or no plan for this',
    }[status] ?? '';
  return {
    kind: passes ? 'unavailable' : 'refused',
    retryable: passes,
    message: new RegExp(`^${says}.*${hint}`),
  };
}

for (const name of names) {
  const vendor = liveVendors[name];
  /** Where nothing is open yet: each of them can be refused. */
  const beginnings = vendor.begin === undefined ? (['handshake'] as const) : (['begin', 'handshake'] as const);

  test(`${name}: a socket that is not opened is a failure with its kind, without the key`, async () => {
    for (const moment of beginnings) {
      const refused = (status: number, headers = {}, body = vendor.error(status, `not with ${secret}`)) =>
        failure(name, ({ what, answer }) => {
          if (what === moment) answer(status, headers, body);
          return what === moment;
        });
      for (const status of [400, 401, 402, 403, 413, 500])
        check(await refused(status), expected(status, `the server answered ${status}: .*`), `${status} to ${moment}`);
      check(
        await refused(429, { 'Retry-After': '7' }),
        { ...expected(429, 'the server answered 429: '), retryAfterSeconds: 7 },
        '429',
      );
      check(
        await refused(503, { 'Content-Type': 'text/html' }, '<html>'),
        expected(503, 'the server answered 503$'),
        '503',
      );
      const opened =
        moment === 'handshake' ? /^the server answered 200, and opened no socket$/ : /without the address of a socket$/;
      check(await refused(200, {}, '{"hello": 1}'), { kind: 'garbage', retryable: false, message: opened }, '200');
      const cut = await failure(name, ({ what, cut }) => {
        if (what === moment) cut();
        return what === moment;
      });
      check(
        cut,
        { kind: 'unavailable', retryable: true, message: /^the server closed the connection without an answer$/ },
        `cut at ${moment}`,
      );
    }
  });

  test(`${name}: a socket that breaks, at its opening, in its middle or at its end, is a failure with its kind`, async () => {
    for (const moment of ['open', 'sound', 'end'] as const) {
      const broken = (does: (place: LiveMoment) => void) =>
        failure(name, (place) => {
          if (place.what === moment) does(place);
          return place.what === moment;
        });
      const middle =
        /^(the connection closed in the middle of the answer, after \d+ messages?|the server closed the connection without an answer)$/;
      const cut = await broken(({ cut }) => cut());
      assert.deepEqual([cut.kind, cut.retryable], [/middle/.test(cut.message) ? 'garbage' : 'unavailable', true]);
      assert.match(cut.message, middle);
      const says = (text: string | Uint8Array) => broken(({ socket }) => socket!.send(text));
      const garbage = (message: RegExp): Expected => ({ kind: 'garbage', retryable: false, message });
      const { writing } = liveServices[name];
      const no = (what: string, otherwise: string) =>
        garbage(new RegExp(`^the server sent ${writing === undefined ? otherwise : `${what} no ${writing.name}`}`));
      check(
        await says(`{"a": "${secret}`),
        no('text that is', 'no JSON: \\{"a": "\\[key\\]$'),
        `half of JSON at ${moment}`,
      );
      check(await says('[1]'), no('text that is', 'JSON that is no object: \\[1\\]$'), 'an array');
      check(await says(new Uint8Array([1, 2])), no('bytes that are', 'bytes where text was expected$'), 'bytes');
      if (writing !== undefined) {
        const whole = written(vendor, vendor.finals([], 0).at(-1) ?? vendor.failures[0]![0](''));
        check(await says(whole.slice(0, -1)), no('(text that is|bytes that are)', ''), 'half a message');
      }
      // A frame with the reserved bits set, and one of text that is no UTF-8.
      for (const bytes of [
        [0xf1, 0x00],
        [0x81, 0x02, 0xc3, 0x28],
      ]) {
        const broke = await broken(({ socket }) => socket!._socket.write(Uint8Array.from(bytes)));
        check(broke, garbage(/^the server broke the protocol of sockets: /), `frame ${bytes}`);
      }
      const ended = await broken(({ socket }) => socket!.close(1000));
      const incomplete = garbage(/^the server closed the socket before its answer was complete \(1000\)$/);
      check(ended, moment === 'end' ? incomplete : tooEarly, 'no final answer');
      for (const [code, status] of [[1001, 503], [1012, 503], [1009, 413], ...vendor.closes] as const) {
        const closed = await broken(({ socket }) => socket!.close(code, `not with ${secret}`));
        check(
          closed,
          expected(status, `the server closed the socket \\(${code}\\): not with \\[key\\]`),
          `${code} at ${moment}`,
        );
      }
    }
  });

  test(`${name}: a session that ends before all of the audio was sent is asked again, whatever final words came`, async () => {
    const ended = await failure(name, ({ what, socket }) => {
      if (what !== 'sound') return false;
      const words = { text: 'too early', words: [{ text: 'too', start: 0, end: 0.1 }], seconds: 0.1 };
      for (const message of vendor.finals([words], 0)) socket!.send(written(vendor, message));
      socket!.close(1000);
      return true;
    });
    check(ended, tooEarly, 'final words');
  });

  test(`${name}: what the service says is wrong is told in its words, and asked again where that can help`, async () => {
    for (const [message, status] of vendor.failures) {
      const said = await failure(name, ({ what, socket }) => {
        if (what === 'sound') socket!.send(written(vendor, message(`not with ${secret}`)));
        return what === 'sound';
      });
      check(said, expected(status, 'the service answered: .*not with \\[key\\]'), JSON.stringify(message('')));
      // As a status does it; after it took sound, or said anything else, something was heard.
      const isFirst = !vendor.hello && !vendor.started;
      assert.equal(said.unheard, isFirst && [401, 402, 403, 413, 429].includes(status), JSON.stringify(message('')));
    }
  });

  test(`${name}: a socket that never answers, or never ends its answer, is given up at once`, async () => {
    const moments = liveServices[name].waitsUntilReady
      ? (['handshake', 'open', 'end'] as const)
      : (['handshake', 'end'] as const);
    for (const moment of moments) {
      const given = new AbortController();
      const thrown = await failure(
        name,
        ({ what }) => {
          if (what === moment) void setImmediate().then(() => given.abort(new Error('too slow')));
          return what === moment;
        },
        request,
        given.signal,
      );
      assert.deepEqual([thrown.kind, /given up: too slow/.test(thrown.message)], ['error', true], thrown.message);
    }
  });
}

test('too many streams at once is asked again, also where the code says no access', async () => {
  const says = 'Unauthorized Connection: Too many concurrent sessions';
  for (const way of ['close', 'message'] as const) {
    const busy = await failure('assemblyai', ({ what, socket }) => {
      if (what !== 'open') return false;
      if (way === 'close') socket!.close(1008, says);
      else socket!.send(JSON.stringify({ type: 'Error', error_code: 1008, error: says }));
      return true;
    });
    check(busy, { kind: 'unavailable', retryable: true, message: new RegExp(`: ${says}$`) }, way);
  }
});

test('a socket that is closed for want of access has heard nothing, unless it said something before', async () => {
  const closed = (says: string | null, code: number) =>
    failure('assemblyai', ({ what, socket }) => {
      if (what !== 'open') return false;
      if (says !== null) socket!.send(says);
      socket!.close(code, 'Not authorized');
      return true;
    });
  const begin = JSON.stringify({ type: 'Begin', id: 'a', expires_at: 1 });
  const cases = [await closed(null, 1008), await closed(begin, 1008), await closed(null, 1011)];
  assert.deepEqual(
    cases.map(({ unheard }) => unheard),
    [true, false, false],
  );
});

test('of a clip in pieces, a socket that is refused later leaves what was heard before', async () => {
  const heard: boolean[] = [];
  for (const number of [1, 2]) {
    let sockets = 0;
    const refused = await failure(
      'iflytek',
      ({ what, answer }) => {
        if (what !== 'handshake' || ++sockets !== number) return false;
        answer(403, {}, '{}');
        return true;
      },
      { ...request, language: 'zh', clip: { samples: new Float32Array(70 * 16_000), sampleRate: 16_000 } },
    );
    heard.push(!refused.unheard);
  }
  assert.deepEqual(heard, [false, true]);
});

test('messages that a service may add are passed over, and those of a kind that is known but make no sense are not', async () => {
  const empty = {
    ...{
      deepgram: { type: 'Results', channel: {} },
      assemblyai: { type: 'Turn', turn_order: 0 },
      gladia: { type: 'transcript', data: {} },
    },
    ...{ speechmatics: { message: 'AddTranscript' }, iflytek: { code: '0' } },
    ...{ azure: { path: 'speech.phrase', body: { RecognitionStatus: 'Success' } }, ibm: { results: [{}] } },
    'aws-transcribe': { headers: { ':event-type': 'TranscriptEvent' }, body: {} },
  };
  for (const name of names) {
    const odd = await failure(name, ({ what, socket }) => {
      if (what !== 'sound') return false;
      const says = (message: object) => socket!.send(written(liveVendors[name], message));
      const headers = { ':message-type': 'event', ':event-type': 'Weather' };
      if (name !== 'iflytek') says({ type: 'Weather', message: 'Weather', path: 'Weather', headers, body: {} });
      says(empty[name]);
      return true;
    });
    check(odd, { kind: 'garbage', retryable: false, message: /^the server sent JSON without a transcript: \{/ }, name);
  }
});

test('Gladia may send the sound to another address only if nobody can listen', async () => {
  const thrown = await failure('gladia', ({ what, answer }) => {
    if (what === 'begin')
      answer(201, {}, JSON.stringify({ id: '1', url: 'ws://elsewhere.example/v2/live?token=0123456789abcdef' }));
    return what === 'begin';
  });
  check(
    thrown,
    { kind: 'refused', retryable: false, message: /^the service gave an address that is not wss: elsewhere.example$/ },
    'ws',
  );
});

test('a host that is not there is named, with what to check, whether a call or a socket was to go there', async () => {
  const signal = new AbortController().signal;
  const messageOf = async (service: string, more: object) => {
    const options = hosted.options.parse({ service, keyVariable: 'EARWITNESS_TEST_KEY', ...more });
    const services = plainServices(tmpdir(), { EARWITNESS_TEST_KEY: secret });
    const recognizer = await openHosted(options, services, hastyClock());
    const error = await recognizer.recognize(request, signal).catch((thrown: RecognitionError) => thrown);
    await recognizer.close();
    assert.ok(error instanceof RecognitionError && error.retryable && error.kind === 'unavailable');
    return error.message;
  };
  const baseUrl = 'http://127.0.0.1:9';
  for (const [service, mode] of [
    ['deepgram', 'batch'],
    ['deepgram', 'streaming'],
    ['gladia', 'streaming'],
    ['assemblyai', 'batch'],
  ] as const) {
    assert.equal(
      await messageOf(service, { mode, baseUrl }),
      '127.0.0.1:9 could not be reached (ECONNREFUSED: no server listens there); check baseUrl and the network',
    );
  }
  // A name that nobody is ever given (RFC 6761).
  for (const mode of ['batch', 'streaming'] as const) {
    assert.match(
      await messageOf('deepgram', { mode, baseUrl: 'http://nobody.invalid' }),
      /^nobody\.invalid could not be reached \((ENOTFOUND|EAI_AGAIN): .*\); check baseUrl and the network$/,
    );
  }
});
