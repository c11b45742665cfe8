import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../base/random.ts';
import { loadOnnxRuntime } from '../../packages/onnx-runtime.ts';
import { differentiate } from '../differentiate.ts';
import { elementTypes, type Model, sizeOf } from '../onnx-model.ts';
import { GraphWriter } from '../testing/networks.ts';
import { encodeModel } from '../write-model.ts';
import { rules } from './rules.ts';

const { runtime } = await loadOnnxRuntime('which tests of gradients need');

type Attributes = Readonly<Record<string, number | string | readonly number[]>>;

interface Case {
  readonly operator: string;
  /** Shapes of inputs with a gradient. Others are made by `rest`. */
  readonly shapes: readonly (readonly number[])[];
  readonly rest?: (graph: GraphWriter) => readonly string[];
  /** All inputs, where those with a gradient are not the first. */
  readonly inputs?: (graph: GraphWriter, given: readonly string[]) => readonly string[];
  readonly attributes?: Attributes;
  readonly outputs?: number;
  /** Least value of the inputs: for logarithms and roots. */
  readonly above?: number;
  readonly version?: number;
}

const one = (operator: string, shape: readonly number[] = [2, 3], more: Partial<Case> = {}): Case => ({
  operator,
  shapes: [shape],
  ...more,
});
const integers =
  (...lists: readonly (readonly number[])[]) =>
  (graph: GraphWriter) =>
    lists.map((list) => graph.integers(list));
const normals =
  (...shapes: readonly (readonly number[])[]) =>
  (graph: GraphWriter) =>
    shapes.map((shape) => graph.normal(shape, 0.7));

