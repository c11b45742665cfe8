import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../base/random.ts';
import { loadOnnxRuntime } from '../packages/onnx-runtime.ts';
import { differentiate, memoryOf } from './differentiate.ts';
import { booleanTensor, elementTypes, type Graph, type Model, sizeOf } from './onnx-model.ts';
import { openPasses } from './passes.ts';
import { fastConformerLike, GraphWriter, type Network, wav2vec2Like, whisperLike } from './testing/networks.ts';
import { encodeModel } from './write-model.ts';

const { runtime } = await loadOnnxRuntime('which tests of gradients need');

const derive = ({ model, wrt, output, shapes }: Network) =>
  differentiate(model, { wrt: [wrt], outputs: [output], shapes, runtime, about: 'the test' });

function dot(left: Float32Array, right: Float32Array): number {
  return left.reduce((total, value, index) => total + value * right[index]!, 0);
}

for (const [name, network] of Object.entries({
  'wav2vec 2.0': wav2vec2Like(),
  FastConformer: fastConformerLike(),
  Whisper: whisperLike(),
})) {
  test(`the gradient of a network like ${name} is what central differences measure, in two passes and in one graph`, async () => {
    const derivative = await derive(network);
    const random = createRandom(name);
    const draw = (shape: readonly number[]) => Float32Array.from({ length: sizeOf(shape) }, () => random.normal());
    const x = draw(network.shapes[network.wrt]!);
    const cotangent = draw(derivative.shapes.get(network.output)!);
    const written = network.shapes.decoder_input_ids;
    const ids =
      written === undefined
        ? {}
        : { decoder_input_ids: BigInt64Array.from({ length: written[1]! }, (_, at) => BigInt((7 * at) % 50)) };
    const passes = await openPasses(derivative, runtime);
    const loss = async (at: Float32Array) =>
      dot((await passes.forward({ [network.wrt]: at, ...ids })).get(network.output)!, cotangent);
    await loss(x);
    const [gradient] = await passes.backward([cotangent]);
    const length = Math.sqrt(dot(gradient!, gradient!));
    const step = 2e-3 * Math.sqrt(dot(x, x));
    const moved = (by: number) => x.map((value, index) => value + (by * gradient![index]!) / length);
    const measured = ((await loss(moved(step))) - (await loss(moved(-step)))) / (2 * step);
    assert.ok(Math.abs(measured / length - 1) < 0.01, `${measured} along a gradient of ${length}`);
    await passes.dispose();

    const session = await runtime.InferenceSession.create(encodeModel(derivative.whole), { logSeverityLevel: 4 });
    const tensor = (key: string, values: Float32Array) =>
      new runtime.Tensor('float32', values, [...derivative.shapes.get(key)!]);
    const whole = await session.run({
      [network.wrt]: tensor(network.wrt, x),
      [derivative.cotangents[0]!]: tensor(derivative.cotangents[0]!, cotangent),
      ...(written === undefined
        ? {}
        : { decoder_input_ids: new runtime.Tensor('int64', ids.decoder_input_ids!, [...written]) }),
    });
    await session.release();
    const inOne = whole[derivative.gradients[0]!]!.data as Float32Array;
    const apart = Math.sqrt(inOne.reduce((total, value, index) => total + (value - gradient![index]!) ** 2, 0));
    assert.ok(apart < 1e-5 * length, `${apart} of ${length}`);
  });
}

test('residuals and weights are counted, and no weight is kept twice', async () => {
  const derivative = await derive(whisperLike());
  const { residualBytes, weightBytes } = memoryOf(derivative);
  assert.ok(derivative.residuals.every((name) => !derivative.forward.graph.weights.has(name)));
  assert.ok(residualBytes > 100_000 && residualBytes < 2_000_000, String(residualBytes));
  const forward = [...derivative.forward.graph.weights.values()].reduce((sum, { bytes }) => sum + bytes.length, 0);
  assert.ok(weightBytes < 1.05 * forward, `${weightBytes} beside ${forward}`);
});

/** A model of one operator between an input of floats and its sum. */
function through(build: (g: GraphWriter, x: string) => string): Model {
  const g = new GraphWriter('through');
  const x = g.input('x', [2, 4]);
  return g.model([g.op('ReduceSum', [build(g, x)])]);
}

const ofX = (model: Model, constants?: ReadonlyMap<string, ReturnType<typeof booleanTensor>>) =>
  differentiate(model, {
    wrt: ['x'],
    outputs: [model.graph.outputs[0]!.name],
    shapes: { x: [2, 4] },
    runtime,
    about: 'tiny.onnx',
    ...(constants === undefined ? {} : { constants }),
  });

