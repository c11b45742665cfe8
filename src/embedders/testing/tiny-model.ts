import { wordPieces, writeModelFolder } from '../../packages/testing/model-folder.ts';
import { floatBytes, onnxModel } from '../../packages/testing/onnx-writer.ts';

/** Tokens of the model, each with its vector. The last stands for what comes after another in the same word. */
const tinyVocabulary: readonly (readonly [token: string, vector: readonly [number, number, number]])[] = [
  ['[PAD]', [9, 9, 9]],
  ['[UNK]', [0, 0, 1]],
  ['[CLS]', [0, 0, 0]],
  ['[SEP]', [0, 0, 0]],
  ['turn', [1, 0, 0]],
  ['it', [0, 1, 0]],
  ['up', [3, 0, 0]],
  ['query', [0, 8, 0]],
  ['##s', [0, 0, 5]],
];

export const tinyRows = tinyVocabulary.map(([, vector]) => vector);

/** tokenizer.json as BERT has it, over a vocabulary that begins as the tiny one does. */
export const tinyTokenizer = (vocabulary: readonly string[]) => ({
  version: '1.0',
  // A leftover of training, as published files have it; it must not be applied.
  truncation: { max_length: 4, strategy: 'LongestFirst', stride: 0, direction: 'Right' },
  padding: null,
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
    ],
    pair: [],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
    },
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  ...wordPieces(vocabulary, { special: ['[PAD]', '[UNK]', '[CLS]', '[SEP]'], unknown: '[UNK]', prefix: '##' }),
});

/** Writes a model that looks up one vector for each token, in the layout of transformers.js; `files` replace its own. */
export function writeTinyModel(folder: string, files: Readonly<Record<string, unknown>> = {}): string {
  return writeModelFolder(folder, {
    'config.json': { model_type: 'bert', max_position_embeddings: 12 },
    'tokenizer.json': tinyTokenizer(tinyVocabulary.map(([token]) => token)),
    'tokenizer_config.json': { model_max_length: 10 },
    'onnx/model.onnx': lookupGraph({ rows: tinyRows }),
    ...files,
  });
}

/** A lookup of vectors by token: what tests ask of a text encoder, with answers that can be told on paper. */
interface LookupGraph {
  /** One vector for each token of the vocabulary. */
  readonly rows: readonly (readonly number[])[];
  readonly inputs?: readonly string[];
  /** The graph gives the mean over the tokens, as `sentence_embedding`, in place of a vector for each. */
  readonly pooled?: boolean;
  /** Name of the file that holds the vectors instead of the graph; its content is `rowBytes`. */
  readonly weightsFile?: string;
}

/** The vectors as little-endian 32-bit floats. */
export function rowBytes(rows: LookupGraph['rows']): Buffer {
  return floatBytes(rows.flat());
}

/** `last_hidden_state = rows[input_ids]`, or its mean; further inputs are declared and not used. */
export function lookupGraph(graph: LookupGraph): Buffer {
  const { rows, inputs = ['input_ids', 'attention_mask'], pooled = false, weightsFile } = graph;
  const output = pooled ? 'sentence_embedding' : 'last_hidden_state';
  const width = rows[0]!.length;
  const lookup = { operator: 'Gather', inputs: ['rows', 'input_ids'], outputs: [pooled ? 'states' : output] };
  const mean = {
    operator: 'ReduceMean',
    inputs: ['states'],
    outputs: [output],
    attributes: { axes: [1], keepdims: 0 },
  };
  return onnxModel({
    nodes: pooled ? [lookup, mean] : [lookup],
    weights: [
      {
        name: 'rows',
        shape: [rows.length, width],
        values: rows.flat(),
        ...(weightsFile === undefined ? {} : { file: weightsFile }),
      },
    ],
    inputs: inputs.map((name) => ({ name, type: 'int64', shape: ['batch', 'sequence'] })),
    outputs: [{ name: output, type: 'float', shape: pooled ? ['batch', width] : ['batch', 'sequence', width] }],
  });
}
