import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Clip } from '../../audio/clip.ts';
import { systemClock } from '../../base/clock.ts';
import { createManualClock } from '../../base/testing/manual-clock.ts';
import { temporaryFolder } from '../../cli/testing/run-command.ts';
import { awsTestKeys } from '../../http/testing/verify-aws-signature.ts';
import { testRecognizer } from '../conformance.ts';
import type { Recognition } from '../contract.ts';
import { plainServices } from '../testing/tones.ts';
import { hosted, openHosted } from './hosted.ts';
import { liveServices } from './live-services.ts';
import type { LiveService } from './service.ts';
import {
  hastyClock,
  type LiveServer,
  type LiveServerOptions,
  type ServerSocket,
  startLiveServer,
} from './testing/live-server.ts';
import { liveVendors, written } from './testing/live-vendors.ts';

const names = Object.keys(liveServices) as (keyof typeof liveServices)[];
const keyOf = (name: string) =>
  name === 'iflytek'
    ? 'testapp1:key-of-a-test-0123456789abcdef:secret-of-a-test-0123456789abcdef'
    : 'key-of-a-test-0123456789abcdef';
const servicesFor = (name: string, folder = tmpdir()) =>
  plainServices(folder, { ...awsTestKeys, EARWITNESS_TEST_KEY: keyOf(name) });
const neverAborted = new AbortController().signal;

/** What the servers hear: how long the sound is, in words. */
const recognize: LiveServerOptions['recognize'] = async ({ samples, sampleRate }) =>
  `${samples.length} samples at ${sampleRate}`;

const tone = (seconds: number, sampleRate = 16_000): Clip => ({
  samples: Float32Array.from({ length: Math.round(seconds * sampleRate) }, (_, n) => Math.sin(n / 7) / 3),
  sampleRate,
});
const request = (clip: Clip, language = 'en') => ({
  ...{ clip, language, utteranceId: 'a', conditionName: 'clean', repeat: 0 },
});

const servers = new Map<string, LiveServer>();
for (const name of names) servers.set(name, await startLiveServer(name, { key: keyOf(name), recognize }));
after(() => Promise.all([...servers.values()].map((server) => server[Symbol.asyncDispose]())));
const optionsFor = (service: string, baseUrl = servers.get(service)!.baseUrl) => ({
  ...{ service, mode: 'streaming', baseUrl, keyVariable: 'EARWITNESS_TEST_KEY' },
});

async function ask(
  name: string,
  more: object = {},
  { clip = tone(2), language = 'en', clock = hastyClock(), services = servicesFor(name) } = {},
): Promise<Recognition> {
  const recognizer = await openHosted(hosted.options.parse({ ...optionsFor(name), ...more }), services, clock);
  try {
    return await recognizer.recognize(request(clip, language), neverAborted);
  } finally {
    await recognizer.close();
  }
}

for (const name of names) {
  testRecognizer({
    kind: {
      ...hosted,
      name: `hosted ${name}`,
      open: (options, services) => openHosted(options, services, hastyClock()),
    },
    // Of a stream no utterance says the language.
    options: { ...optionsFor(name), language: 'en' },
    services: servicesFor(name),
    requests: [request(tone(2)), request(tone(1.5))],
    secrets: keyOf(name).split(':').slice(-2),
    skip: false,
  });

  test(`${name}: text, times of words, model and language over a socket are what the service was told and said`, async () => {
    const { text, words, details, timing } = await ask(name);
    assert.equal(text, '32000 samples at 16000');
    const { clip, language, model, messages } = servers.get(name)!.heard.at(-1)!;
    assert.deepEqual([clip.samples.length, clip.sampleRate, messages], [32_000, 16_000, 20]);
    // Of 16 bits: half a step off at most.
    assert.ok(clip.samples.every((sample, n) => Math.abs(sample - Math.sin(n / 7) / 3) <= 0.5 / 32_768 + 1e-7));
    assert.equal(model, liveServices[name].models[0]);
    if (name !== 'assemblyai') assert.match(language!, /^en/);
    assert.equal(typeof (details!.streaming as { partials: number }).partials, 'number');
    assert.ok(timing!.stream!.waitedSeconds > 1.9);
    if (name === 'iflytek') return;
    assert.deepEqual(
      words!.map((word) => [word.text, word.startSeconds, word.endSeconds]),
      [
        ['32000', 0, 0.5],
        ['samples', 0.5, 1],
        ['at', 1, 1.5],
        ['16000', 1.5, 2],
      ],
    );
  });
}

