import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { after, test } from 'node:test';
import type { Clip } from '../../audio/clip.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { testRecognizer } from '../conformance.ts';
import type { Recognizer } from '../contract.ts';
import { pocketsphinx } from '../pocketsphinx/pocketsphinx.ts';
import { scripted } from '../scripted/scripted.ts';
import { plainServices } from '../testing/tones.ts';
import { startTranscriptionServer } from '../testing/transcription-server.ts';
import { openaiCompatible } from './openai-compatible.ts';

const key = 'sk-test-0123456789abcdefghij';
const services = plainServices(tmpdir(), { EARWITNESS_TEST_KEY: key });
const data = '/usr/share/pocketsphinx/test/data';
const neverAborted = new AbortController().signal;

/** PocketSphinx with a small model where it is installed, else an invented recognizer that tells what it heard. */
const hasPocketsphinx = (await pocketsphinx.readiness(services)).ready && existsSync(`${data}/goforward.raw`);
const behind: Recognizer = hasPocketsphinx
  ? await pocketsphinx.open(
      pocketsphinx.options.parse({ languageModel: `${data}/turtle.lm.bin`, dictionary: `${data}/turtle.dic` }),
      services,
    )
  : await scripted.open(scripted.options.parse({ default: '{samples} {hash}', needsAudio: true }), services);
const clips = hasPocketsphinx
  ? [rawClip(`${data}/something.raw`), rawClip(`${data}/goforward.raw`)]
  : [tone(40_000), tone(30_000)];
const server = await startTranscriptionServer({
  key,
  recognize: (clip, language) =>
    behind.recognize({ clip, utteranceId: 'a', conditionName: 'clean', repeat: 0, language }, neverAborted),
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await behind.close();
});

function rawClip(path: string): Clip {
  const bytes = readFileSync(path);
  const samples = new Float32Array(bytes.length >> 1);
  for (let index = 0; index < samples.length; index++) samples[index] = bytes.readInt16LE(2 * index) / 32768;
  return { samples, sampleRate: 16_000 };
}

function tone(length: number): Clip {
  return { samples: Float32Array.from({ length }, (_, n) => Math.sin(n / 7) / 3), sampleRate: 16_000 };
}

const request = (clip: Clip, language = 'en') => ({
  clip,
  utteranceId: 'a',
  conditionName: 'clean',
  repeat: 0,
  language,
});
const options = { baseUrl: server.baseUrl, model: 'tiny', keyVariable: 'EARWITNESS_TEST_KEY' };
const opened = async <T>(more: object, use: (recognizer: Recognizer) => Promise<T>): Promise<T> => {
  const recognizer = await openaiCompatible.open(openaiCompatible.options.parse({ ...options, ...more }), services);
  try {
    return await use(recognizer);
  } finally {
    await recognizer.close();
  }
};

testRecognizer({
  kind: openaiCompatible,
  options,
  services,
  requests: [request(clips[0]!), request(clips[1]!)],
  secrets: [key],
  skip: false,
});

test('the transcript is that of the recognizer behind the server, in every form', async () => {
  const [, clip] = clips as [Clip, Clip];
  const own = await behind.recognize(request(clip), neverAborted);
  for (const responseFormat of ['verbose_json', 'json', 'text']) {
    const heard = await opened({ responseFormat }, (recognizer) => recognizer.recognize(request(clip), neverAborted));
    assert.equal(heard.text, own.text);
    if (responseFormat !== 'verbose_json') {
      assert.deepEqual(Object.keys(heard), ['text']);
      continue;
    }
    const times = own.words?.map(({ text, startSeconds, endSeconds }) => ({ text, startSeconds, endSeconds }));
    assert.deepEqual(heard.words, times);
    assert.deepEqual(heard.details, { language: 'english', durationSeconds: clip.samples.length / 16_000 });
  }
});

