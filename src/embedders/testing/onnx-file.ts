// Writes the least of ONNX (onnx.proto, IR version 8) that a graph of a lookup and a mean needs.

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
  const floats = rows.flat();
  const bytes = Buffer.alloc(4 * floats.length);
  for (const [index, value] of floats.entries()) bytes.writeFloatLE(value, 4 * index);
  return bytes;
}

/** `last_hidden_state = rows[input_ids]`, or its mean; further inputs are declared and not used. */
export function lookupGraph(graph: LookupGraph): Buffer {
  const { rows, inputs = ['input_ids', 'attention_mask'], pooled = false } = graph;
  const output = pooled ? 'sentence_embedding' : 'last_hidden_state';
  const width = String(rows[0]!.length);
  const weights = message(
    [1, rows.length],
    [1, rows[0]!.length],
    [2, 1],
    [8, 'rows'],
    ...(graph.weightsFile === undefined
      ? ([[9, rowBytes(rows)]] as const)
      : ([
          [13, message([1, 'location'], [2, graph.weightsFile])],
          [14, 1],
        ] as const)),
  );
  const gather = message([1, 'rows'], [1, 'input_ids'], [2, pooled ? 'states' : output], [4, 'Gather']);
  const overTokens = message([1, 'axes'], [8, 1], [20, 7]);
  const withoutAxis = message([1, 'keepdims'], [3, 0], [20, 2]);
  const mean = message([1, 'states'], [2, output], [4, 'ReduceMean'], [5, overTokens], [5, withoutAxis]);
  const whole = message(
    [1, gather],
    ...(pooled ? ([[1, mean]] as const) : []),
    [2, 'lookup'],
    [5, weights],
    ...inputs.map((name) => [11, valueInfo(name, 7, ['batch', 'sequence'])] as const),
    [12, valueInfo(output, 1, pooled ? ['batch', width] : ['batch', 'sequence', width])],
  );
  return message([1, 8], [7, whole], [8, message([1, ''], [2, 17])]);
}

function valueInfo(name: string, elementType: number, dimensions: readonly string[]): Buffer {
  const shape = message(...dimensions.map((dimension) => [1, message([2, dimension])] as const));
  return message([1, name], [2, message([1, message([1, elementType], [2, shape])])]);
}

type Field = readonly [number: number, value: number | string | Buffer];

/** A message of protocol buffers: whole numbers as varints, all else with its length. */
function message(...fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.map(([number, value]) => {
      if (typeof value === 'number') return Buffer.concat([varint(number << 3), varint(value)]);
      const bytes = typeof value === 'string' ? Buffer.from(value) : value;
      return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
    }),
  );
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest >>>= 7;
  } while (rest > 0);
  return Buffer.from(bytes);
}