const cases: readonly Case[] = [
  ...['Identity', 'Neg', 'Abs', 'Exp', 'Sin', 'Cos', 'Erf', 'Sigmoid', 'Tanh', 'Softplus', 'Relu', 'HardSwish'].map(
    (operator) => one(operator),
  ),
  ...['Log', 'Sqrt', 'Reciprocal'].map((operator) => one(operator, [2, 3], { above: 0.3 })),
  one('Gelu'),
  one('Gelu', [2, 3], { attributes: { approximate: 'tanh' } }),
  one('LeakyRelu', [2, 3], { attributes: { alpha: 0.3 } }),
  one('Elu', [2, 3], { attributes: { alpha: 0.7 } }),
  one('HardSigmoid', [2, 3], { attributes: { alpha: 0.3, beta: 0.4 } }),
  one('Clip', [2, 6], { rest: (graph) => [graph.number(-0.5), graph.number(0.8)] }),
  one('Clip', [2, 6], { rest: (graph) => ['', graph.number(0.1)] }),
  one('Cast', [2, 3], { attributes: { to: elementTypes.float } }),
  ...['Add', 'Sub', 'Mul', 'Div'].flatMap((operator) => [
    {
      operator,
      shapes: [
        [2, 3],
        [2, 3],
      ],
      above: 0.5,
    },
    {
      operator,
      shapes: [
        [2, 1, 3],
        [4, 1],
      ],
      above: 0.5,
    },
  ]),
  { operator: 'Pow', shapes: [[2, 3]], rest: (graph) => [graph.number(2)] },
  { operator: 'Pow', shapes: [[2, 3]], rest: (graph) => [graph.number(3)] },
  { operator: 'Pow', shapes: [[2, 3], [3]], above: 0.4 },
  ...['Sum', 'Mean', 'Max', 'Min'].map((operator) => ({ operator, shapes: [[2, 3], [3], [2, 1]] })),
  { operator: 'PRelu', shapes: [[2, 3], [3]] },
  {
    operator: 'Where',
    shapes: [[2, 3], [3]],
    inputs: (graph, [a, b]) => [graph.op('Greater', [graph.normal([2, 3]), graph.number(0)]), a!, b!],
  },
  one('Reshape', [2, 6], { rest: integers([3, -1]) }),
  one('Flatten', [2, 3, 2], { attributes: { axis: 2 } }),
  one('Squeeze', [2, 1, 3], { rest: integers([1]) }),
  one('Unsqueeze', [2, 3], { rest: integers([0, -1]) }),
  one('Transpose', [2, 3, 4], { attributes: { perm: [1, 2, 0] } }),
  one('Transpose', [2, 3, 4]),
  one('Expand', [3, 1], { rest: integers([2, 3, 4]) }),
  one('Tile', [2, 3], { rest: integers([2, 3]) }),
  {
    operator: 'Concat',
    shapes: [
      [2, 3],
      [2, 1],
    ],
    attributes: { axis: -1 },
  },
  one('Split', [2, 6], { rest: integers([1, 3, 2]), attributes: { axis: 1 }, outputs: 3 }),
  one('Split', [4, 2], { attributes: { num_outputs: 2 }, outputs: 2 }),
  one('Slice', [4, 6], { rest: integers([1, -5], [3, 5], [0, 1]) }),
  one('Slice', [4, 7], { rest: integers([-1], [-8], [1], [-2]) }),
  one('Slice', [4, 7], { rest: integers([1], [100], [1], [3]) }),
  one('Pad', [2, 3], { rest: integers([0, 1, 2, 0]) }),
  one('Pad', [2, 5], { rest: integers([0, -1, 0, 2]) }),
  one('Pad', [2, 5], { rest: integers([0, 3, 0, 2]), attributes: { mode: 'reflect' } }),
  one('Pad', [2, 5], { rest: integers([1, 3, 0, 2]), attributes: { mode: 'edge' } }),
  one('Gather', [3, 4], { rest: (graph) => [graph.integers([2, -1, 2, 0], [2, 2])], attributes: { axis: 1 } }),
  one('Gather', [3, 4], { rest: (graph) => [graph.integers([1], [])] }),
  one('CumSum', [2, 4], { rest: (graph) => [graph.integers([1], [])], attributes: { exclusive: 1 } }),
  one('CumSum', [2, 4], { rest: (graph) => [graph.integers([1], [])], attributes: { reverse: 1 } }),
  one('Trilu', [3, 4], { attributes: { upper: 0 } }),
  ...[
    'ReduceSum',
    'ReduceMean',
    'ReduceL1',
    'ReduceL2',
    'ReduceSumSquare',
    'ReduceLogSumExp',
    'ReduceMax',
    'ReduceMin',
  ].flatMap((operator) => [
    one(operator, [2, 3, 4], { rest: integers([-2]), attributes: { keepdims: 0 } }),
    one(operator, [2, 3]),
  ]),
  one('Softmax', [2, 3, 4], { attributes: { axis: 1 } }),
  one('LogSoftmax', [2, 5]),
  one('LayerNormalization', [2, 3, 4], { rest: normals([4], [4]), attributes: { axis: -1, epsilon: 1e-3 } }),
  one('LayerNormalization', [2, 3, 4], { rest: normals([3, 4]), attributes: { axis: 1 } }),
  one('InstanceNormalization', [2, 3, 5], { rest: normals([3], [3]), attributes: { epsilon: 1e-3 } }),
  one('GroupNormalization', [2, 4, 3], { rest: normals([2], [2]), attributes: { num_groups: 2, epsilon: 1e-3 } }),
  one('GroupNormalization', [2, 4, 3], { rest: normals([4], [4]), attributes: { num_groups: 2 }, version: 21 }),
  one('BatchNormalization', [2, 3, 4], {
    rest: (graph) => [graph.normal([3]), graph.normal([3]), graph.normal([3]), graph.floats([0.5, 1.5, 0.8])],
  }),
  one('GlobalAveragePool', [2, 3, 4, 2]),
  {
    operator: 'MatMul',
    shapes: [
      [2, 3, 4],
      [2, 4, 5],
    ],
  },
  {
    operator: 'MatMul',
    shapes: [
      [2, 3, 4],
      [4, 5],
    ],
  },
  {
    operator: 'MatMul',
    shapes: [
      [3, 4],
      [2, 4, 5],
    ],
  },
  { operator: 'MatMul', shapes: [[4], [2, 4, 5]] },
  { operator: 'MatMul', shapes: [[2, 3, 4], [4]] },
  one('MatMul', [2, 3, 4], { rest: normals([4, 5]) }),
  { operator: 'MatMul', shapes: [[4, 5]], inputs: (graph, [x]) => [graph.normal([2, 3, 4]), x!] },
  ...[0, 1].flatMap((transA) =>
    [0, 1].map((transB) => ({
      operator: 'Gemm',
      shapes: [transA ? [3, 2] : [2, 3], transB ? [4, 3] : [3, 4], [4]],
      attributes: { transA, transB, alpha: 0.5, beta: 2 },
    })),
  ),
  one('Conv', [2, 3, 11], { rest: normals([4, 3, 3], [4]), attributes: { strides: [2], pads: [1, 0] } }),
  one('Conv', [1, 4, 9], { rest: normals([4, 1, 3]), attributes: { group: 4, pads: [1, 1] } }),
  one('Conv', [1, 4, 12], { rest: normals([6, 2, 3]), attributes: { group: 2, dilations: [2], strides: [3] } }),
  one('Conv', [1, 2, 7, 8], { rest: normals([3, 2, 3, 2]), attributes: { strides: [2, 3], pads: [1, 0, 2, 1] } }),
  one('Conv', [1, 4, 6, 6], {
    rest: normals([4, 1, 3, 3]),
    attributes: { group: 4, strides: [2, 2], pads: [1, 1, 1, 1] },
  }),
  one('Conv', [1, 4, 6, 7], {
    rest: normals([6, 2, 3, 2]),
    attributes: { group: 2, dilations: [1, 2], pads: [1, 0, 2, 1] },
  }),
  one('Conv', [1, 2, 7], { rest: normals([3, 2, 2]), attributes: { pads: [2, 0] } }),
  one('Conv', [1, 2, 7], { rest: normals([3, 2, 4]), attributes: { strides: [2], auto_pad: 'SAME_UPPER' } }),
  one('ConvTranspose', [1, 4, 5], {
    rest: normals([4, 2, 3]),
    attributes: { strides: [2], pads: [1, 0], group: 2, output_padding: [1] },
  }),
  {
    operator: 'Einsum',
    shapes: [
      [2, 3, 4],
      [2, 5, 4],
    ],
    attributes: { equation: 'bid,bjd->bij' },
  },
  {
    operator: 'Einsum',
    shapes: [
      [2, 3, 4],
      [4, 5],
    ],
    attributes: { equation: 'b i d, d e -> b e' },
  },
  { operator: 'Einsum', shapes: [[3, 4]], attributes: { equation: 'ij->ji' } },
];

