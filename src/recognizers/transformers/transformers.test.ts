import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Clip } from '../../audio/clip.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { wav } from '../../decoders/wav/wav.ts';
import { testRecognizer } from '../conformance.ts';
import { RecognitionError, type Recognizer } from '../contract.ts';
import { plainServices, tones } from '../testing/tones.ts';
import { letterHz, tinyGraph, writeTinyCtc } from './testing/tiny-ctc.ts';
import { transformers } from './transformers.ts';

const folder = mkdtempSync(join(tmpdir(), 'earwitness-transformers-'));
after(() => rmSync(folder, { recursive: true }));
const services = plainServices(folder, {});
const readiness = await transformers.readiness(services);
const skip = readiness.ready ? false : readiness.found;
const never = new AbortController().signal;

/** Tones of .1 s from .1 s on, every .2 s: a frame of the model has .02 s. */
const spell = (text: string): Clip =>
  tones(
    [...text].map((letter) => letterHz[letter as keyof typeof letterHz]),
    { toneSeconds: 0.1, pauseSeconds: 0.1, startSeconds: 0.1 },
  );
const request = (clip: Clip, language = 'en', repeat = 0) => ({
  clip,
  utteranceId: 'a',
  conditionName: 'clean',
  repeat,
  language,
});
writeTinyCtc(join(folder, 'ctc'));

async function opened<T>(options: object, use: (recognizer: Recognizer) => Promise<T>): Promise<T> {
  const recognizer = await transformers.open(transformers.options.parse(options), services);
  try {
    return await use(recognizer);
  } finally {
    await recognizer.close();
  }
}

testRecognizer({
  kind: transformers,
  options: { model: 'ctc' },
  services,
  requests: [request(spell('ab|baa')), request(spell('bb|a'))],
  skip,
});

test('a CTC model writes letters that are said twice, with times and confidences of words', { skip }, async () => {
  const { text, words } = await opened({ model: 'ctc' }, (recognizer) =>
    recognizer.recognize(request(spell('ab|baa')), never),
  );
  assert.equal(text, 'ab baa');
  assert.deepEqual(
    words!.map((word) => [word.text, word.startSeconds!.toFixed(2), word.endSeconds!.toFixed(2)]),
    [
      ['ab', '0.10', '0.40'],
      ['baa', '0.70', '1.20'],
    ],
  );
  // The softmax of scores 400 x .25 (the square of half an amplitude of .5 is .0625, of which .02 is the blank's) is 1 here.
  assert.ok(words!.every(({ confidence }) => confidence! > 0.99));
});

test('a long sound is heard in pieces, with times from its start, and without words where they are not wanted', {
  skip,
}, async () => {
  const clip = spell('a|b|'.repeat(20));
  const options = { model: 'ctc', chunkSeconds: 3 };
  const { text, words } = await opened(options, (recognizer) => recognizer.recognize(request(clip), never));
  assert.equal(text, Array.from({ length: 20 }, () => 'a b').join(' '));
  for (const [index, word] of words!.entries()) assert.ok(Math.abs(word.startSeconds! - (0.1 + 0.4 * index)) < 0.03);
  const bare = await opened({ ...options, wordTimes: false }, (recognizer) =>
    recognizer.recognize(request(clip), never),
  );
  assert.deepEqual(bare, { text });
});

test('the identity changes with files and settings, not with names and threads', async () => {
  writeTinyCtc(join(folder, 'renamed'));
  writeTinyCtc(join(folder, 'retold'), { 'config.json': { model_type: 'wavlm', pad_token_id: 0 } });
  const described = async (options: object) => transformers.describe(transformers.options.parse(options), services);
  const usual = await described({ model: 'ctc' });
  assert.deepEqual((await described({ model: 'renamed', threads: 2, dtype: 'fp32' })).identity, usual.identity);
  assert.notDeepEqual((await described({ model: 'retold' })).identity, usual.identity);
  assert.notDeepEqual((await described({ model: 'ctc', chunkSeconds: 10 })).identity, usual.identity);
  // 6 waves of 400 samples, 6 rows and one offset for 5 tokens.
  assert.equal(usual.facts.parameters, 6 * 400 + 6 * 5 + 5);
  assert.equal(usual.facts.wordTimes, true);
});

