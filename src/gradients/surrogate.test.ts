import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../base/random.ts';
import { loadOnnxRuntime } from '../packages/onnx-runtime.ts';
import { differentiate } from './differentiate.ts';
import { singlePrecision } from './half-precision.ts';
import { bytesOf, elementTypes, type Model, numbersOf } from './onnx-model.ts';
import { openOriginal, openPasses } from './passes.ts';
import { needsSurrogate } from './surrogate.ts';
import { GraphWriter } from './testing/networks.ts';

const { runtime } = await loadOnnxRuntime('which tests of gradients need');

const random = createRandom('quantized');
const whole = (count: number, least: number, most: number) =>
  Array.from({ length: count }, () => least + random.integer(most - least + 1));
const int8 = (g: GraphWriter, values: readonly number[], shape: readonly number[]) =>
  g.tensor({ type: elementTypes.int8, shape, bytes: bytesOf(Int8Array.from(values)) });
const uint8 = (g: GraphWriter, values: readonly number[], shape: readonly number[]) =>
  g.tensor({ type: elementTypes.uint8, shape, bytes: Uint8Array.from(values) });

interface Quantized {
  readonly shape: readonly number[];
  /** Share of the output's greatest value by which rounding may move it. */
  readonly tolerance: number;
  build(g: GraphWriter, x: string): string;
}

const cases: Readonly<Record<string, Quantized>> = {
  'dynamic quantization of a product, as onnxruntime exports it': {
    shape: [3, 8],
    tolerance: 0.03,
    build(g, x) {
      const [values, scale, zero] = g.outputs('DynamicQuantizeLinear', [x], 3);
      // Seven bits: processors without VNNI add two products in 16 bits, and larger weights overflow there (`reduce_range`).
      const weight = int8(g, whole(40, -63, 63), [8, 5]);
      const product = g.op('MatMulInteger', [values!, weight, zero!, int8(g, [0], [])]);
      const scales = g.op('Mul', [scale!, g.floats(whole(5, 1, 9).map((each) => each / 500))]);
      return g.op('Mul', [g.op('Cast', [product], { to: elementTypes.float }), scales]);
    },
  },
  'dynamic quantization of a convolution with a zero point of the weights': {
    shape: [1, 3, 9],
    tolerance: 0.03,
    build(g, x) {
      const [values, scale, zero] = g.outputs('DynamicQuantizeLinear', [x], 3);
      const weight = uint8(g, whole(24, 0, 255), [4, 3, 2]);
      const product = g.op('ConvInteger', [values!, weight, zero!, uint8(g, [117], [])], {
        strides: [2],
        pads: [1, 0],
      });
      return g.op('Mul', [g.op('Cast', [product], { to: elementTypes.float }), scale!]);
    },
  },
  'rounding and back around a product (QDQ), with a scale for each column of the weights': {
    shape: [3, 8],
    tolerance: 0.05,
    build(g, x) {
      const [scale, zero] = [g.floats([0.03], []), uint8(g, [128], [])];
      const rounded = g.op('QuantizeLinear', [x, scale, zero]);
      const back = g.op('DequantizeLinear', [g.reshape(rounded, [3, 8]), scale, zero]);
      const weight = int8(g, whole(40, -127, 127), [8, 5]);
      const scales = g.floats(whole(5, 1, 9).map((each) => each / 500));
      const zeros = int8(g, new Array<number>(5).fill(0), [5]);
      return g.op('MatMul', [back, g.op('DequantizeLinear', [weight, scales, zeros], { axis: 1 })]);
    },
  },
  'a product of whole numbers with scales (QLinearMatMul)': {
    shape: [3, 8],
    tolerance: 0.06,
    build(g, x) {
      const [scale, zero, scaleOut, zeroOut] = [
        g.floats([0.03], []),
        uint8(g, [120], []),
        g.floats([0.1], []),
        uint8(g, [130], []),
      ];
      const rounded = g.op('QuantizeLinear', [x, scale, zero]);
      const weight = uint8(g, whole(40, 100, 140), [8, 5]);
      const product = g.op('QLinearMatMul', [
        rounded,
        scale,
        zero,
        weight,
        g.floats([0.05], []),
        uint8(g, [121], []),
        scaleOut,
        zeroOut,
      ]);
      return g.op('DequantizeLinear', [product, scaleOut, zeroOut]);
    },
  },
  'a convolution of whole numbers with scales and bias (QLinearConv)': {
    shape: [1, 3, 9],
    tolerance: 0.06,
    build(g, x) {
      const [scale, zero, scaleOut, zeroOut] = [
        g.floats([0.03], []),
        uint8(g, [120], []),
        g.floats([0.1], []),
        uint8(g, [130], []),
      ];
      const rounded = g.op('QuantizeLinear', [x, scale, zero]);
      const weight = uint8(g, whole(24, 100, 140), [4, 3, 2]);
      const bias = g.tensor({
        type: elementTypes.int32,
        shape: [4],
        bytes: bytesOf(Int32Array.from([300, -200, 0, 150])),
      });
      const weightParts = [weight, g.floats([0.05], []), uint8(g, [121], [])];
      const product = g.op('QLinearConv', [rounded, scale, zero, ...weightParts, scaleOut, zeroOut, bias]);
      return g.op('DequantizeLinear', [product, scaleOut, zeroOut]);
    },
  },
};