test('partials are kept as what a reader saw: those of Mandarin at iFlytek are corrected, of English there are none', async () => {
  const { details } = await ask('iflytek', {}, { language: 'zh' });
  // Messages 1, 2, 4, 8 and 16 are shown, each a number of samples with three words after it: 20 words, of which 16 are taken back by the
  // next. The end comes in two stretches: "32000 samples" for the last four, and then "at 16000".
  assert.deepEqual(details!.streaming, { partials: 7, wordsShown: 24, wordsTakenBack: 20 });
  assert.equal(servers.get('iflytek')!.heard.at(-1)!.language, 'zh_cn');
  const english = await ask('iflytek');
  assert.deepEqual(english.details!.streaming, { partials: 2, wordsShown: 4, wordsTakenBack: 0 });
});

test('sound goes out as it is spoken, and latencies count from its start and its end', async () => {
  const clock = createManualClock(1_000_000);
  const ended = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  const arrivals: number[] = [];
  let arrived = () => {};
  await using server = await startLiveServer('deepgram', {
    key: keyOf('deepgram'),
    recognize,
    misbehave({ what }) {
      if (what === 'sound') arrivals.push(clock.monotonicMs() - 1_000_000);
      if (what === 'sound') arrived();
      return false;
    },
    async beforeFinal() {
      ended.resolve();
      await told.promise;
    },
  });
  const options = hosted.options.parse({ ...optionsFor('deepgram', server.baseUrl), chunkSeconds: 0.25 });
  const recognizer = await openHosted(options, servicesFor('deepgram'), clock);
  const answer = recognizer.recognize(request(tone(0.9)), neverAborted);
  while (server.handshakes.length === 0) await setImmediate();
  for (const ms of [250, 250, 250, 150]) {
    const next = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    // Whoever waits for this chunk does so once the socket is open, or the last one is sent.
    for (let turn = 0; turn < 50; turn++) await setImmediate();
    await clock.advance(ms);
    await next;
    await server.caughtUp();
  }
  await ended.promise;
  await clock.advance(120);
  told.resolve();
  const { timing, text } = await answer;
  await recognizer.close();
  assert.equal(text, '14400 samples at 16000');
  assert.deepEqual(arrivals, [250, 500, 750, 900]);
  const rounded = Object.entries(timing!.stream!).map(([name, seconds]) => [name, Number(seconds!.toFixed(6))]);
  assert.deepEqual(Object.fromEntries(rounded), {
    firstPartialSeconds: 0.25,
    finalLatencySeconds: 0.12,
    waitedSeconds: 0.9,
  });
});

test('messages of sound are as long as the service takes: the last is filled up with silence', async () => {
  await ask('assemblyai', { chunkSeconds: 0.1 }, { clip: tone(0.42) });
  const { clip, messages } = servers.get('assemblyai')!.heard.at(-1)!;
  // 4 of 100 ms, and 20 ms filled up to 50.
  assert.deepEqual([messages, clip.samples.length], [5, 4 * 1600 + 800]);
  assert.ok(clip.samples.slice(4 * 1600 + 320).every((sample) => sample === 0));
  assert.ok(clip.samples.slice(4 * 1600 + 1, 4 * 1600 + 320).some((sample) => sample !== 0));
  const recognizer = await openHosted(
    hosted.options.parse(optionsFor('assemblyai')),
    servicesFor('assemblyai'),
    hastyClock(),
  );
  async function* chunks() {
    // Too short, and too long.
    for (const seconds of [0.03, 0.03, 2.2]) yield tone(seconds);
  }
  const texts: string[] = [];
  for await (const { text, final } of recognizer.stream!(chunks(), neverAborted)) if (final) texts.push(text);
  await recognizer.close();
  assert.deepEqual(texts, ['36160 samples at 16000']);
  assert.equal(servers.get('assemblyai')!.heard.at(-1)!.messages, 4);
});

test('sound that is longer than a service takes goes out in pieces, one after the other, and their times go on', async () => {
  const before = servers.get('iflytek')!.heard.length;
  const { text, timing, details } = await ask('iflytek', { chunkSeconds: 0.3 }, { clip: tone(100), language: 'zh' });
  const pieces = servers
    .get('iflytek')!
    .heard.slice(before)
    .map(({ clip }) => clip.samples.length);
  assert.ok(pieces.length === 2 && pieces.every((length) => length <= 59 * 16_000));
  assert.equal(text, pieces.map((length) => `${length} samples at 16000`).join(' '));
  assert.equal(Math.round(timing!.stream!.waitedSeconds), 100);
  assert.equal(details!.pieces, 2);
});

