import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Clip } from '../../audio/clip.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { testRecognizer } from '../conformance.ts';
import type { Recognizer } from '../contract.ts';
import { plainServices, tones } from '../testing/tones.ts';
import { sherpaOnnx, wordsOfTokens } from './sherpa-onnx.ts';
import { endingHz, highHz, lowHz, writeTinyModels } from './testing/tiny-models.ts';

const folder = writeTinyModels(mkdtempSync(join(tmpdir(), 'earwitness-sherpa-')));
after(() => rmSync(folder, { recursive: true }));
const services = plainServices(folder);
const readiness = await sherpaOnnx.readiness(services);
const skip = readiness.ready ? false : readiness.found;

const offline = { kind: 'zipformer-ctc', model: 'offline.onnx' };
const online = { kind: 'online-zipformer-ctc', model: 'online.onnx' };
const first = tones([lowHz, endingHz, highHz]);
const second = tones([highHz, lowHz]);
const request = (clip: Clip, language = 'en') => ({
  clip,
  utteranceId: 'a',
  conditionName: 'clean',
  repeat: 0,
  language,
});
const never = new AbortController().signal;

for (const options of [offline, online]) {
  testRecognizer({
    kind: sherpaOnnx,
    options,
    services,
    requests: [request(first), request(second)],
    skip,
  });
}

async function opened<T>(options: object, use: (recognizer: Recognizer) => Promise<T>): Promise<T> {
  const recognizer = await sherpaOnnx.open(sherpaOnnx.options.parse(options), services);
  try {
    return await use(recognizer);
  } finally {
    await recognizer.close();
  }
}

// The models are made here: tones of .32 s begin at .16, .64 and 1.12 s, and CTC emits a token when it begins to hear it, in
// frames of .04 s; the last token of a word lasts a frame.
test('sherpa-onnx writes the tones of a made model with the times at which they begin', { skip }, async () => {
  for (const options of [offline, online]) {
    const { text, words } = await opened(options, (recognizer) => recognizer.recognize(request(first), never));
    assert.equal(text, 'LOWER HIGH');
    assert.deepEqual(
      words?.map((word) => [word.text, word.startSeconds!.toFixed(2), word.endSeconds!.toFixed(2)]),
      [
        ['LOWER', '0.16', '0.68'],
        ['HIGH', '1.12', '1.16'],
      ],
    );
  }
});

test('an online model gives while sound comes what it gives of the whole', { skip }, async () => {
  await opened(online, async (recognizer) => {
    const whole = await recognizer.recognize(request(first), never);
    for (const seconds of [0.05, 0.5]) {
      const heard: string[] = [];
      for await (const partial of recognizer.stream!(chunksOf(first, seconds), never)) {
        heard.push(`${partial.final ? 'final' : 'partial'} ${partial.text}`);
        if (partial.final) assert.deepEqual(partial.words, whole.words);
      }
      assert.equal(heard.at(-1), 'final LOWER HIGH');
      assert.deepEqual([...new Set(heard)], heard);
      assert.ok(heard.includes('partial LOW') || heard.includes('partial LOWER'), heard.join());
    }
    await assert.rejects(async () => {
      for await (const _ of recognizer.stream!(chunksOf({ ...first, sampleRate: 8000 }, 1), never)) {
        // Nothing comes.
      }
    }, /expected chunks at 16000 Hz, got 8000/);
  });
});

test('an online model fed chunk by chunk answers as of the whole, and is another recognizer', { skip }, async () => {
  const streaming = { ...online, mode: 'streaming', chunkSeconds: 0.2 };
  const { text, details, timing } = await opened(streaming, (recognizer) =>
    recognizer.recognize(request(first), never),
  );
  assert.equal(text, 'LOWER HIGH');
  assert.deepEqual(Object.keys(details!.streaming!), ['partials', 'wordsShown', 'wordsTakenBack']);
  assert.ok(timing!.stream!.firstPartialSeconds! >= 0);
  const keyed = async (options: object) =>
    JSON.stringify((await sherpaOnnx.describe(sherpaOnnx.options.parse(options), services)).identity);
  assert.notEqual(await keyed(streaming), await keyed(online));
});

