// Models in int8, whose vectors depend on whatever shares their batch: all-MiniLM-L6-v2 where it stands beside the repository, else a tiny one.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sha256 } from '../../base/hash.ts';
import { onnxModel } from '../../packages/testing/onnx-writer.ts';
import { testEmbedder } from '../conformance.ts';
import { tinyTokenizer, writeTinyModel } from '../testing/tiny-model.ts';
import { sentenceTransformer } from './sentence-transformer.ts';

const published = fileURLToPath(new URL('../../../../shared/data/models', import.meta.url));
const real = existsSync(published);
const folder = mkdtempSync(join(tmpdir(), 'earwitness-int8-'));
after(() => rmSync(folder, { recursive: true }));
writeInt8Model(join(folder, 'minilm'));
const services = {
  baseFolder: real ? published : folder,
  environment: () => undefined,
  fileHash: async (path: string) => sha256(await readFile(path)),
};
const { ready, found } = await sentenceTransformer.readiness(services);
const skip = ready ? false : found;
/** Few tokens, so that texts of all lengths are quick. */
const options = { model: 'minilm', languages: ['en'], maxTokens: 64 };

testEmbedder({
  kind: sentenceTransformer,
  options,
  services,
  texts: ['turn it up', 'make it louder, please', 'the cat sat on the mat and looked out of the window for hours'],
  skip,
});

type Reference = readonly [cosine: number, tokens: number];
/**
 * Cosines and numbers of tokens by Python's onnxruntime 1.31.1 and tokenizers 0.23.3, each text alone; of the tiny model by 1.32.0. On the processor on
 * which they were made they come out to 1e-5. Sums in int8 differ between kinds of processors; .03 is how far this model's cosines
 * are from those in 32 bits.
 */
const references: readonly (readonly [text: string, other: string, miniLm: Reference, tiny: Reference])[] = [
  ['turn it up', 'make it louder', [0.36366, 5], [0.749404, 5]],
  ['turn it up', 'turn it down', [0.80486, 5], [0.83173, 5]],
  ['the cat sat on the mat', 'a feline rested on the rug', [0.56262, 8], [0.700101, 8]],
  ['the cat sat on the mat', 'stock prices fell sharply on monday', [0.06045, 8], [0.498048, 8]],
  ['please call Stella', 'please call stella.', [0.97637, 5], [0.939255, 10]],
  [
    "don't ask me to carry an oily rag like that",
    'do not ask me to carry an oily rag like that',
    [0.96521, 15],
    [0.966405, 35],
  ],
  ['naïve café résumé', 'naive cafe resume', [1, 5], [1, 17]],
  ['three thousand five hundred dollars', '$3,500', [0.70596, 7], [0.354437, 33]],
  ['word '.repeat(600), 'word '.repeat(62), [1, 602], [1, 602]],
];

/**
 * A table of vectors, quantized to 8 bits over all that is asked at once, and a layer over them. Its vocabulary has a few words and, for the
 * others, letters.
 */
function writeInt8Model(folder: string): void {
  const [letters, words] = [
    'abcdefghijklmnopqrstuvwxyz0123456789',
    'turn it up down make the cat sat on mat please call me word',
  ];
  const vocabulary = [
    '[PAD]',
    '[UNK]',
    '[CLS]',
    '[SEP]',
    ...words.split(' '),
    ...letters,
    ...[...letters].map((letter) => `##${letter}`),
    ..."$,.'",
  ];
  const width = 32;
  const grid = (rows: number, value: (row: number, column: number) => number) =>
    Array.from({ length: rows * width }, (_, at) => value(Math.floor(at / width), at % width));
  const rows = grid(vocabulary.length, (token, at) =>
    token === 0 ? 9 : Math.sin(1.3 * token * at + token + 0.7 * at),
  );
  const layer = grid(width, (from, to) => Math.cos(0.9 * from * to + to) / 4);
  const graph = onnxModel({
    nodes: [
      { operator: 'Gather', inputs: ['rows', 'input_ids'], outputs: ['states'] },
      { operator: 'DynamicQuantizeLinear', inputs: ['states'], outputs: ['bytes', 'scale', 'zero'] },
      { operator: 'DequantizeLinear', inputs: ['bytes', 'scale', 'zero'], outputs: ['rounded'] },
      { operator: 'MatMul', inputs: ['rounded', 'layer'], outputs: ['mixed'] },
      { operator: 'Tanh', inputs: ['mixed'], outputs: ['last_hidden_state'] },
    ],
    weights: [
      { name: 'rows', shape: [vocabulary.length, width], values: rows },
      { name: 'layer', shape: [width, width], values: layer },
    ],
    inputs: ['input_ids', 'attention_mask'].map((name) => {
      return { name, type: 'int64', shape: ['batch', 'sequence'] };
    }),
    outputs: [{ name: 'last_hidden_state', type: 'float', shape: ['batch', 'sequence', width] }],
  });
  writeTinyModel(folder, {
    'config.json': { model_type: 'bert', max_position_embeddings: 512 },
    'tokenizer_config.json': { model_max_length: 512 },
    'tokenizer.json': tinyTokenizer(vocabulary),
    'onnx/model.onnx': graph,
  });
}

test('Cosines and tokens are those of the model in Python.', { skip }, async () => {
  const embedder = await sentenceTransformer.open(sentenceTransformer.options.parse(options), services);
  for (const [text, other, miniLm, tiny] of references) {
    const [cosine, tokens] = real ? miniLm : tiny;
    const [one, two] = await embedder.embedTexts([text, other]);
    const product = one!.vector!.reduce((sum, value, index) => sum + value * two!.vector![index]!, 0);
    assert.ok(
      Math.abs(product - cosine) < (real ? 0.03 : 1e-5),
      `${text.slice(0, 40)}: ${product}, expected ${cosine}`,
    );
    assert.equal(one!.tokens, tokens, text.slice(0, 40));
  }
  await embedder.close();
});