test('a batch answer and a streamed one have keys of their own, and so have chunks of another length', async () => {
  const identity = async (more: object) =>
    JSON.stringify(
      (await hosted.describe(hosted.options.parse({ service: 'deepgram', ...more }), servicesFor('deepgram'))).identity,
    );
  const all = await Promise.all([{}, { mode: 'streaming' }, { mode: 'streaming', chunkSeconds: 0.2 }].map(identity));
  assert.equal(new Set(all).size, 3);
  assert.equal(await identity({ mode: 'batch', chunkSeconds: 0.2 }), all[0]);
  assert.doesNotMatch(all[0]!, /stream/);
  assert.match(all[1]!, /"streaming":\{"pace":"real-time","chunkSeconds":0.1\}/);
  const prices = await Promise.all(
    ['batch', 'streaming'].map((mode) =>
      hosted.describe(hosted.options.parse({ service: 'deepgram', mode }), servicesFor('deepgram')),
    ),
  );
  assert.deepEqual(
    prices.map(({ pricePerMinute }) => pricePerMinute!.amount),
    [0.0043, 0.0077],
  );
});

test('what a service cannot do is said before anything is sent', async () => {
  const open = (more: object) => hosted.describe(hosted.options.parse(more), servicesFor('deepgram'));
  await assert.rejects(
    open({ service: 'google', mode: 'streaming' }),
    /mode: expected batch, since Google .*; services that are: deepgram, /,
  );
  for (const service of ['azure', 'ibm', 'aws-transcribe', 'speechmatics', 'iflytek']) {
    await assert.rejects(
      open({ service, mode: 'streaming', language: 'none' }),
      /language: expected one, since .* does not find it out by itself, but got none/,
    );
  }
  await assert.rejects(
    open({ service: 'aws-transcribe', mode: 'streaming', bucket: 'mine' }),
    /bucket: AWS Transcribe reads from none over a socket; take it out/,
  );
  await assert.rejects(open({ service: 'iflytek', mode: 'batch' }), /mode: expected streaming, since iFlytek/);
  await assert.rejects(
    open({ service: 'iflytek', sampleRate: 44_100 }),
    /sampleRate: expected one that iFlytek .* takes \(8000, 16000\)/,
  );
  await assert.rejects(
    open({ service: 'assemblyai', mode: 'streaming', chunkSeconds: 2 }),
    /chunkSeconds: expected 0.05 to 1, as AssemblyAI takes, but got 2/,
  );
  const wrong = plainServices(tmpdir(), { IFLYTEK_CREDENTIALS: 'no-colons-in-this-secret' });
  await assert.rejects(
    openHosted(hosted.options.parse({ service: 'iflytek' }), wrong, systemClock),
    (error: Error) => /expected APPID:APIKey:APISecret/.test(error.message) && !error.message.includes('no-colons'),
  );
  await assert.rejects(
    ask('assemblyai', { model: 'universal-streaming-english' }, { language: 'de' }),
    /\(en\), but the utterance is in de/,
  );
});

test('a stream, of which no utterance says the language, is refused where the service has to be told one', async () => {
  for (const name of names) {
    const recognizer = await hosted.open(hosted.options.parse(optionsFor(name)), servicesFor(name));
    const stream = () => recognizer.stream!((async function* () {})(), neverAborted);
    if (['deepgram', 'assemblyai', 'gladia'].includes(name)) assert.ok(stream());
    else assert.throws(stream, /language: expected one, since .* does not find it out by itself/, name);
    await recognizer.close();
  }
});

test("iFlytek's address is signed as its page shows it", () => {
  // The example of https://www.xfyun.cn/doc/asr/voicedictation/API.html, with its keys and its date.
  const { query } = liveServices.iflytek.sign!(
    'appid:keyxxxxxxxx8ee279348519exxxxxxxx:secretxxxxxxxx2df7900c09xxxxxxxx',
    new URL('https://iat-api.xfyun.cn/v2/iat'),
    Date.UTC(2019, 6, 10, 7, 35, 43),
  );
  assert.deepEqual(query, {
    host: 'iat-api.xfyun.cn',
    date: 'Wed, 10 Jul 2019 07:35:43 GMT',
    authorization:
      'YXBpX2tleT0ia2V5eHh4eHh4eHg4ZWUyNzkzNDg1MTlleHh4eHh4eHgiLCBhbGdvcml0aG09ImhtYWMtc2hhMjU2IiwgaGVhZGVycz0iaG9zdCBkYXRlIHJlcXVlc3QtbGluZSIsIHNpZ25hdHVyZT0iSHAzVHk0WmtTQm1MOGpLeU9McFFpdjlTcjVudm1lWUVIN1dzTC9aTzJKZz0i',
  });
});

