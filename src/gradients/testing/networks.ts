import { createRandom } from '../../base/random.ts';
import {
  elementTypes,
  floatTensor,
  integerTensor,
  type Model,
  type Node,
  sizeOf,
  type Tensor,
  type ValueInfo,
} from '../onnx-model.ts';
import { makeNode } from '../rewrite.ts';

type Attributes = Readonly<Record<string, number | string | readonly number[]>>;

/** Writes graphs for tests: operators by name, weights drawn at random, always the same ones. */
export class GraphWriter {
  readonly #nodes: Node[] = [];
  readonly #weights = new Map<string, Tensor>();
  readonly #inputs: ValueInfo[] = [];
  readonly #random;
  #made = 0;

  constructor(seed: string) {
    this.#random = createRandom(seed);
  }

  input(name: string, shape: readonly (number | string)[], type: number = elementTypes.float): string {
    this.#inputs.push({ name, type, shape });
    return name;
  }

  tensor(tensor: Tensor): string {
    const name = `weight${this.#made++}`;
    this.#weights.set(name, tensor);
    return name;
  }

  /** Floats of a normal distribution. */
  normal(shape: readonly number[], deviation = 1, mean = 0): string {
    const values = Float32Array.from({ length: sizeOf(shape) }, () => mean + deviation * this.#random.normal());
    return this.tensor(floatTensor(values, shape));
  }

  floats(values: readonly number[], shape: readonly number[] = [values.length]): string {
    return this.tensor(floatTensor(values, shape));
  }

  number(value: number): string {
    return this.floats([value], []);
  }

  integers(values: readonly number[], shape?: readonly number[]): string {
    return this.tensor(integerTensor(values, shape));
  }

  /** The first output of an operator. */
  op(operator: string, inputs: readonly string[], attributes: Attributes = {}): string {
    return this.outputs(operator, inputs, 1, attributes)[0]!;
  }

  outputs(operator: string, inputs: readonly string[], count: number, attributes: Attributes = {}): string[] {
    const outputs = Array.from({ length: count }, () => `${operator}${this.#made++}`);
    this.#nodes.push(makeNode(operator, inputs, outputs, attributes));
    return outputs;
  }

  /** A value under a name of its own. */
  named(value: string, name: string): string {
    this.#nodes.push(makeNode('Identity', [value], [name]));
    return name;
  }

  reshape(value: string, shape: readonly number[]): string {
    return this.op('Reshape', [value, this.integers(shape)]);
  }

  transpose(value: string, perm: readonly number[]): string {
    return this.op('Transpose', [value], { perm });
  }

  /** A dense layer. */
  dense(value: string, from: number, to: number): string {
    const product = this.op('MatMul', [value, this.normal([from, to], 1 / Math.sqrt(from))]);
    return this.op('Add', [product, this.normal([to], 0.1)]);
  }

  layerNorm(value: string, width: number): string {
    return this.op('LayerNormalization', [value, this.normal([width], 0.1, 1), this.normal([width], 0.1)], {
      axis: -1,
      epsilon: 1e-5,
    });
  }

  model(outputs: readonly string[], version = 20): Model {
    return {
      graph: {
        nodes: this.#nodes,
        weights: this.#weights,
        inputs: this.#inputs,
        outputs: outputs.map((name) => ({ name, type: elementTypes.float, shape: null })),
      },
      operatorSets: new Map([['', version]]),
    };
  }
}

/** A network of random weights and what it is fed. */
export interface Network {
  readonly model: Model;
  readonly wrt: string;
  readonly output: string;
  readonly shapes: Readonly<Record<string, readonly number[]>>;
}

/** Attention of several heads, whose shapes are computed as exports from PyTorch do; `scores` may change the scores. */
function attention(
  g: GraphWriter,
  {
    x,
    memory,
    width,
    heads,
  }: { readonly x: string; readonly memory: string; readonly width: number; readonly heads: number },
  changed: (scores: string, query: string) => string = (scores) => scores,
): string {
  const split = (value: string, perm: readonly number[]) => {
    const length = g.op('Gather', [g.op('Shape', [value]), g.integers([1], [])]);
    const parts = [
      g.integers([1]),
      g.op('Unsqueeze', [length, g.integers([0])]),
      g.integers([heads]),
      g.integers([-1]),
    ];
    return g.transpose(g.op('Reshape', [value, g.op('Concat', parts, { axis: 0 })]), perm);
  };
  const query = split(g.op('Mul', [g.dense(x, width, width), g.number(Math.sqrt(heads / width))]), [0, 2, 1, 3]);
  const key = split(g.dense(memory, width, width), [0, 2, 3, 1]);
  const value = split(g.dense(memory, width, width), [0, 2, 1, 3]);
  const weights = g.op('Softmax', [changed(g.op('MatMul', [query, key]), query)], { axis: -1 });
  const heard = g.transpose(g.op('MatMul', [weights, value]), [0, 2, 1, 3]);
  return g.dense(g.reshape(heard, [1, -1, width]), width, width);
}

/** x Phi(x) as exports before version 20 write it. */
function gelu(g: GraphWriter, x: string): string {
  const erf = g.op('Erf', [g.op('Div', [x, g.number(Math.SQRT2)])]);
  return g.op('Mul', [g.op('Mul', [x, g.op('Add', [erf, g.number(1)])]), g.number(0.5)]);
}

function swish(g: GraphWriter, x: string): string {
  return g.op('Mul', [x, g.op('Sigmoid', [x])]);
}

/** Layer normalization as exports before version 17 write it. */
function longLayerNorm(g: GraphWriter, x: string, width: number): string {
  const mean = (value: string) => g.op('ReduceMean', [value], { axes: [-1] });
  const centred = g.op('Sub', [x, mean(x)]);
  const variance = mean(g.op('Pow', [centred, g.number(2)]));
  const normalized = g.op('Div', [centred, g.op('Sqrt', [g.op('Add', [variance, g.number(1e-5)])])]);
  return g.op('Add', [g.op('Mul', [normalized, g.normal([width], 0.1, 1)]), g.normal([width], 0.1)]);
}

/** What WavLM adds to its scores: a bias by distance, through a gate that the query opens. */
function gatedPositions(g: GraphWriter, size: number, heads: number) {
  const farthest = 6;
  return (scores: string, query: string): string => {
    const length = g.op('Gather', [g.op('Shape', [query]), g.integers([2], [])]);
    const places = g.op('Range', [g.integers([0], []), length, g.integers([1], [])]);
    const apart = g.op('Sub', [
      g.op('Unsqueeze', [places, g.integers([0])]),
      g.op('Unsqueeze', [places, g.integers([1])]),
    ]);
    const near = g.op('Clip', [apart, g.integers([-farthest], []), g.integers([farthest], [])]);
    const bucket = g.op('Add', [near, g.integers([farthest], [])]);
    const bias = g.transpose(g.op('Gather', [g.normal([2 * farthest + 1, heads], 0.7), bucket]), [2, 0, 1]);
    const projected = g.op('Reshape', [g.dense(query, size, 8), g.integers([1, heads, -1, 2, 4])]);
    const gates = g.op('Sigmoid', [g.op('ReduceSum', [projected, g.integers([-1])], { keepdims: 0 })]);
    const [first, second] = g.outputs('Split', [gates, g.integers([1, 1])], 2, { axis: -1 });
    const scaled = g.op('Sub', [g.op('Mul', [second!, g.normal([1, heads, 1, 1], 0.3, 1)]), g.number(1)]);
    const gate = g.op('Add', [g.op('Mul', [first!, scaled]), g.number(2)]);
    return g.op('Add', [scores, g.op('Mul', [gate, bias])]);
  };
}

/**
 * As wav2vec2-base for CTC, narrow: group normalization by `InstanceNormalization`, seven convolutions, a grouped positional
 * convolution of even width with weight normalization in the graph, layer normalization after the sums; `gated`: with WavLM's positions.
 * Operators of version 14.
 */
export function wav2vec2Like({
  samples = 4000,
  tokens = 12,
  channels = 24,
  width = 32,
  heads = 4,
  inner = 64,
  positional = 16,
  groups = 4,
  layers = 2,
  gated = false,
} = {}): Network {
  const g = new GraphWriter('wav2vec2');
  const input = g.input('input_values', ['batch', 'samples']);
  let x = g.op('Unsqueeze', [input, g.integers([1])]);
  for (const [index, [kernel, stride]] of [
    [10, 5],
    [3, 2],
    [3, 2],
    [3, 2],
    [3, 2],
    [2, 2],
    [2, 2],
  ].entries()) {
    const before = index === 0 ? 1 : channels;
    const weight = g.normal([channels, before, kernel!], Math.sqrt(2 / (before * kernel!)));
    x = g.op('Conv', [x, weight], { strides: [stride!], kernel_shape: [kernel!] });
    if (index === 0) {
      const grouped = g.reshape(x, [0, channels, -1]);
      const ones = g.floats(new Array<number>(channels).fill(1));
      const zeros = g.floats(new Array<number>(channels).fill(0));
      const normalized = g.op('InstanceNormalization', [grouped, ones, zeros], { epsilon: 1e-5 });
      const restored = g.op('Reshape', [normalized, g.op('Shape', [x])]);
      x = g.op('Add', [g.op('Mul', [restored, g.normal([channels, 1], 0.2, 1)]), g.normal([channels, 1], 0.1)]);
    }
    x = gelu(g, x);
  }
  x = g.dense(longLayerNorm(g, g.transpose(x, [0, 2, 1]), channels), channels, width);
  const direction = g.normal([width, width / groups, positional], 0.2);
  const length = g.op('ReduceL2', [direction], { axes: [0, 1], keepdims: 1 });
  const kernel = g.op('Mul', [g.op('Div', [direction, length]), g.normal([1, 1, positional], 0.1, 0.8)]);
  const placed = g.op('Conv', [g.transpose(x, [0, 2, 1]), kernel], {
    group: groups,
    pads: [positional / 2, positional / 2],
  });
  const shorter = g.op('Slice', [placed, g.integers([0]), g.integers([-1]), g.integers([2])]);
  x = longLayerNorm(g, g.op('Add', [x, g.transpose(gelu(g, shorter), [0, 2, 1])]), width);
  for (let layer = 0; layer < layers; layer++) {
    const changed = gated ? gatedPositions(g, width / heads, heads) : undefined;
    x = longLayerNorm(g, g.op('Add', [x, attention(g, { x, memory: x, width, heads }, changed)]), width);
    x = longLayerNorm(g, g.op('Add', [x, g.dense(gelu(g, g.dense(x, width, inner)), inner, width)]), width);
  }
  const logits = g.named(g.dense(x, width, tokens), 'logits');
  return { model: g.model([logits], 14), wrt: input, output: logits, shapes: { [input]: [1, samples] } };
}

/**
 * As FastConformer for CTC, narrow: subsampling by depthwise convolutions in two dimensions, attention to relative positions
 * with their shift, masks from the length, convolution modules with gates, batch normalization. Operators of version 17.
 */
export function fastConformerLike(frames = 64, bands = 40): Network {
  const [channels, width, heads, inner, tokens] = [8, 32, 4, 64, 12];
  const g = new GraphWriter('fastconformer');
  const input = g.input('audio_signal', [1, bands, 'frames']);
  let x = g.op('Unsqueeze', [g.transpose(input, [0, 2, 1]), g.integers([1])]);
  const halving = { strides: [2, 2], pads: [1, 1, 1, 1], kernel_shape: [3, 3] };
  x = g.op('Relu', [g.op('Conv', [x, g.normal([channels, 1, 3, 3], 0.5), g.normal([channels], 0.1)], halving)]);
  for (let index = 0; index < 2; index++) {
    x = g.op('Conv', [x, g.normal([channels, 1, 3, 3], 0.5)], { ...halving, group: channels });
    x = g.op('Relu', [g.op('Conv', [x, g.normal([channels, channels, 1, 1], 0.5), g.normal([channels], 0.1)])]);
  }
  const length = Math.ceil(frames / 8);
  const flat = channels * Math.ceil(bands / 8);
  x = g.dense(g.reshape(g.transpose(x, [0, 2, 1, 3]), [1, -1, flat]), flat, width);
  // The last frame is masked, as where clips of several lengths are heard together.
  const valid = g.op('Less', [
    g.op('Range', [g.integers([0], []), g.integers([length], []), g.integers([1], [])]),
    g.integers([length - 1], []),
  ]);
  const masked = g.op('Not', [g.reshape(valid, [1, 1, 1, length])]);
  const feed = (value: string) => {
    const wide = swish(g, g.dense(g.layerNorm(value, width), width, inner));
    return g.op('Add', [value, g.op('Mul', [g.dense(wide, inner, width), g.number(0.5)])]);
  };
  const positions = g.normal([1, heads, width / heads, 2 * length - 1], 0.4);
  for (let layer = 0; layer < 2; layer++) {
    x = feed(x);
    const own = g.layerNorm(x, width);
    const heard = attention(g, { x: own, memory: own, width, heads }, (scores, query) => {
      const biased = g.op('Add', [query, g.normal([heads, 1, width / heads], 0.2)]);
      const relative = g.op('MatMul', [biased, positions]);
      const padded = g.op('Pad', [relative, g.integers([0, 0, 0, 1, 0, 0, 0, 0])]);
      const rows = g.reshape(padded, [1, heads, 2 * length, length]);
      const shifted = g.reshape(g.op('Slice', [rows, g.integers([1]), g.integers([2 * length]), g.integers([2])]), [
        1,
        heads,
        length,
        2 * length - 1,
      ]);
      const near = g.op('Slice', [shifted, g.integers([0]), g.integers([length]), g.integers([3])]);
      return g.op('Where', [masked, g.number(-10000), g.op('Add', [scores, near])]);
    });
    x = g.op('Add', [x, heard]);
    const turned = g.transpose(g.layerNorm(x, width), [0, 2, 1]);
    const doubled = g.op('Conv', [turned, g.normal([2 * width, width, 1], 0.2), g.normal([2 * width], 0.1)]);
    const [value, gate] = g.outputs('Split', [doubled], 2, { axis: 1, num_outputs: 2 });
    const gated = g.op('Mul', [value!, g.op('Sigmoid', [gate!])]);
    const silenced = g.op('Where', [g.op('Not', [g.reshape(valid, [1, 1, length])]), g.number(0), gated]);
    const spread = g.op('Conv', [silenced, g.normal([width, 1, 9], 0.3)], { group: width, pads: [4, 4] });
    const statistics = [
      g.normal([width], 0.1, 1),
      g.normal([width], 0.1),
      g.normal([width], 0.1),
      g.floats(new Array<number>(width).fill(0.8)),
    ];
    const calmed = swish(g, g.op('BatchNormalization', [spread, ...statistics], { epsilon: 1e-5 }));
    x = g.op('Add', [x, g.transpose(g.op('Conv', [calmed, g.normal([width, width, 1], 0.2)]), [0, 2, 1])]);
    x = g.layerNorm(feed(x), width);
  }
  const scores = g.op('Conv', [g.transpose(x, [0, 2, 1]), g.normal([tokens, width, 1], 0.3)]);
  const logits = g.op('LogSoftmax', [g.transpose(scores, [0, 2, 1])], { axis: -1 });
  return { model: g.model([logits], 18), wrt: input, output: logits, shapes: { [input]: [1, bands, frames] } };
}

interface WriterSizes {
  readonly bands: number;
  readonly frames: number;
  readonly tokens: number;
}

const [writerWidth, writerHeads, writerInner, mostWritten] = [32, 4, 64, 64] as const;

function writerFeed(g: GraphWriter, value: string): string {
  const wide = g.op('Gelu', [g.dense(g.layerNorm(value, writerWidth), writerWidth, writerInner)]);
  return g.op('Add', [value, g.dense(wide, writerInner, writerWidth)]);
}

function encoded(g: GraphWriter, input: string, { bands, frames }: WriterSizes): string {
  const [width, heads] = [writerWidth, writerHeads];
  const conv = (value: string, from: number, attributes: Readonly<Record<string, readonly number[]>>) =>
    g.op('Gelu', [
      g.op('Conv', [value, g.normal([width, from, 3], 0.12), g.normal([width], 0.1)], { pads: [1, 1], ...attributes }),
    ]);
  let x = g.transpose(conv(conv(input, bands, {}), width, { strides: [2] }), [0, 2, 1]);
  x = g.op('Add', [x, g.normal([frames / 2, width], 0.3)]);
  for (let layer = 0; layer < 2; layer++) {
    const own = g.layerNorm(x, width);
    x = writerFeed(g, g.op('Add', [x, attention(g, { x: own, memory: own, width, heads })]));
  }
  return g.layerNorm(x, width);
}

function decoded(g: GraphWriter, ids: string, memory: string, { tokens }: WriterSizes): string {
  const [width, heads] = [writerWidth, writerHeads];
  const embedding = g.normal([tokens, width], 0.5);
  const length = g.op('Slice', [g.op('Shape', [ids]), g.integers([1]), g.integers([2])]);
  const places = g.op('Slice', [g.normal([mostWritten, width], 0.3), g.integers([0]), length]);
  const square = g.op('Expand', [g.number(-10000), g.op('Concat', [length, length], { axis: 0 })]);
  const future = g.op('Trilu', [square, g.integers([1], [])], { upper: 1 });
  let y = g.op('Add', [g.op('Gather', [embedding, ids]), places]);
  for (let layer = 0; layer < 2; layer++) {
    const own = g.layerNorm(y, width);
    const masked = (scores: string) => g.op('Add', [scores, future]);
    y = g.op('Add', [y, attention(g, { x: own, memory: own, width, heads }, masked)]);
    y = writerFeed(g, g.op('Add', [y, attention(g, { x: g.layerNorm(y, width), memory, width, heads })]));
  }
  return g.named(g.op('MatMul', [g.layerNorm(y, width), g.transpose(embedding, [1, 0])]), 'logits');
}

/** As Whisper, narrow: encoder and decoder in one, tokens given, a causal mask, scores by the turned embedding. Version 20. */
export function whisperLike(frames = 120, written = 9): Network {
  const sizes = { bands: 40, frames, tokens: 50 };
  const g = new GraphWriter('whisper');
  const input = g.input('input_features', [1, sizes.bands, frames]);
  const ids = g.input('decoder_input_ids', [1, 'written'], elementTypes.int64);
  const logits = decoded(g, ids, encoded(g, input, sizes), sizes);
  return {
    model: g.model([logits]),
    wrt: input,
    output: logits,
    shapes: { [input]: [1, sizes.bands, frames], [ids]: [1, written] },
  };
}

/** The same as exports have it: an encoder and a decoder. */
export function whisperParts(sizes: WriterSizes): { readonly encoder: Model; readonly decoder: Model } {
  const g = new GraphWriter('encoder');
  const memory = g.named(
    encoded(g, g.input('input_features', ['batch', sizes.bands, sizes.frames]), sizes),
    'last_hidden_state',
  );
  const h = new GraphWriter('decoder');
  const ids = h.input('input_ids', ['batch', 'written'], elementTypes.int64);
  const logits = decoded(h, ids, h.input('encoder_hidden_states', ['batch', 'heard', writerWidth]), sizes);
  return { encoder: g.model([memory]), decoder: h.model([logits]) };
}
