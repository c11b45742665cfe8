// What an attack cannot be made against or of is told by `earwitness run` in one sentence, beside the other trials' answers.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Attribute, elementTypes, type Graph, type Model } from '../../gradients/onnx-model.ts';
import { GraphWriter, wav2vec2Like } from '../../gradients/testing/networks.ts';
import { encodeModel } from '../../gradients/write-model.ts';
import { writeTinyCtc } from '../../recognizers/transformers/testing/tiny-ctc.ts';
import { runCommand, sineWav, temporaryFolder } from '../testing/run-command.ts';

const tokens = 5;

/** A convolution over the samples, and what a case does to its scores. */
function modelWith(change: (g: GraphWriter, scores: string, x: string) => string): Model {
  const g = new GraphWriter('refused');
  const x = g.input('input_values', ['batch', 'samples']);
  const frames = g.op('Conv', [g.op('Unsqueeze', [x, g.integers([1])]), g.normal([tokens, 1, 400], 0.2)], {
    kernel_shape: [400],
    strides: [320],
  });
  return g.model([g.named(change(g, g.transpose(frames, [0, 2, 1]), x), 'logits')]);
}

/** A node with graphs inside, which the writer does not write. */
function withGraphs(
  model: Model,
  operator: string,
  inputs: readonly string[],
  graphs: Readonly<Record<string, Graph>>,
): Model {
  const attributes = new Map(
    Object.entries(graphs).map(([name, value]): [string, Attribute] => [name, { kind: 'graph', value }]),
  );
  const nodes = model.graph.nodes.map((node) =>
    node.operator === 'Mish' ? { ...node, operator, name: `chosen by ${operator}`, inputs, attributes } : node,
  );
  return { ...model, graph: { ...model.graph, nodes } };
}

const value = (name: string, type: number, shape: readonly (number | string | null)[] | null) => ({
  name,
  type,
  shape,
});
const identity = (from: string, to: string) => ({
  ...{ name: to, operator: 'Identity', domain: '', inputs: [from], outputs: [to], attributes: new Map() },
});

const branching = () => {
  let [condition, scores] = ['', ''];
  const model = modelWith((g, computed, x) => {
    scores = computed;
    condition = g.op('Greater', [g.op('ReduceSum', [x], { keepdims: 0 }), g.number(0)]);
    return g.op('Mish', [computed]);
  });
  const branch = (to: string): Graph => ({
    ...{ nodes: [identity(scores, to)], weights: new Map(), inputs: [] },
    outputs: [value(to, elementTypes.float, null)],
  });
  return withGraphs(model, 'If', [condition], { then_branch: branch('louder'), else_branch: branch('fainter') });
};

const looping = () => {
  let inputs: string[] = [];
  const model = modelWith((g, computed, x) => {
    const often = g.op('Cast', [g.op('Greater', [g.op('ReduceSum', [x], { keepdims: 0 }), g.number(0)])], {
      to: elementTypes.int64,
    });
    inputs = [often, '', computed];
    return g.op('Mish', [computed]);
  });
  const body: Graph = {
    nodes: [identity('go', 'going'), identity('before', 'after')],
    weights: new Map(),
    inputs: [
      value('turn', elementTypes.int64, []),
      value('go', elementTypes.bool, []),
      value('before', elementTypes.float, null),
    ],
    outputs: [value('going', elementTypes.bool, []), value('after', elementTypes.float, null)],
  };
  return withGraphs(model, 'Loop', inputs, { body });
};

interface Refused {
  readonly model?: Model;
  readonly wav?: Buffer;
  readonly parameters?: object;
  readonly sentence: RegExp;
  /** The clip is at fault: that is told, and no failure of the recognizer. */
  readonly clipAlone?: true;
}

const tone = sineWav(500, 16_000, 0.5);
const silence = () => {
  const wav = Buffer.from(tone);
  wav.fill(0, 44);
  return wav;
};