test('what cannot be used is refused in a sentence', async () => {
  writeTinyCtc(join(folder, 'soundless'), { 'config.json': { model_type: 'bert' } });
  writeTinyCtc(join(folder, 'unreadable'), { 'config.json': Buffer.from('{') });
  writeTinyCtc(join(folder, 'incomplete'), { 'tokenizer.json': null });
  writeTinyCtc(join(folder, 'graphless'), { 'onnx/model.onnx': null });
  writeTinyCtc(join(folder, 'cut'), { 'onnx/model.onnx': tinyGraph.subarray(0, 5000) });
  writeTinyCtc(join(folder, 'several'), {
    'onnx/model.onnx': null,
    'onnx/model_int8.onnx': tinyGraph,
    'onnx/model_quantized.onnx': tinyGraph,
  });
  writeTinyCtc(join(folder, 'moonshine'), { 'config.json': { model_type: 'moonshine' } });
  const refusals: readonly [object, RegExp][] = [
    [{ model: 'absent' }, /^model: expected a folder at absent, but there is none/],
    [{ model: 'soundless' }, /^model: expected a model that transcribes .* says "bert"/],
    [{ model: 'unreadable' }, /^model: expected JSON in unreadable\/config\.json/],
    [{ model: 'incomplete' }, /tokenizer\.json is missing/],
    [{ model: 'graphless' }, /^model: expected onnx\/model\.onnx, or one of its kinds/],
    [{ model: 'cut' }, /^model: expected an ONNX file, but model\.onnx is none or is cut off/],
    [
      { model: 'several' },
      /^dtype: expected one kind of weights for model in several, but there is q8, int8; name one/,
    ],
    [{ model: 'ctc', dtype: 'q4' }, /^dtype: expected weights of kind q4 for model in ctc, but there is fp32/],
    [{ model: 'ctc', dtype: { decoder: 'q4' } }, /^dtype: expected model, but got decoder/],
    [{ model: 'moonshine', wordTimes: true }, /^wordTimes: expected a model that gives times .* moonshine have none/],
  ];
  for (const [options, message] of refusals) {
    await assert.rejects(transformers.describe(transformers.options.parse(options), services), (error: unknown) => {
      assert.ok(error instanceof EarwitnessError && error.code === 'bad-config', String(error));
      assert.match(error.message, message);
      return true;
    });
  }
  for (const options of [{}, { model: 'a', hub: 'b/c' }, { hub: '../c' }, { hub: 'a/..' }]) {
    assert.equal(transformers.options.safeParse(options).success, false, JSON.stringify(options));
  }
});