const name = ({ operator, shapes, attributes = {} }: Case) =>
  `${operator} of ${shapes.map((shape) => `[${shape}]`).join(' and ')}${Object.entries(attributes)
    .map(([key, value]) => `, ${key} ${value}`)
    .join('')}`;

interface Values {
  readonly shape: readonly number[];
  readonly data: ArrayLike<number>;
}

/** What onnxruntime makes of a graph, again and again. */
async function session(model: Model) {
  const opened = await runtime.InferenceSession.create(encodeModel(model), { logSeverityLevel: 4 });
  return {
    async run(given: Readonly<Record<string, Values>>): Promise<Map<string, Values>> {
      const feeds = model.graph.inputs.map(({ name }) => {
        const { data, shape } = given[name]!;
        return [name, new runtime.Tensor('float32', Float32Array.from(data), [...shape])] as const;
      });
      const results = Object.entries(await opened.run(Object.fromEntries(feeds)));
      return new Map(results.map(([key, { data, dims }]) => [key, { shape: dims, data: data as Float32Array }]));
    },
    [Symbol.asyncDispose]: () => opened.release(),
  };
}

/** What onnxruntime makes others of, before the rules see it. */
const rewritten: ReadonlySet<string> = new Set(['GroupNormalization', 'HardSwish']);