const cases: Readonly<Record<string, Refused>> = {
  'an If whose condition the sound decides': {
    model: branching(),
    sentence:
      /expected x without branches and loops that sound decides, but it has If \(node chosen by If\); take an export without them/,
  },
  'a Loop': {
    model: looping(),
    sentence:
      /expected x without branches and loops that sound decides, but it has Loop \(node chosen by Loop\); take an export without them/,
  },
  'a recurrent layer': {
    model: modelWith((g, scores) => {
      const [weights, recurrent] = [g.normal([1, 4 * tokens, tokens], 0.3), g.normal([1, 4 * tokens, tokens], 0.3)];
      const heard = g.op('LSTM', [g.transpose(scores, [1, 0, 2]), weights, recurrent], { hidden_size: tokens });
      return g.reshape(heard, [1, -1, tokens]);
    }),
    sentence:
      /no gradient of LSTM \(node LSTM\d+\): recurrent layers are not followed; take another export of the model/,
  },
  'an operator without a rule': {
    model: modelWith((g, scores) => g.op('Selu', [scores])),
    sentence: /no gradient of Selu \(node Selu\d+\): there is no rule for it; take another export of the model/,
  },
  'a gradient that is no number': {
    // The root of 0 has no gradient.
    model: modelWith((g, scores) => {
      const nothing = g.op('Sub', [scores, scores]);
      return g.op('Add', [scores, g.op('Sqrt', [g.op('Mul', [nothing, nothing])])]);
    }),
    sentence:
      /expected a gradient of numbers from x, but that of sample \d+ is NaN; take another clip, or an undamaged export/,
  },
  'digital silence': {
    wav: silence(),
    clipAlone: true,
    sentence:
      /pgd: expected a clip to change at 20 dB SNR, but it is digital silence, which has no signal-to-noise ratio; leave this clip out/,
  },
  'a clip that memory does not hold': {
    model: wav2vec2Like({ tokens }).model,
    wav: sineWav(500, 16_000, 600),
    sentence:
      /expected memory for the gradient of x on a clip of 600\.0 s, which takes about \d+\.\d GB, but \d+\.\d GB are free; cut the clip, end other/,
  },
  'a target in letters that the model cannot write': {
    parameters: { target: 'a zebra' },
    sentence: /expected a text in letters that x writes, but it has "z", "e", "r"; spell it otherwise/,
  },
};

for (const [name, { model, wav = tone, parameters = {}, sentence, clipAlone }] of Object.entries(cases)) {
  test(`${name} is told in one sentence${clipAlone ? '' : ', and the run does not end with 0'}`, async () => {
    await using folder = await temporaryFolder();
    writeTinyCtc(folder.file('x'), model === undefined ? {} : { 'onnx/model.onnx': encodeModel(model) });
    writeFileSync(folder.file('u.wav'), wav);
    writeFileSync(folder.file('list.tsv'), 'id\treference\tspeaker\taudio\nu\ta\ts\tu.wav\n');
    const attack = { perturbation: 'pgd', parameters: { source: 'x', snrDb: 20, steps: 1, ...parameters } };
    const config = {
      corpus: { type: 'manifest', file: 'list.tsv' },
      recognizers: { x: { type: 'transformers', model: 'x', threads: 1 } },
      studies: [{ type: 'robustness', conditions: [{ name: 'attack', steps: [attack] }], resamples: 200 }],
      report: { sound: false },
    };
    writeFileSync(join(folder.path, 'earwitness.config.json'), JSON.stringify(config));
    const { code, stdout, stderr } = await runCommand(['run'], { cwd: folder.path });
    assert.equal(code === 0, clipAlone === true);
    const { stdout: whole } = await runCommand(['report', '--full'], { cwd: folder.path });
    assert.match(`${stdout}${stderr}${whole}`.replace(/\s+/g, ' '), sentence);
  });
}