for (const name of names) {
  test(`${name}: a recorded socket gives the same transcript again, and holds neither key nor sound`, async () => {
    await using folder = await temporaryFolder();
    const services = servicesFor(name, folder.path);
    const parts = keyOf(name).split(':').slice(-2);
    const token = name === 'gladia' ? ['token-of-a-session-0123'] : [];
    const forms = [...parts, ...parts.map((part) => Buffer.from(part).toString('base64').replace(/=+$/, '')), ...token];
    await using server = await startLiveServer(name, {
      key: keyOf(name),
      recognize: async () => `said ${forms.join(' ')}`,
    });
    const heard = await ask(name, { baseUrl: server.baseUrl, record: 'exchanges' }, { services, language: 'en' });
    const files = (await readdir(join(folder.path, 'exchanges'))).sort();
    const texts = await Promise.all(files.map((file) => readFile(join(folder.path, 'exchanges', file), 'utf8')));
    const signed = server.handshakes
      .flatMap(({ url }) => [url.searchParams.get('authorization'), url.searchParams.get('X-Amz-Signature')])
      .filter((text) => text !== null);
    for (const secret of [...forms, ...signed, ...Object.values(awsTestKeys)]) {
      for (const text of [JSON.stringify(heard), ...texts]) assert.ok(!text.includes(secret), `${secret} in ${text}`);
    }
    assert.equal(files.length, liveServices[name].begin === undefined ? 1 : 2);
    const { request: asked, answer } = JSON.parse(texts.at(-1)!);
    assert.deepEqual([asked.sent.sound.messages, asked.sent.sound.bytes], [20, 64_000]);
    assert.ok(!texts.at(-1)!.includes(Buffer.from(new Uint8Array(60)).toString('base64')));

    // Says what was recorded, whatever it hears.
    await using again = await startLiveServer(name, {
      key: keyOf(name),
      recognize,
      misbehave({ what, socket }) {
        const { waitsUntilReady = false, writing } = liveServices[name] as LiveService;
        const says = ({ text }: { readonly text: string }) =>
          socket!.send(writing === undefined ? text : written(liveVendors[name], JSON.parse(text)));
        if (what === 'open' && waitsUntilReady) says(answer.messages[0]);
        if (what === 'end') answer.messages.slice(waitsUntilReady ? 1 : 0).forEach(says);
        if (what === 'end' && liveServices[name].endsByClosing) socket!.close(1000);
        return what !== 'begin' && what !== 'handshake';
      },
    });
    const { timing: _, ...replayed } = await ask(name, { baseUrl: again.baseUrl }, { services });
    const { timing: __, ...first } = heard;
    assert.deepEqual(replayed, first);
  });
}

