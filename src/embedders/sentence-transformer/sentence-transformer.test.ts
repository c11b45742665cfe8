import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sha256 } from '../../base/hash.ts';
import { testEmbedder } from '../conformance.ts';
import type { Embedder } from '../contract.ts';
import { lookupGraph, rowBytes, tinyRows, writeTinyModel } from '../testing/tiny-model.ts';
import { sentenceTransformer } from './sentence-transformer.ts';

const baseFolder = mkdtempSync(join(tmpdir(), 'earwitness-embedders-'));
after(() => rmSync(baseFolder, { recursive: true, force: true }));
const services = {
  baseFolder,
  environment: () => undefined,
  fileHash: async (path: string) => sha256(await readFile(path)),
};
const { ready, found } = await sentenceTransformer.readiness(services);
const skip = ready ? false : found;

let models = 0;
async function openTiny(files: Readonly<Record<string, unknown>> = {}, options: object = {}): Promise<Embedder> {
  const model = `tiny-${models++}`;
  writeTinyModel(join(baseFolder, model), files);
  return sentenceTransformer.open(
    sentenceTransformer.options.parse({ model, languages: ['en'], ...options }),
    services,
  );
}

/** The vectors of texts by a tiny model, to five digits. */
async function vectors(
  texts: readonly string[],
  files: Readonly<Record<string, unknown>> = {},
  options: object = {},
): Promise<number[][]> {
  const embedder = await openTiny(files, options);
  const embedded = await embedder.embed(texts);
  await embedder.close();
  return embedded.map((vector) => Array.from(vector, (value) => Math.round(value * 1e5) / 1e5));
}

const refused = (files: Readonly<Record<string, unknown>>, message: RegExp, options: object = {}) =>
  assert.rejects(openTiny(files, options), { code: 'bad-config', message });

writeTinyModel(join(baseFolder, 'conforming'));
testEmbedder({
  kind: sentenceTransformer,
  options: { model: 'conforming', languages: ['en'] },
  services,
  texts: ['turn', 'turn it ups', 'it'],
  skip,
});

test('Vectors are the mean, the first or the greatest of the tokens; the tables say which is which.', {
  skip,
}, async () => {
  // [CLS] turn it up [SEP] sum up to (4, 1, 0).
  assert.deepEqual(await vectors(['turn it up']), [[0.97014, 0.24254, 0]]);
  assert.deepEqual(await vectors(['turn it up'], {}, { pooling: 'max' }), [[0.94868, 0.31623, 0]]);
  const first = lookupGraph({ rows: tinyRows.map((row, token) => (token === 2 ? [0, 3, 4] : row)) });
  assert.deepEqual(await vectors(['turn it up'], { 'onnx/model.onnx': first }, { pooling: 'cls' }), [[0, 0.6, 0.8]]);
  const asPublished = { '1_Pooling/config.json': { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false } };
  assert.deepEqual(await vectors(['turn'], { ...asPublished, 'onnx/model.onnx': first }), [[0, 0.6, 0.8]]);
});

test('A prefix is read before each text, and does not make an empty one worth reading.', { skip }, async () => {
  const prefix = { prefix: 'query ' };
  assert.deepEqual(await vectors(['turn', ''], {}, prefix), [
    [0.12403, 0.99228, 0],
    [0, 0, 0],
  ]);
});

test('Texts too long for the model lose tokens at their end and keep the frame; the limit is the least that is stated.', {
  skip,
}, async () => {
  // Of ten tokens two are the frame's: eight times "turn", and "it" is not read any more.
  const long = `${'turn '.repeat(8)}it`;
  assert.deepEqual(await vectors([long]), [[1, 0, 0]]);
  const limit = async (files: object, options: object = {}) => {
    const embedder = await openTiny(files as Record<string, unknown>, options);
    await embedder.close();
    return embedder.maxTokens;
  };
  assert.equal(await limit({}), 10);
  assert.equal(await limit({ 'sentence_bert_config.json': { max_seq_length: 9 } }), 9);
  assert.equal(await limit({ 'tokenizer_config.json': { model_max_length: 1e30 } }), 12);
  assert.equal(await limit({ 'tokenizer_config.json': null }), 12);
  const roberta = { model_type: 'xlm-roberta', max_position_embeddings: 11, pad_token_id: 1 };
  assert.equal(await limit({ 'config.json': roberta }), 9);
  assert.equal(await limit({ 'config.json': {}, 'tokenizer_config.json': {} }), 512);
  assert.equal(await limit({}, { maxTokens: 12 }), 12);
  await refused({}, /maxTokens of at most 12, .* got 13/, { maxTokens: 13 });
});

