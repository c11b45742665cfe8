import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalJson } from '../../base/hash.ts';
import { awsTestKeys } from '../../http/testing/verify-aws-signature.ts';
import { type SpeechServer, type SpeechServerOptions, startSpeechServer } from '../testing/speech-server.ts';
import { hosted } from './hosted.ts';

const key = 'sk-0123456789abcdef-secret';
const services = {
  baseFolder: '.',
  fileHash: async () => '',
  environment: (name: string) => ({ SPEECH_KEY: key, ...awsTestKeys })[name],
};
const optionsOf: Readonly<Record<string, (origin: string) => object>> = {
  openai: (origin) => ({ baseUrl: `${origin}/v1` }),
  google: (origin) => ({ endpoint: origin }),
  azure: (origin) => ({ endpoint: origin }),
  polly: (origin) => ({ endpoint: `${origin}/polly` }),
  elevenlabs: (origin) => ({ endpoint: `${origin}/elevenlabs` }),
};
const open = (service: string, server: SpeechServer, more: object = {}) =>
  hosted.open(
    hosted.options.parse({ service, keyVariable: 'SPEECH_KEY', ...optionsOf[service]!(server.origin), ...more }),
    services,
  );
type Misbehaviour = NonNullable<SpeechServerOptions['misbehave']>;
const spoken = ({ method }: { method: string }) => method === 'POST';

for (const service of Object.keys(optionsOf)) {
  test(`${service}: lists voices with their declared sex, speaks by one, and its key stands in no identity`, async () => {
    await using server = await startSpeechServer({ key });
    const synthesizer = await open(service, server);
    const voices = await synthesizer.voices();
    const attributes = Object.fromEntries(
      voices.map(({ name, language, attributes: of }) => [name, { language, ...of }]),
    );
    // As the published descriptions have them, in the server.
    const expected: Readonly<Record<string, Readonly<Record<string, object>>>> = {
      openai: { alloy: { language: 'en' } },
      google: {
        'en-GB-Neural2-A': { language: 'en-GB', sex: 'female' },
        'en-US-Chirp3-HD-Orus': { language: 'en-US' },
      },
      azure: { 'en-IN-PrabhatNeural': { language: 'en-IN', sex: 'male' } },
      polly: { Joanna: { language: 'en-US', sex: 'female' }, Brian: { language: 'en-GB', sex: 'male' } },
      elevenlabs: {
        '21m00Tcm': { language: 'en', sex: 'female', voice: 'Rachel', accent: 'american', age: 'young' },
      },
    };
    for (const [name, facts] of Object.entries(expected[service]!)) assert.deepEqual(attributes[name], facts);
    const { name } = voices[0]!;
    const text = `Tom & Jerry's <break time="9s"/>`;
    const clip = await synthesizer.speak(text, name);
    assert.equal(clip.sampleRate, ['openai', 'polly'].includes(service) ? 16_000 : 24_000);
    // The server makes 1200 samples of each character; Azure's text is XML there.
    if (service !== 'azure') assert.equal(clip.samples.length, 1200 * text.length);
    assert.ok(!canonicalJson(synthesizer.identity).includes('secret'));
    await synthesizer.close();
  });

  test(`${service}: asks again where it was too busy`, async () => {
    let busy = true;
    await using server = await startSpeechServer({
      key,
      misbehave(question, response) {
        const refused = busy && spoken(question);
        if (refused) response.writeHead(503).end();
        if (spoken(question)) busy = false;
        return refused;
      },
    });
    const synthesizer = await open(service, server);
    const { name } = (await synthesizer.voices())[0]!;
    assert.ok((await synthesizer.speak('hello', name)).samples.length > 0);
    assert.equal(server.questions.filter(spoken).length, 2);
    await synthesizer.close();
  });

  test(`${service}: what is understood and refused is told in one sentence, without the key, and not asked again`, async () => {
    let status = 0;
    await using server = await startSpeechServer({
      key,
      misbehave(question, response) {
        if (!spoken(question)) return false;
        const message = `no: ${JSON.stringify(question.headers)}`;
        response.writeHead(status).end(JSON.stringify({ error: { message } }));
        return true;
      },
    });
    const synthesizer = await open(service, server);
    const { name } = (await synthesizer.voices())[0]!;
    const expected = [
      [400, 'bad-input', /the server answered 400/],
      [401, 'bad-config', /check the key in SPEECH_KEY/],
      [402, 'bad-config', /no money/],
      [404, 'bad-input', /check the address, the model and the voice/],
      [413, 'bad-input', /413/],
    ] as const;
    for (const [refused, code, sentence] of expected) {
      status = refused;
      const before = server.questions.length;
      await assert.rejects(synthesizer.speak('hello', name), (thrown: Error & { code?: string }) => {
        assert.equal(thrown.code, code);
        assert.match(thrown.message, sentence);
        assert.ok(thrown.message.length < 600, thrown.message);
        for (const secret of [key, ...Object.values(awsTestKeys)]) assert.ok(!thrown.message.includes(secret));
        assert.doesNotMatch(thrown.message, /Signature=[0-9a-f]{64}/);
        return true;
      });
      assert.equal(server.questions.length, before + 1);
    }
    await synthesizer.close();
  });
}