/** Between the error of single precision, which goes with 1 / step, and that of four points, which goes with its fourth power. */
const step = 0.01;
/** Times what the loss is moved by; the derivative is their sum by 12 steps. */
const fourPoints = [
  [-2, 1],
  [-1, -8],
  [1, 8],
  [2, -1],
] as const;

for (const each of cases) {
  test(`gradient of ${name(each)}`, async () => {
    const graph = new GraphWriter(name(each));
    const given = each.shapes.map((shape, index) => graph.input(`x${index}`, shape));
    const inputs = each.inputs?.(graph, given) ?? [...given, ...(each.rest?.(graph) ?? [])];
    const outputs = graph.outputs(each.operator, inputs, each.outputs ?? 1, each.attributes);
    const derivative = await differentiate(graph.model(outputs, each.version), {
      wrt: given,
      outputs,
      shapes: Object.fromEntries(given.map((key, index) => [key, each.shapes[index]!])),
      runtime,
      about: 'the test',
    });
    const operators = derivative.forwardAlone.graph.nodes.map(({ operator }) => operator);
    assert.ok(operators.includes(each.operator) || rewritten.has(each.operator), `${operators}`);
    const random = createRandom(name(each));
    const draw = (shape: readonly number[], value: () => number): Values => ({
      shape,
      data: Float32Array.from({ length: sizeOf(shape) }, value),
    });
    // A tenth apart and none at 0, where many bend: no rule bends between the points of a difference.
    const count = each.shapes.reduce((sum, shape) => sum + sizeOf(shape), 0);
    const lots = Array.from({ length: count }, () => random.next());
    const apart = lots.map((lot) => 0.1 * (lots.filter((other) => other < lot).length - (count >> 1)) + 0.05);
    const values = apart.values();
    const value = () => (each.above === undefined ? values.next().value! : each.above + random.next());
    const x = Object.fromEntries(given.map((key, index) => [key, draw(each.shapes[index]!, value)]));
    const cotangents = Object.fromEntries(
      derivative.cotangents.map((key, index) => [
        key,
        draw(derivative.shapes.get(outputs[index]!)!, () => random.normal()),
      ]),
    );
    await using forward = await session(derivative.forwardAlone);
    await using whole = await session(derivative.whole);
    const loss = async (at: Readonly<Record<string, Values>>) => {
      const values = await forward.run(at);
      return outputs.reduce(
        (total, output, index) =>
          total + dot(values.get(output)!.data, cotangents[derivative.cotangents[index]!]!.data),
        0,
      );
    };
    const found = await whole.run({ ...x, ...cotangents });
    const alone = await forward.run(x);
    for (const output of outputs) near(found.get(output)!.data, alone.get(output)!.data, 1e-6, 'the forward pass');
    for (const [index, key] of given.entries()) {
      const gradient = found.get(derivative.gradients[index]!)!;
      assert.deepEqual(gradient.shape, each.shapes[index]);
      const differences: number[] = [];
      for (let place = 0; place < gradient.data.length; place++) {
        let sum = 0;
        for (const [times, weight] of fourPoints) {
          const data = Float64Array.from(x[key]!.data);
          data[place]! += times * step;
          sum += weight * (await loss({ ...x, [key]: { shape: x[key]!.shape, data } }));
        }
        differences.push(sum / (12 * step));
      }
      near(gradient.data, differences, 5e-4, 'central differences');
    }
  });
}

test('every rule is tested', () => {
  assert.deepEqual(
    Object.keys(rules).filter((operator) => !cases.some((each) => each.operator === operator)),
    [],
  );
});

function dot(left: ArrayLike<number>, right: ArrayLike<number>): number {
  return Array.from(left).reduce((total, value, index) => total + value * right[index]!, 0);
}

function near(found: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number, what: string): void {
  assert.equal(found.length, expected.length);
  const scale = Math.max(1e-3, ...Array.from(expected, Math.abs));
  for (const [index, value] of Array.from(expected).entries()) {
    assert.ok(
      Math.abs(found[index]! - value) <= tolerance * scale,
      `${what}: ${index}: ${found[index]} is not ${value}`,
    );
  }
}