test('a model of the hub is downloaded once, checked, and used without the network', { skip }, async () => {
  const model = join(folder, 'ctc');
  const names = [
    'config.json',
    'preprocessor_config.json',
    'tokenizer.json',
    'tokenizer_config.json',
    'onnx/model.onnx',
  ];
  const commit = 'c'.repeat(40);
  const asked: string[] = [];
  const keys = new Set<string | undefined>();
  let graph = tinyGraph;
  const server = createServer((incoming, answer) => {
    asked.push(incoming.url!);
    keys.add(incoming.headers.authorization);
    const file = names.find((name) => incoming.url === `/some/model/resolve/${commit}/${name}`);
    if (incoming.url === '/api/models/some/model/revision/v1?blobs=true') {
      const siblings = [...names, 'README.md', 'onnx/model_quantized.onnx', '../../outside'].map((rfilename) =>
        rfilename === 'onnx/model.onnx'
          ? { rfilename, size: tinyGraph.length, lfs: { sha256: createHash('sha256').update(tinyGraph).digest('hex') } }
          : { rfilename },
      );
      answer.end(JSON.stringify({ sha: commit, siblings }));
    } else if (file !== undefined) answer.end(file.endsWith('.onnx') ? graph : readFileSync(join(model, file)));
    else answer.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const environment = {
    HF_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    HF_TOKEN: 'hf_secret',
  };
  const told: string[] = [];
  const online = { ...plainServices(folder, environment), progress: (text: string) => told.push(text) };
  const options = transformers.options.parse({ hub: 'some/model', revision: 'v1', cacheFolder: 'cache' });
  try {
    graph = Buffer.from(tinyGraph).fill(0, 3000, 3004);
    await assert.rejects(
      transformers.describe(options, online),
      /^EarwitnessError: hub: expected onnx\/model\.onnx of some\/model as the hub announced it/,
    );
    graph = tinyGraph;
    const described = await transformers.describe(options, online);
    assert.deepEqual(
      described.identity,
      (await transformers.describe(transformers.options.parse({ model: 'ctc' }), services)).identity,
    );
    assert.ok(
      told.some((text) => text.startsWith('downloading some/model: onnx/model.onnx')),
      told.join(),
    );
    assert.deepEqual([...keys], ['Bearer hf_secret']);
    assert.ok(!asked.some((url) => /README|quantized|outside/.test(url)));
    const before = asked.length;
    const recognizer = await transformers.open(options, online);
    assert.equal((await recognizer.recognize(request(spell('ab')), never)).text, 'ab');
    await recognizer.close();
    assert.equal(asked.length, before, 'the second use asked the network');
    const unknown = transformers.options.parse({ hub: 'no/model', cacheFolder: 'cache' });
    await assert.rejects(transformers.describe(unknown, online), (error: Error) => {
      assert.match(
        error.message,
        /^hub: expected no\/model at revision main at http.*, but it says 404: there is none, or it is not public/,
      );
      assert.doesNotMatch(error.message, /hf_secret/);
      return true;
    });
  } finally {
    server.close();
    server.closeAllConnections();
  }
  const elsewhere = transformers.options.parse({ hub: 'some/model', cacheFolder: 'other-cache' });
  await assert.rejects(
    transformers.describe(elsewhere, plainServices(folder, environment)),
    /^EarwitnessError: hub: expected to download some\/model at revision main from http.*, but that failed \(.*ECONNREFUSED.*\); connect this machine/,
  );
  assert.equal(
    (await transformers.describe(options, plainServices(folder, environment))).identity.engine,
    'transformers',
  );
});

test('owner/name as model is the hub where no such folder is here; a model without ONNX files is taken from its export', {
  skip,
}, async () => {
  const model = writeTinyCtc(join(folder, 'exported'));
  const names = [
    'config.json',
    'preprocessor_config.json',
    'tokenizer.json',
    'tokenizer_config.json',
    'onnx/model.onnx',
  ];
  const lists: Readonly<Record<string, readonly string[]>> = {
    'some/speller': ['config.json', 'model.safetensors'],
    'onnx-community/speller': names,
    'some/other': ['config.json'],
  };
  const asked: string[] = [];
  const server = createServer((incoming, answer) => {
    asked.push(incoming.url!);
    const [, listed] = /^\/api\/models\/(.+)\/revision\/main\?blobs=true$/.exec(incoming.url!) ?? [];
    const [, file] = /^\/onnx-community\/speller\/resolve\/d{40}\/(.+)$/.exec(incoming.url!) ?? [];
    if (listed !== undefined && Object.hasOwn(lists, listed)) {
      const siblings = lists[listed]!.map((rfilename) => ({ rfilename }));
      answer.end(JSON.stringify({ sha: 'd'.repeat(40), siblings }));
    } else if (file !== undefined) answer.end(readFileSync(join(model, file)));
    else answer.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const told: string[] = [];
  const online = { ...plainServices(folder, {}), progress: (text: string) => told.push(text) };
  const named = (model: string) => transformers.options.parse({ model, endpoint, cacheFolder: 'named' });
  try {
    await transformers.describe(named('some/speller'), online);
    assert.ok(told.includes('some/speller has no ONNX files; its export onnx-community/speller is taken'));
    const before = asked.length;
    const recognizer = await transformers.open(named('some/speller'), online);
    assert.equal((await recognizer.recognize(request(spell('ab')), never)).text, 'ab');
    await recognizer.close();
    assert.equal(asked.length, before, 'the second use asked the network');
    await assert.rejects(
      transformers.describe(named('some/other'), online),
      /^EarwitnessError: model: there is no folder some\/other here, and on the hub expected some\/other with ONNX files .* or their export as onnx-community\/other, but it has none, and expected onnx-community\/other .* it says 404/,
    );
    writeTinyCtc(join(folder, 'some/here'));
    await transformers.describe(named('some/here'), online);
    await assert.rejects(
      transformers.describe(named('./some/there'), online),
      /^EarwitnessError: model: expected a folder/,
    );
    assert.equal(asked.filter((url) => /here/.test(url)).length, 0);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

const data = fileURLToPath(new URL('../../../../shared/data', import.meta.url));
const skipWhisper =
  skip || (existsSync(join(data, 'models/whisper-base')) ? false : 'no Whisper beside the repository in shared/data');

const whisperServices = plainServices(data, {});
const whisper = (options: object = {}) => transformers.options.parse({ model: 'models/whisper-base', ...options });
const timit = async (name: string): Promise<Clip> => {
  const path = join(data, `speech/timit/${name}.wav`);
  return existsSync(path) ? wav.decode(readFileSync(path), name) : spell('a');
};

test('Whisper says what its files tell, and that its words get no times', { skip: skipWhisper }, async () => {
  const { facts } = await transformers.describe(whisper(), whisperServices);
  // As the model's page on the hub counts them.
  assert.equal(facts.parameters, 72_593_920);
  assert.equal((facts.languages as string[]).length, 99);
  assert.deepEqual(facts.weights, { encoder_model: 'q8', decoder_model_merged: 'q8' });
  assert.equal(facts.wordTimes, false);
  const refused = (options: object, message: RegExp) =>
    assert.rejects(transformers.describe(whisper(options), whisperServices), message);
  await refused({ wordTimes: true }, /exported without cross-attentions/);
  await refused({ chunkSeconds: 31 }, /^EarwitnessError: chunkSeconds: expected at most 30/);
});

test('Whisper hears a sentence, as far as it may write, and refuses languages it does not know', {
  skip: skipWhisper,
}, async () => {
  const clip = await timit('dr1-fvmh0-sa1');
  const recognizer = await transformers.open(whisper({ maxNewTokens: 5, dtype: 'q8' }), whisperServices);
  try {
    await assert.rejects(recognizer.recognize(request(clip, 'tlh'), never), (error: unknown) => {
      assert.ok(error instanceof RecognitionError && error.kind === 'refused');
      assert.match(error.message, /^the utterance is in "tlh", but the model knows 99 languages, but not this one$/);
      return true;
    });
    // The sentence is "She had your dark suit in greasy wash water all year."
    assert.equal((await recognizer.recognize(request(clip, 'en-US'), never)).text, 'She had your dark suit');
  } finally {
    await recognizer.close();
  }
});

testRecognizer({
  kind: transformers,
  options: { model: 'models/whisper-base', dtype: 'q8' },
  services: whisperServices,
  requests: [request(await timit('dr1-fvmh0-sa1')), request(await timit('dr1-fvmh0-sa2'))],
  skip: skipWhisper || (process.env.EARWITNESS_SLOW_TESTS === '1' ? false : 'slow; set EARWITNESS_SLOW_TESTS=1'),
});