for (const [what, model, sentence] of [
  [
    'rounds',
    through((g, x) => g.op('Round', [x])),
    /^no gradient of Round \(node Round\d+\): it decides or rounds, so that its gradient is zero or none; take another export/,
  ],
  [
    'chooses the largest and goes on with its place',
    through((g, x) => g.op('Cast', [g.op('ArgMax', [x], { axis: 1 })], { to: elementTypes.float })),
    /^no gradient of ArgMax \(node ArgMax\d+\): it decides or rounds/,
  ],
  [
    'has an LSTM',
    through((g, x) =>
      g.op('LSTM', [g.reshape(x, [2, 1, 4]), g.normal([1, 12, 4]), g.normal([1, 12, 3])], { hidden_size: 3 }),
    ),
    /^no gradient of LSTM \(node LSTM\d+\): recurrent layers are not followed/,
  ],
  [
    'has an operator without a rule',
    through((g, x) => g.op('Atan', [x])),
    /^no gradient of Atan \(node Atan\d+\): there is no rule for it/,
  ],
  [
    'goes through whole numbers',
    through((g, x) => g.op('Cast', [g.op('Cast', [x], { to: elementTypes.int32 })], { to: elementTypes.float })),
    /^no gradient of Cast \(node Cast\d+\): it decides or rounds/,
  ],
  [
    'does not depend on its input',
    through((g, x) => g.op('Cast', [g.op('Shape', [x])], { to: elementTypes.float })),
    /to depend on x, but it does not; name another output/,
  ],
] as const) {
  test(`a model that ${what} is refused in a sentence that names the operator`, async () => {
    await assert.rejects(ofX(model), { name: 'EarwitnessError', code: 'bad-input', message: sentence });
  });
}

/** x doubled or squared, as an input says; `deep` puts another choice into the branch. */
function branching(condition: 'input' | 'sound'): Model {
  const g = new GraphWriter('branching');
  const x = g.input('x', [2, 4]);
  const chosen =
    condition === 'input'
      ? g.input('use_cache_branch', [1], elementTypes.bool)
      : g.op('Greater', [g.op('ReduceSum', [x], { keepdims: 0 }), g.number(0)]);
  const branch = (operator: string): Graph => {
    const inner = new GraphWriter(operator);
    const other = operator === 'Add' ? x : inner.op('Mul', [x, x]);
    return inner.model([inner.op(operator, [x, other])]).graph;
  };
  const model = g.model(['y']);
  const node = {
    name: 'choice',
    operator: 'If',
    domain: '',
    inputs: [chosen],
    outputs: ['y'],
    attributes: new Map([
      ['then_branch', { kind: 'graph', value: branch('Mul') }],
      ['else_branch', { kind: 'graph', value: branch('Add') }],
    ] as const),
  };
  return { ...model, graph: { ...model.graph, nodes: [...model.graph.nodes, node] } };
}

test('a branch that an input of known value chooses is put in place of the choice', async () => {
  const gradientOf = async (choice: boolean) => {
    const derivative = await ofX(branching('input'), new Map([['use_cache_branch', booleanTensor(choice)]]));
    const passes = await openPasses(derivative, runtime);
    await passes.forward({ x: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8) });
    const [gradient] = await passes.backward([new Float32Array(8).fill(1)]);
    await passes.dispose();
    return [...gradient!];
  };
  // x + x, and x * x * x.
  assert.deepEqual(await gradientOf(false), [2, 2, 2, 2, 2, 2, 2, 2]);
  assert.deepEqual(await gradientOf(true), [3, 12, 27, 48, 75, 108, 147, 192]);
});

test('a branch that the sound chooses is refused', async () => {
  await assert.rejects(ofX(branching('sound')), {
    code: 'bad-input',
    message:
      'expected tiny.onnx without branches and loops that sound decides, but it has If (node choice); take an export without them',
  });
});

test('what is no model, an input that is not there and one without a shape are refused', async () => {
  const { decodeModel } = await import('./read-model.ts');
  assert.throws(() => decodeModel(new Uint8Array(100)), /expected an ONNX model/);
  const whole = encodeModel(wav2vec2Like().model);
  assert.throws(() => decodeModel(whole.subarray(0, whole.length - 9)), /expected an ONNX model/);
  const model = through((g, x) => g.op('Exp', [x]));
  await assert.rejects(
    ofX(model, new Map([['mask', booleanTensor(true)]])),
    /expected tiny.onnx with an input mask, but it has x/,
  );
  await assert.rejects(
    differentiate(model, {
      wrt: ['x'],
      outputs: [model.graph.outputs[0]!.name],
      shapes: {},
      runtime,
      about: 'tiny.onnx',
    }),
    /expected the shape of the input x of tiny.onnx/,
  );
});
