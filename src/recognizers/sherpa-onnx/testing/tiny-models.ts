import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  onnxModel,
  type WrittenNode,
  type WrittenValue,
  type WrittenWeights,
} from '../../../packages/testing/onnx-writer.ts';

/** Tones that the tiny models know. */
export const lowHz = 500;
export const highHz = 2000;
export const endingHz = 5000;

const tokens = ['<blk>', '▁LOW', '▁HIGH', 'ER'];
const bands = 80;
/** Mel bands (Kaldi's, from 20 Hz on) around each tone. */
const heardBands: readonly (readonly number[])[] = [[], [15, 16, 17], [42, 43, 44], [66, 67, 68]];
/** Log energy between that of a tone and what it leaves elsewhere. */
const threshold = -3;

/** Scores of tokens are the log energies of their bands; that of the blank is fixed. Every fourth frame is kept. */
const nodes: readonly WrittenNode[] = [
  { operator: 'Slice', inputs: ['x', 'zero', 'end', 'one', 'four'], outputs: ['frames'] },
  { operator: 'MatMul', inputs: ['frames', 'bands'], outputs: ['energies'] },
  { operator: 'Add', inputs: ['energies', 'offset'], outputs: ['scores'] },
  { operator: 'LogSoftmax', inputs: ['scores'], outputs: ['log_probs'], attributes: { axis: 2 } },
];

const list = (name: string, value: number): WrittenWeights => ({ name, shape: [1], type: 'int64', values: [value] });
const weights: readonly WrittenWeights[] = [
  list('zero', 0),
  list('one', 1),
  list('two', 2),
  list('four', 4),
  list('end', 1_000_000),
  {
    name: 'bands',
    shape: [bands, tokens.length],
    values: Array.from({ length: bands }, (_, band) =>
      heardBands.map((heard) => (heard.includes(band) ? 1 / heard.length : 0)),
    ).flat(),
  },
  { name: 'offset', shape: [tokens.length], values: [threshold, 0, 0, 0] },
];

const features: WrittenValue = { name: 'x', type: 'float', shape: ['batch', 'frames', bands] };
const scores: WrittenValue = { name: 'log_probs', type: 'float', shape: ['batch', 'kept', tokens.length] };

/** In the form of Zipformer CTC: says which tones it hears. */
export const offlineModel = onnxModel({
  nodes: [
    ...nodes,
    { operator: 'Shape', inputs: ['frames'], outputs: ['shape'] },
    { operator: 'Slice', inputs: ['shape', 'one', 'two'], outputs: ['log_probs_len'] },
  ],
  weights,
  inputs: [features, { name: 'x_lens', type: 'int64', shape: ['batch'] }],
  outputs: [scores, { name: 'log_probs_len', type: 'int64', shape: ['batch'] }],
});

/** In the form of streaming Zipformer 2 CTC with no layer, whose states come out as they went in. */
export const onlineModel = onnxModel({
  nodes: [
    ...nodes,
    { operator: 'Identity', inputs: ['embed_states'], outputs: ['new_embed_states'] },
    { operator: 'Identity', inputs: ['processed_lens'], outputs: ['new_processed_lens'] },
  ],
  weights,
  inputs: [
    features,
    { name: 'embed_states', type: 'float', shape: ['batch', 128, 3, 19] },
    { name: 'processed_lens', type: 'int64', shape: ['batch'] },
  ],
  outputs: [
    scores,
    { name: 'new_embed_states', type: 'float', shape: ['batch', 128, 3, 19] },
    { name: 'new_processed_lens', type: 'int64', shape: ['batch'] },
  ],
  metadata: {
    model_type: 'zipformer2',
    encoder_dims: '4',
    query_head_dims: '1',
    value_head_dims: '1',
    num_heads: '1',
    num_encoder_layers: '0',
    cnn_module_kernels: '3',
    left_context_len: '4',
    T: '32',
    decode_chunk_len: '32',
  },
});

/** Writes both models and their tokens; gives the folder. */
export function writeTinyModels(folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'offline.onnx'), offlineModel);
  writeFileSync(join(folder, 'online.onnx'), onlineModel);
  writeFileSync(join(folder, 'tokens.txt'), tokens.map((token, id) => `${token} ${id}\n`).join(''));
  return folder;
}