test('Azure is told a WAV file without an end', async () => {
  const sent: Buffer[] = [];
  await using server = await startLiveServer('azure', {
    key: keyOf('azure'),
    recognize,
    misbehave({ what, socket }) {
      if (what === 'open') socket!.on('message', (data) => sent.push(Buffer.from(data)));
      return false;
    },
  });
  await ask('azure', { baseUrl: server.baseUrl });
  const [config, context, header] = sent.map((data) => data.toString('latin1'));
  assert.match(
    config!,
    /^Path: speech\.config\r\nX-RequestId: [0-9a-f]{32}\r\nX-Timestamp: \S+Z\r\nContent-Type: application\/json\r\n\r\n\{/,
  );
  assert.match(
    context!,
    /\r\n\r\n\{"phraseOutput":\{"format":"Detailed","detailed":\{"options":\["WordTimings"\]\}\}\}$/,
  );
  const wav = header!.slice(2 + sent[2]!.readUInt16BE(0));
  // As the kit for JavaScript makes it (src/sdk/Audio/AudioStreamFormat.ts): lengths of 0.
  assert.equal(
    Buffer.from(wav, 'latin1').toString('hex'),
    '524946460000000057415645666d74201000000001000100803e0000007d00000200100064617461' + '00000000',
  );
});

test('AWS has heard all once it closes the socket, unless a result is still open; silence is an empty transcript', async () => {
  const heardOf = async (ends: (socket: ServerSocket) => void) => {
    await using server = await startLiveServer('aws-transcribe', {
      key: keyOf('aws-transcribe'),
      recognize,
      misbehave({ what, socket }) {
        if (what === 'end') ends(socket!);
        return what === 'sound' || what === 'end';
      },
    });
    return await ask('aws-transcribe', { baseUrl: server.baseUrl });
  };
  const spoken = { text: 'one', words: [], seconds: 1 };
  const { partial, finals } = liveVendors['aws-transcribe'];
  const says = (message: object) => written(liveVendors['aws-transcribe'], message);
  const silent = await heardOf((socket) => socket.close(1000));
  assert.equal(silent.text, '');
  const left = heardOf((socket) => {
    socket.send(says(finals([spoken], 0)[0]!));
    socket.send(says(partial(spoken, 1)));
    socket.close(1000);
  });
  await assert.rejects(left, /closed the socket before its answer was complete \(1000\)/);
  const whole = await heardOf((socket) => {
    socket.send(says(partial(spoken, 1)));
    socket.send(says(finals([spoken], 0)[0]!));
    socket.close(1000);
  });
  assert.equal(whole.text, 'one');
});

test('models of the user, other languages, regions and tokens go where each service reads them', () => {
  const question = { sampleRate: 8000, wordTimes: true, region: null, id: '0', now: () => 0 };
  const pathOf = (name: keyof typeof liveServices, model: string, language: string) =>
    (liveServices[name] as LiveService).path({ ...question, model, language });
  assert.equal(
    pathOf('aws-transcribe', 'my-model', 'de-DE'),
    '/stream-transcription-websocket?language-code=de-DE&media-encoding=pcm&sample-rate=8000&language-model-name=my-model',
  );
  assert.match(
    pathOf('azure', 'dictation', 'de-DE'),
    /\/dictation\/cognitiveservices\/v1\?language=de-DE&format=detailed/,
  );
  assert.match(
    pathOf('azure', '1234-abcd', 'de-DE'),
    /\/conversation\/cognitiveservices\/v1\?cid=1234-abcd&format=detailed/,
  );
  assert.equal(pathOf('ibm', 'Telephony', 'de-DE'), '/v1/recognize?model=de-DE_Telephony');
  const { azure, ibm } = liveServices;
  assert.deepEqual(
    ['westeurope', 'chinaeast2', 'usgovvirginia'].map((region) => azure.address(region)),
    [
      'https://westeurope.stt.speech.microsoft.com',
      'https://chinaeast2.stt.speech.azure.cn',
      'https://usgovvirginia.stt.speech.azure.us',
    ],
  );
  assert.equal(
    liveServices['aws-transcribe'].address('cn-north-1'),
    'https://transcribestreaming.cn-north-1.amazonaws.com.cn:8443',
  );
  assert.deepEqual(ibm.authorize('eyJhbGciOi'), { Authorization: 'Bearer eyJhbGciOi' });
});

test('whoever opens a socket with a token sends the key to nobody else: the address of the socket is the service’s word', async () => {
  await ask('gladia');
  const { url, headers } = servers.get('gladia')!.handshakes.at(-1)!;
  assert.equal(url.searchParams.get('token'), 'token-of-a-session-0123');
  assert.ok(!JSON.stringify(headers).includes(keyOf('gladia')), Object.keys(headers).join(', '));
});

test('of a sound in pieces the first words were shown when they were, though nobody spoke in the first piece', async () => {
  const heard: { count: number } = { count: 0 };
  await using server = await startLiveServer('iflytek', {
    key: keyOf('iflytek'),
    recognize: async () => (heard.count === 0 ? '' : 'yes'),
    beforeFinal: async () => void heard.count++,
  });
  const { text, timing } = await ask('iflytek', optionsFor('iflytek', server.baseUrl), {
    clip: tone(100),
    language: 'zh',
  });
  assert.equal(text, 'yes');
  const [first] = server.heard;
  assert.ok(
    timing!.stream!.firstPartialSeconds! >= first!.clip.samples.length / 16_000,
    `${timing!.stream!.firstPartialSeconds}`,
  );
});