test('the form says what the options say, and the sound arrives as 16-bit WAV at the rate asked for', async () => {
  const [, clip] = clips as [Clip, Clip];
  const ask = async (more: object, language?: string) => {
    await opened(more, (recognizer) => recognizer.recognize(request(clip, language), neverAborted));
    return server.questions.at(-1)!;
  };
  const plain = await ask({}, 'de-AT');
  assert.deepEqual(plain.fields, {
    model: 'tiny',
    response_format: 'verbose_json',
    'timestamp_granularities[]': 'word',
    language: 'de',
  });
  assert.equal(plain.headers.authorization, `Bearer ${key}`);
  assert.equal(plain.clip.sampleRate, 16_000);
  // Clips of 16 bits come back bit for bit.
  if (hasPocketsphinx) assert.deepEqual(plain.clip.samples, clip.samples);
  const other = await ask({
    language: 'none',
    prompt: 'Zürich, Öl',
    temperature: 0,
    wordTimes: false,
    sampleRate: 8000,
  });
  assert.deepEqual(other.fields, {
    model: 'tiny',
    response_format: 'verbose_json',
    prompt: 'Zürich, Öl',
    temperature: '0',
  });
  assert.equal(other.clip.sampleRate, 8000);
  assert.equal(other.clip.samples.length, Math.ceil(clip.samples.length / 2));
  assert.equal((await ask({}, 'und')).fields.language, undefined);
  assert.equal((await ask({ language: 'yue' })).fields.language, 'yue');
});

test('what can change an answer is in the identity, and neither key nor its variable', async () => {
  const identity = async (more: object) =>
    JSON.stringify(
      (await openaiCompatible.describe(openaiCompatible.options.parse({ ...options, ...more }), services)).identity,
    );
  const changes = [
    {},
    { model: 'large' },
    { baseUrl: 'https://api.example.com/v1' },
    { baseUrl: 'https://api.example.com/v2' },
    { responseFormat: 'json' },
    { wordTimes: false },
    { language: 'en' },
    { prompt: 'a' },
    { prompt: 'b' },
    { temperature: 0.5 },
    { sampleRate: 8000 },
    { version: '1' },
  ];
  const identities = await Promise.all(changes.map(identity));
  assert.equal(new Set(identities).size, changes.length);
  assert.equal(await identity({ keyVariable: null }), identities[0]);
  assert.equal(await identity({ usesProcessor: true }), identities[0]);
  const pinned = async (more: object) =>
    (await openaiCompatible.describe(openaiCompatible.options.parse({ ...options, ...more }), services)).pinned;
  assert.deepEqual([await pinned({}), await pinned({ version: '1' })], [false, true]);
});

test('a key is sent to no server that it was not named for', async () => {
  const environment = { OPENAI_API_KEY: 'sk-of-another-house-0123456789' };
  const here = plainServices(tmpdir(), environment);
  await using open = await startTranscriptionServer({ recognize: async () => ({ text: 'hello' }) });
  const recognizer = await openaiCompatible.open(
    openaiCompatible.options.parse({ baseUrl: open.baseUrl, model: 'm' }),
    here,
  );
  assert.equal((await recognizer.recognize(request(tone(100)), neverAborted)).text, 'hello');
  await recognizer.close();
  assert.equal(open.questions[0]!.headers.authorization, undefined);
});

const refusals: readonly [object, RegExp][] = [
  [{ baseUrl: 'localhost:8000/v1' }, /^baseUrl: expected an address that begins with https:/],
  [{ baseUrl: 'https://user:secret@host/v1' }, /without user, query and fragment, but got one with it for host;/],
  [{ baseUrl: 'https://host/v1?key=secret' }, /without user, query and fragment/],
  [
    { keyVariable: 'NOT_SET_ANYWHERE' },
    /expected the key in the environment variable NOT_SET_ANYWHERE, but it is not set/,
  ],
  [{ keyVariable: 'TORN' }, /visible ASCII characters in the environment variable TORN/],
];

test('what is wrong with the options is said in one sentence, without secrets', async () => {
  const torn = plainServices(tmpdir(), { TORN: 'secret\n' });
  for (const [more, message] of refusals) {
    await assert.rejects(
      openaiCompatible.open(openaiCompatible.options.parse({ ...options, ...more }), torn),
      (error: unknown) => {
        assert.ok(error instanceof EarwitnessError, String(error));
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      },
    );
  }
});