for (const [name, { shape, tolerance, build }] of Object.entries(cases)) {
  test(`${name}: the surrogate is what rounding approximates, and has a gradient`, async () => {
    const g = new GraphWriter(name);
    const output = build(g, g.input('x', [...shape]));
    const model: Model = g.model([output]);
    assert.ok(needsSurrogate(model.graph));
    const question = { outputs: [output], shapes: { x: shape }, about: 'the test' };
    const derivative = await differentiate(model, { wrt: ['x'], ...question, runtime });
    assert.ok(derivative.surrogate);
    const passes = await openPasses(derivative, runtime);
    const original = await openOriginal(model, question, runtime);
    const x = Float32Array.from({ length: shape.reduce((product, size) => product * size, 1) }, () => random.normal());
    const run = async (at: Float32Array) => (await passes.forward({ x: at })).get(output)!;
    const exact = Float32Array.from(await run(x));
    const rounded = (await original.run({ x })).get(output)!;
    const most = Math.max(...exact.map(Math.abs));
    const apart = Math.max(...exact.map((value, index) => Math.abs(value - rounded[index]!)));
    assert.ok(apart > 0 && apart < tolerance * most, `${apart} of ${most}`);

    // Linear but for rounding: the gradient of a sum is the same everywhere, and differences of any step measure it.
    await run(x);
    const [gradient] = await passes.backward([exact.map(() => 1)]);
    const sum = async (index: number, by: number) =>
      (await run(x.map((value, at) => (at === index ? value + by : value)))).reduce((total, value) => total + value, 0);
    for (const index of [0, 4, x.length - 1]) {
      const measured = ((await sum(index, 0.5)) - (await sum(index, -0.5))) / 1;
      assert.ok(
        Math.abs(measured - gradient![index]!) < 1e-3 * Math.max(1, Math.abs(measured)),
        `${measured}, ${gradient![index]}`,
      );
    }
    await passes.dispose();
    await original.dispose();
  });
}

test('a model of floats is no surrogate', async () => {
  const g = new GraphWriter('floats');
  const model = g.model([g.op('Exp', [g.input('x', [2])])]);
  assert.equal(needsSurrogate(model.graph), false);
  const derivative = await differentiate(model, {
    wrt: ['x'],
    outputs: [model.graph.outputs[0]!.name],
    shapes: { x: [2] },
    runtime,
    about: 'the test',
  });
  assert.equal(derivative.surrogate, false);
});

test('16-bit floats are the numbers that IEEE 754 says', () => {
  // Values of the standard's binary16: 1, -2, the greatest, the nearest to a third, the least normal one, the two ends below it, nothing.
  const bits = [0x3c00, 0xc000, 0x7bff, 0x3555, 0x0400, 0x0001, 0x03ff, 0x0000];
  const weight = { type: elementTypes.float16, shape: [8], bytes: bytesOf(Uint16Array.from(bits)) };
  const g = new GraphWriter('half');
  const model = g.model([g.op('Add', [g.input('x', [8], elementTypes.float16), g.tensor(weight)])]);
  assert.ok(needsSurrogate(model.graph));
  const { graph } = singlePrecision(model)!;
  assert.deepEqual(numbersOf([...graph.weights.values()][0]!), [
    ...[1, -2, 65504, 0.333251953125, 0.00006103515625],
    ...[2 ** -24, 1023 * 2 ** -24, 0],
  ]);
  assert.deepEqual(
    graph.inputs.map(({ type }) => type),
    [elementTypes.float],
  );
  assert.equal(needsSurrogate(graph), false);
  assert.equal(singlePrecision({ ...model, graph }), null);
});