async function* chunksOf({ samples, sampleRate }: Clip, seconds: number): AsyncGenerator<Clip> {
  const step = Math.round(seconds * sampleRate);
  for (let from = 0; from < samples.length; from += step) {
    yield { samples: samples.slice(from, from + step), sampleRate };
  }
}

test('a sound of minutes is heard in pieces, with times from its start', { skip }, async () => {
  const many = tones(Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? lowHz : highHz)));
  const { text, words } = await opened({ ...offline, chunkSeconds: 5 }, (recognizer) =>
    recognizer.recognize(request(many), never),
  );
  assert.equal(text, Array.from({ length: 20 }, () => 'LOW HIGH').join(' '));
  for (const [index, word] of words!.entries()) {
    assert.ok(Math.abs(word.startSeconds! - (0.16 + index * 0.48)) < 0.05, `${index}: ${word.startSeconds}`);
  }
});

test('the identity changes with files and settings, not with names and threads', async () => {
  const described = async (options: object) =>
    (await sherpaOnnx.describe(sherpaOnnx.options.parse(options), services)).identity;
  writeFileSync(
    join(folder, 'other-name.onnx'),
    await import('./testing/tiny-models.ts').then((made) => made.offlineModel),
  );
  writeFileSync(join(folder, 'other-tokens.txt'), '<blk> 0\n▁A 1\n▁B 2\nC 3\n');
  const usual = await described(offline);
  assert.deepEqual(await described({ ...offline, model: 'other-name.onnx', threads: 2 }), usual);
  assert.notDeepEqual(await described({ ...offline, tokens: 'other-tokens.txt' }), usual);
  assert.notDeepEqual(await described({ ...offline, chunkSeconds: 20 }), usual);
});

test('files from which the library would end the process are refused in a sentence before', async () => {
  writeFileSync(join(folder, 'no.onnx'), 'no graph');
  writeFileSync(join(folder, 'no-tokens.txt'), 'just a text\n');
  const refusals: readonly [object, RegExp][] = [
    [{ ...offline, model: 'absent.onnx' }, /^model: expected a file at absent\.onnx, but there is none/],
    [{ ...offline, model: 'no.onnx' }, /^model: expected an ONNX file, but no\.onnx is none/],
    [
      { ...offline, kind: 'nemo-ctc' },
      /^model: expected a graph for nemo-ctc, but offline\.onnx has no entry vocab_size/,
    ],
    [{ ...online, model: 'offline.onnx' }, /has no entry encoder_dims/],
    [
      { ...offline, tokens: 'no-tokens.txt' },
      /^tokens: expected a token and its number in each line of no-tokens\.txt, but line 1/,
    ],
  ];
  for (const [options, message] of refusals) {
    await assert.rejects(sherpaOnnx.describe(sherpaOnnx.options.parse(options), services), (error: unknown) => {
      assert.ok(error instanceof EarwitnessError && error.code === 'bad-config', String(error));
      assert.match(error.message, message);
      return true;
    });
  }
});

test('words are made of tokens, and left out where tokens do not spell the text', () => {
  const tokens = ['▁', 'HE', 'LLO', ' THE', 'RE'];
  const timestamps = [0.1, 0.2, 0.3, 0.8, 0.7];
  assert.deepEqual(
    wordsOfTokens({ text: 'HELLO THERE', tokens, timestamps }).map((word) => [word.text, word.startSeconds]),
    [
      ['HELLO', 0.2],
      ['THERE', 0.8],
    ],
  );
  assert.deepEqual(wordsOfTokens({ text: '你好', tokens: ['<0xE4>', '<0xBD>'], timestamps: [0, 1] }), []);
  assert.deepEqual(wordsOfTokens({ text: 'HELLO', tokens: ['▁HELLO'], timestamps: [] }), []);
});