test('what can pass is asked again, when the service says, and no more often than it may', async () => {
  const faults: Misbehaviour[] = [
    (_, response) => {
      response.writeHead(429, { 'Retry-After': '1' }).end('{"error":{"message":"slow down"}}');
      return true;
    },
    (_, response) => {
      response.writeHead(503).end();
      return true;
    },
    (_, response) => {
      // Half a body.
      response.writeHead(200, { 'Content-Length': '1000' }).write('RIFF');
      setTimeout(() => response.destroy(), 20);
      return true;
    },
  ];
  const moments: number[] = [];
  await using server = await startSpeechServer({
    key,
    async misbehave(question, response) {
      if (!spoken(question)) return false;
      moments.push(performance.now());
      return (await faults.shift()?.(question, response)) ?? false;
    },
  });
  const synthesizer = await open('google', server);
  const { name } = (await synthesizer.voices())[0]!;
  assert.ok((await synthesizer.speak('hello', name)).samples.length > 0);
  assert.equal(moments.length, 4);
  assert.ok(moments[1]! - moments[0]! >= 990, 'it waits as long as the service said');
  await synthesizer.close();
});

test('a service that does not answer in time is given up, and asked as often as it may', async () => {
  await using server = await startSpeechServer({ key, misbehave: (question) => spoken(question) });
  const synthesizer = await open('google', server, { timeoutSeconds: 0.2, attempts: 2 });
  await assert.rejects(synthesizer.speak('hello', 'en-GB-Neural2-A'), {
    code: 'nothing-answered',
    message: 'Google: took longer than 0.2 s',
  });
  assert.equal(server.questions.filter(spoken).length, 2);
  const waiting = synthesizer.speak('hello', 'en-GB-Neural2-A', AbortSignal.timeout(50));
  await assert.rejects(waiting, { name: 'TimeoutError' });
  await synthesizer.close();
});

test('a host that is not there is named, with what to check', async () => {
  const gone = { origin: 'http://127.0.0.1:9' } as SpeechServer;
  const messageOf = async (service: string) => {
    const synthesizer = await open(service, gone, { attempts: 1 });
    const [{ name } = { name: 'alloy' }] = await synthesizer.voices().catch(() => []);
    const error = await synthesizer.speak('hello', name).catch((thrown: Error) => thrown);
    await synthesizer.close();
    return (error as Error).message;
  };
  const sentence = '127.0.0.1:9 could not be reached (ECONNREFUSED: no server listens there); check';
  assert.equal(await messageOf('openai'), `the server: ${sentence} baseUrl and the network`);
  assert.equal(await messageOf('elevenlabs'), `ElevenLabs: ${sentence} endpoint and the network`);
  assert.equal(await messageOf('polly'), `Amazon Polly: ${sentence} region, endpoint and the network`);
});

test('what is no sound is refused, and not paid for again', async () => {
  for (const [service, body] of [
    ['openai', 'ID3 an MP3'],
    ['google', '{"audioContent":17}'],
    ['azure', ''],
    ['polly', ''],
    ['elevenlabs', 'odd'],
  ] as const) {
    await using server = await startSpeechServer({
      key,
      misbehave(question, response) {
        if (spoken(question)) response.writeHead(200).end(body);
        return spoken(question);
      },
    });
    const synthesizer = await open(service, server);
    const { name } = (await synthesizer.voices())[0]!;
    await assert.rejects(synthesizer.speak('hello', name), { code: 'bad-input', message: /: expected .*, but it / });
    assert.equal(server.questions.filter(spoken).length, 1);
    await synthesizer.close();
  }
});

test('declared voices are taken as they are, and voices of one language can be chosen', async () => {
  await using server = await startSpeechServer({ key });
  const declared = [{ name: 'af_heart', language: 'en-US', attributes: { sex: 'female' } }];
  const own = await open('openai', server, { voices: declared });
  assert.deepEqual(await own.voices(), declared);
  await own.speak('hello', 'af_heart');
  assert.match(server.questions.at(-1)!.body, /"voice":"af_heart"/);
  const german = await open('google', server, { language: 'de' });
  assert.deepEqual(
    (await german.voices()).map(({ name }) => name),
    ['de-DE-Standard-B'],
  );
  await assert.rejects((await open('azure', server, { language: 'fr' })).voices(), {
    code: 'bad-config',
    message: /fr/,
  });
  await assert.rejects(
    hosted.open(hosted.options.parse({ service: 'azure', keyVariable: 'SPEECH_KEY' }), services),
    /either region or endpoint/,
  );
  await assert.rejects(
    hosted.open(hosted.options.parse({ service: 'openai' }), services),
    /OPENAI_API_KEY, but it is not set/,
  );
});

test('Polly throttles, and refuses keys, under statuses of its own', async () => {
  const answers = [
    [400, 'ThrottlingException'],
    [500, 'ServiceFailureException'],
    [400, 'UnrecognizedClientException'],
  ] as const;
  let next = 0;
  await using server = await startSpeechServer({
    key,
    misbehave(question, response) {
      if (!spoken(question)) return false;
      const [status, name] = answers[next++]!;
      response.writeHead(status, { 'x-amzn-ErrorType': `${name}:http://internal.amazon.com/` }).end('{"message":"no"}');
      return true;
    },
  });
  const synthesizer = await open('polly', server);
  await assert.rejects(synthesizer.speak('hello', 'Joanna'), {
    code: 'bad-config',
    message: 'Amazon Polly: the server answered 400: no; check the key in SPEECH_KEY',
  });
  assert.equal(next, 3);
  await synthesizer.close();
  await assert.rejects(
    hosted.open(hosted.options.parse({ service: 'polly' }), { ...services, environment: () => undefined }),
    /accessKeyIdVariable: .* AWS_ACCESS_KEY_ID, but it is not set/,
  );
});
