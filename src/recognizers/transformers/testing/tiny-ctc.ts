import { wordPieces, writeModelFolder } from '../../../packages/testing/model-folder.ts';
import { onnxModel } from '../../../packages/testing/onnx-writer.ts';

/** Tones that the model knows; the third stands for the end of a word. */
export const letterHz = { a: 500, b: 2000, '|': 3500 } as const;

const sampleRate = 16_000;
const hop = 320;
const kernel = 400;
const vocabulary = ['<pad>', '<unk>', '|', 'a', 'b'];
/** Between the energy of a tone and none, in squares of kernel-normalized samples. */
const threshold = 0.02;
const steepness = 400;

const frequencies = [letterHz['|'], letterHz.a, letterHz.b];
const waves = frequencies.flatMap((frequency) => [Math.cos, Math.sin].map((wave) => ({ frequency, wave })));

/** Energy at three frequencies in each frame becomes the score of a letter; that of nothing is fixed. */
export const tinyGraph = onnxModel({
  nodes: [
    { operator: 'Unsqueeze', inputs: ['input_values', 'one'], outputs: ['channel'] },
    {
      operator: 'Conv',
      inputs: ['channel', 'waves'],
      outputs: ['parts'],
      attributes: { kernel_shape: [kernel], strides: [hop] },
    },
    { operator: 'Mul', inputs: ['parts', 'parts'], outputs: ['squares'] },
    { operator: 'Transpose', inputs: ['squares'], outputs: ['frames'], attributes: { perm: [0, 2, 1] } },
    { operator: 'MatMul', inputs: ['frames', 'sums'], outputs: ['energies'] },
    { operator: 'Add', inputs: ['energies', 'offset'], outputs: ['logits'] },
  ],
  weights: [
    { name: 'one', shape: [1], type: 'int64', values: [1] },
    {
      name: 'waves',
      shape: [waves.length, 1, kernel],
      values: waves.flatMap(({ frequency, wave }) =>
        Array.from({ length: kernel }, (_, at) => wave((2 * Math.PI * frequency * at) / sampleRate) / kernel),
      ),
    },
    {
      name: 'sums',
      shape: [waves.length, vocabulary.length],
      values: waves.flatMap((_, place) =>
        vocabulary.map((_, token) => (token - 2 === Math.floor(place / 2) ? steepness : 0)),
      ),
    },
    { name: 'offset', shape: [vocabulary.length], values: [steepness * threshold, -100, 0, 0, 0] },
  ],
  inputs: [{ name: 'input_values', type: 'float', shape: ['batch', 'samples'] }],
  outputs: [{ name: 'logits', type: 'float', shape: ['batch', 'frames', vocabulary.length] }],
});

const tokenizer = {
  version: '1.0',
  normalizer: null,
  pre_tokenizer: null,
  post_processor: null,
  decoder: { type: 'CTC', pad_token: '<pad>', word_delimiter_token: '|', cleanup: true },
  ...wordPieces(vocabulary, { special: ['<pad>', '<unk>'], unknown: '<unk>', prefix: '' }),
};

/** Writes a wav2vec 2.0 model that spells tones, in the layout of transformers.js; `files` replace its own, null leaves out. */
export function writeTinyCtc(folder: string, files: Readonly<Record<string, unknown>> = {}): string {
  return writeModelFolder(folder, {
    'config.json': { model_type: 'wav2vec2', pad_token_id: 0, conv_stride: [5, 2, 2, 2, 2, 2, 2] },
    'preprocessor_config.json': {
      feature_extractor_type: 'Wav2Vec2FeatureExtractor',
      do_normalize: false,
      sampling_rate: sampleRate,
    },
    'tokenizer.json': tokenizer,
    'tokenizer_config.json': {
      tokenizer_class: 'Wav2Vec2CTCTokenizer',
      pad_token: '<pad>',
      unk_token: '<unk>',
      word_delimiter_token: '|',
    },
    'onnx/model.onnx': tinyGraph,
    ...files,
  });
}
