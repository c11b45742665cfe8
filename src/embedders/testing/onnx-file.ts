import { floatBytes, onnxModel } from '../../packages/testing/onnx-writer.ts';

/** A lookup of vectors by token: what tests ask of a text encoder, with answers that can be told on paper. */
export interface LookupGraph {
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