test('A text of which the model knows no token has no vector: two such texts would be the same to it.', {
  skip,
}, async () => {
  const embedder = await openTiny();
  const [unknown, hidden, partly] = await embedder.embedTexts(['слово 你', '\u200b', 'слово it']);
  assert.deepEqual(unknown, { vector: null, reason: 'the model knows nothing of the text', tokens: 2, tokensRead: 0 });
  assert.equal(hidden!.reason, 'the model finds no token in the text');
  assert.ok(partly!.vector);
  await embedder.close();
});

test('A graph that pools by itself is asked for its own vector, and no other is put in its place.', {
  skip,
}, async () => {
  const pooled = { 'onnx/model.onnx': lookupGraph({ rows: tinyRows, pooled: true }) };
  assert.deepEqual(await vectors(['turn it up'], pooled), [[0.97014, 0.24254, 0]]);
  const embedder = await openTiny(pooled, { pooling: 'model' });
  assert.equal(embedder.identity.pooling, 'model');
  await embedder.close();
  await refused(pooled, /expected last_hidden_state or token_embeddings .* gives sentence_embedding/, {
    pooling: 'cls',
  });
  await refused({}, /expected sentence_embedding .* gives last_hidden_state/, { pooling: 'model' });
});

test('Whatever decides vectors changes the identity, weights beside the graph too; names do not.', {
  skip,
}, async () => {
  const identityOf = async (files: Readonly<Record<string, unknown>> = {}, options: object = {}) => {
    const embedder = await openTiny(files, options);
    await embedder.close();
    return JSON.stringify(embedder.identity);
  };
  const usual = await identityOf();
  assert.equal(await identityOf({}, { name: 'another', languages: ['de'] }), usual);
  const outside = lookupGraph({ rows: tinyRows, weightsFile: 'rows.bin' });
  const heavier = rowBytes(tinyRows.map((row) => row.map((value) => 2 * value)));
  const others = [
    usual,
    await identityOf({}, { pooling: 'max' }),
    await identityOf({}, { prefix: 'query ' }),
    await identityOf({}, { maxTokens: 9 }),
    await identityOf({ 'tokenizer_config.json': { model_max_length: 10, do_lower_case: true } }),
    await identityOf({ 'onnx/model.onnx': outside, 'onnx/rows.bin': rowBytes(tinyRows) }),
    await identityOf({ 'onnx/model.onnx': outside, 'onnx/rows.bin': heavier }),
  ];
  assert.equal(new Set(others).size, others.length);
});

test('A folder that is no model, or not one that can be read right, is refused in a sentence.', { skip }, async () => {
  await refused({ 'config.json': null }, /config\.json is missing; name the folder that holds/);
  await refused({ 'tokenizer.json': Buffer.from('{') }, /expected JSON in tiny-\d+\/tokenizer\.json/);
  await refused({ 'tokenizer.json': {} }, /expected a tokenizer in tiny-\d+\/tokenizer\.json, but it does not load/);
  await refused({ 'onnx/model.onnx': null }, /expected model\.onnx in tiny-\d+ .* there is no ONNX file at all/);
  await refused(
    { 'onnx/model.onnx': Buffer.from('no graph') },
    /expected an ONNX graph, but model\.onnx does not load/,
  );
  const pixels = lookupGraph({ rows: tinyRows, inputs: ['input_ids', 'pixel_values'] });
  await refused({ 'onnx/model.onnx': pixels }, /but model\.onnx asks for pixel_values/);
  const several = lookupGraph({ rows: tinyRows });
  const both = { 'onnx/model.onnx': null, 'onnx/model_int8.onnx': several, 'onnx/model_q4.onnx': several };
  await refused(both, /there are model_int8\.onnx, model_q4\.onnx; name one as `file`/);
  assert.deepEqual(await vectors(['turn'], both, { file: 'model_q4.onnx' }), [[1, 0, 0]]);
  await refused({ '1_Pooling/config.json': { pooling_mode_lasttoken: true } }, /but got pooling_mode_lasttoken;/);
  await refused({ 'modules.json': [{ type: 'sentence_transformers.models.Dense' }] }, /but modules\.json .*Dense/);
  await assert.rejects(
    sentenceTransformer.open(sentenceTransformer.options.parse({ model: 'absent', languages: ['en'] }), services),
    /model: expected a folder at absent, but there is none/,
  );
  for (const languages of [[], ['english!'], undefined]) {
    assert.equal(sentenceTransformer.options.safeParse({ model: 'm', languages }).success, false);
  }
});
