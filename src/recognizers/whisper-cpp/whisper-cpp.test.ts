import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { wav } from '../../decoders/wav/wav.ts';
import { testRecognizer } from '../conformance.ts';
import { whisperParameters } from '../shared/model-options.ts';
import { plainServices } from '../testing/tones.ts';
import { readGgmlModel, whisperCpp, wordsOfTokens } from './whisper-cpp.ts';

const folder = mkdtempSync(join(tmpdir(), 'earwitness-whisper-cpp-'));
after(() => rmSync(folder, { recursive: true }));
const services = plainServices(folder, {});
const readiness = await whisperCpp.readiness(services);
const model = process.env.EARWITNESS_WHISPER_CPP_MODEL ?? '';
const timit = fileURLToPath(new URL('../../../../shared/data/speech/timit/', import.meta.url));
const skip = !readiness.ready
  ? readiness.found
  : model === ''
    ? 'no model; name an English one in EARWITNESS_WHISPER_CPP_MODEL'
    : existsSync(timit)
      ? false
      : 'no TIMIT beside the repository in shared/data';

async function request(name: string) {
  const path = join(timit, `${name}.wav`);
  const clip =
    skip === false ? await wav.decode(readFileSync(path), name) : { samples: new Float32Array(1), sampleRate: 1 };
  return { clip, utteranceId: 'a', conditionName: 'clean', repeat: 0, language: 'en' };
}

testRecognizer({
  kind: whisperCpp,
  options: { model },
  services,
  requests: [await request('dr1-fvmh0-sa1'), await request('dr1-fvmh0-sa2')],
  skip,
});

/** Magic and the eleven numbers of a head, as whisper.cpp's convert-pt-to-ggml.py writes them. */
function head(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(48);
  bytes.writeUInt32LE(0x67676d6c, 0);
  for (const [place, value] of numbers.entries()) bytes.writeInt32LE(value, 4 + 4 * place);
  return bytes;
}

test('sizes, languages and parameters are read from the head of a ggml file', async () => {
  const path = join(folder, 'base.bin');
  writeFileSync(path, head(51_865, 1500, 512, 8, 6, 448, 512, 8, 6, 80, 1));
  const { sizes, multilingual, weightType, bytes } = await readGgmlModel(path);
  // As Whisper base' page on the Hugging Face hub counts them.
  assert.equal(whisperParameters(sizes), 72_593_920);
  assert.deepEqual({ multilingual, weightType, bytes }, { multilingual: true, weightType: 1, bytes: 48 });
  writeFileSync(path, head(51_864, 1500, 384, 6, 4, 448, 384, 6, 4, 80, 1));
  assert.equal((await readGgmlModel(path)).multilingual, false);
  writeFileSync(path, Buffer.alloc(20));
  await assert.rejects(readGgmlModel(path), /expected a ggml file of whisper\.cpp, but base\.bin is none/);
});

const stub = fileURLToPath(
  new URL('../../../../shared/data/models/whisper-stub/for-tests-ggml-tiny.en.bin', import.meta.url),
);
const skipStub = existsSync(stub) ? false : 'no test model of whisper.cpp beside the repository in shared/data';

test("whisper.cpp's own test model is read as tiny.en", { skip: skipStub }, async () => {
  const { sizes, multilingual } = await readGgmlModel(stub);
  assert.deepEqual([sizes.width, sizes.encoderLayers, sizes.vocabulary, multilingual], [384, 4, 51_864, false]);
});

test('a package that is not installed is named with the line to type', () => {
  if (readiness.ready) return;
  assert.match(readiness.found, /^expected the package @fugood\/.* is not installed$/);
  assert.match(readiness.install!, /^npm install .*--ignore-scripts .*@fugood\/whisper\.node$/);
});

test('tokens join to words, with times in order and a length', () => {
  const segments = [
    { text: ' She', t0: 100, t1: 300 },
    { text: ' wash', t0: 300, t1: 300 },
    { text: 'ed', t0: 300, t1: 520 },
    { text: '', t0: 520, t1: 520 },
    { text: ' up', t0: 290, t1: 290 },
  ];
  assert.deepEqual(wordsOfTokens(segments), [
    { text: 'She', startSeconds: 0.1, endSeconds: 0.3 },
    { text: 'washed', startSeconds: 0.3, endSeconds: 0.52 },
    { text: 'up', startSeconds: 0.3, endSeconds: 0.31 },
  ]);
});
