import { badInput } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import {
  type Attribute,
  elementTypes,
  floatTensor,
  type Graph,
  integersOf,
  integerTensor,
  type Model,
  type Node,
  type Tensor,
} from './onnx-model.ts';

/** The version of the standard's operators that everything here is written in. */
const operatorVersion = 20;

/**
 * A model in which everything that decides its shape is written one way: operators of version 20, constants among the weights,
 * branches of `If` that a constant or an input of known value chooses put in its place, and inputs of known value gone.
 *
 * @param constants values of inputs
 * @param about what the model is, for errors
 * @throws EarwitnessError `bad-input`: a constant that the model has no input for, or operators older than version 8
 */
export function normalize(model: Model, constants: ReadonlyMap<string, Tensor>, about: string): Model {
  const version = model.operatorSets.get('') ?? 1;
  if (version < 8) {
    throw badInput(
      `expected ${about} in operators of version 8 or newer, but it has version ${version}; export it anew`,
    );
  }
  for (const name of constants.keys()) {
    if (!model.graph.inputs.some((input) => input.name === name)) {
      throw badInput(
        `expected ${about} with an input ${printable(name, 60)}, but it has ${model.graph.inputs.map((input) => printable(input.name, 40)).join(', ')}; take another export`,
      );
    }
  }
  const weights = new Map([...model.graph.weights, ...constants]);
  const nodes: Node[] = [];
  for (const node of model.graph.nodes) nodes.push(...resolved(node, weights));
  const upgraded = version >= operatorVersion ? nodes : nodes.flatMap((node) => upgrade(node, version, weights));
  return {
    graph: {
      nodes: upgraded,
      weights,
      inputs: model.graph.inputs.filter(({ name }) => !constants.has(name)),
      outputs: model.graph.outputs,
    },
    operatorSets: new Map([...model.operatorSets, ['', Math.max(version, operatorVersion)]]),
  };
}

/** A node without constants and decided branches: those join `weights` and the nodes. */
function resolved(node: Node, weights: Map<string, Tensor>): Node[] {
  if (node.operator === 'Constant' && node.domain === '') {
    weights.set(node.outputs[0]!, constantOf(node));
    return [];
  }
  const condition = node.operator === 'If' ? weights.get(node.inputs[0]!) : undefined;
  if (condition === undefined) return [node];
  const branch = node.attributes.get(integersOf(condition)[0] === 0 ? 'else_branch' : 'then_branch');
  if (branch?.kind !== 'graph') return [node];
  return branchNodes(node, branch.value, weights);
}

function branchNodes(node: Node, branch: Graph, weights: Map<string, Tensor>): Node[] {
  const own = new Map<string, string>();
  const name = (inner: string) => `${node.outputs[0]}/${inner}`;
  for (const weight of branch.weights.keys()) own.set(weight, name(weight));
  for (const inner of branch.nodes)
    for (const output of inner.outputs) if (output !== '') own.set(output, name(output));
  for (const [weight, tensor] of branch.weights) weights.set(own.get(weight)!, tensor);
  const placed = branch.nodes.flatMap((inner) => resolved(renamed(inner, own), weights));
  const ends = branch.outputs.map((output, index) =>
    makeNode('Identity', [own.get(output.name) ?? output.name], [node.outputs[index]!]),
  );
  return [...placed, ...ends];
}

/** With names of a branch replaced, in branches inside of it too. */
function renamed(node: Node, names: ReadonlyMap<string, string>): Node {
  const attributes = new Map<string, Attribute>();
  for (const [key, attribute] of node.attributes) {
    attributes.set(
      key,
      attribute.kind === 'graph' ? { kind: 'graph', value: renamedGraph(attribute.value, names) } : attribute,
    );
  }
  const name = (old: string) => names.get(old) ?? old;
  return { ...node, inputs: node.inputs.map(name), outputs: node.outputs.map(name), attributes };
}

function renamedGraph(graph: Graph, names: ReadonlyMap<string, string>): Graph {
  return {
    ...graph,
    nodes: graph.nodes.map((node) => renamed(node, names)),
    outputs: graph.outputs.map((output) => ({ ...output, name: names.get(output.name) ?? output.name })),
  };
}

/** @throws EarwitnessError `bad-input` for constants of texts and sparse ones */
function constantOf(node: Node): Tensor {
  for (const [key, attribute] of node.attributes) {
    if (key === 'value' && attribute.kind === 'tensor') return attribute.value;
    if (key === 'value_float' && attribute.kind === 'float') return floatTensor([attribute.value], []);
    if (key === 'value_floats' && attribute.kind === 'floats') {
      return floatTensor(attribute.value, [attribute.value.length]);
    }
    if (key === 'value_int' && attribute.kind === 'int') return integerTensor([attribute.value], []);
    if (key === 'value_ints' && attribute.kind === 'ints') return integerTensor(attribute.value);
  }
  throw badInput(
    `expected a constant of numbers at ${printable(node.name || node.outputs[0]!, 80)}, but it is something else; take another export`,
  );
}

/** A node of the standard's operators. */
export function makeNode(
  operator: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: Readonly<Record<string, number | string | readonly number[]>> = {},
): Node {
  return {
    name: outputs[0]!,
    operator,
    domain: '',
    inputs,
    outputs,
    attributes: new Map(Object.entries(attributes).map(([key, value]) => [key, attributeFrom(key, value)])),
  };
}

/** Attributes of single precision; all other numbers are whole. */
const floatAttributes: ReadonlySet<string> = new Set(['alpha', 'beta', 'gamma', 'epsilon']);

function attributeFrom(key: string, value: number | string | readonly number[]): Attribute {
  if (typeof value === 'string') return { kind: 'string', value };
  if (typeof value !== 'number') return { kind: 'ints', value };
  return floatAttributes.has(key) ? { kind: 'float', value } : { kind: 'int', value };
}

/** Attributes that became inputs, by operator: in that order after the inputs that stay, since the version named. */
const movedToInputs: Readonly<Record<string, { readonly since: number; readonly names: readonly string[] }>> = {
  ReduceSum: { since: 13, names: ['axes'] },
  Squeeze: { since: 13, names: ['axes'] },
  Unsqueeze: { since: 13, names: ['axes'] },
  Split: { since: 13, names: ['split'] },
  Slice: { since: 10, names: ['starts', 'ends', 'axes'] },
  Pad: { since: 11, names: ['pads', 'value'] },
  Clip: { since: 11, names: ['min', 'max'] },
  Dropout: { since: 12, names: [] },
  ...Object.fromEntries(
    ['Mean', 'Max', 'Min', 'L1', 'L2', 'SumSquare', 'LogSum', 'LogSumExp', 'Prod'].map((kind) => [
      `Reduce${kind}`,
      { since: 18, names: ['axes'] },
    ]),
  ),
};

function upgrade(node: Node, version: number, weights: Map<string, Tensor>): Node[] {
  if (node.domain !== '') return [node];
  if (node.operator === 'Dropout') return [makeNode('Identity', [node.inputs[0]!], [node.outputs[0]!])];
  if (version < 13 && (node.operator === 'Softmax' || node.operator === 'LogSoftmax')) {
    const axis = node.attributes.get('axis');
    // Older ones flatten everything from the axis on, which is the same where it is the last.
    return [
      { ...node, attributes: new Map([['axis', { kind: 'int', value: axis?.kind === 'int' ? axis.value : 1 }]]) },
    ];
  }
  if (node.operator === 'BatchNormalization') {
    const epsilon = node.attributes.get('epsilon');
    return [
      {
        ...node,
        outputs: node.outputs.slice(0, 1),
        attributes: new Map(epsilon === undefined ? [] : [['epsilon', epsilon]]),
      },
    ];
  }
  const splits = node.operator === 'Split' && version < 18 && node.inputs.length < 2 && !node.attributes.has('split');
  if (splits) {
    return [
      {
        ...node,
        attributes: new Map([...node.attributes, ['num_outputs', { kind: 'int', value: node.outputs.length }]]),
      },
    ];
  }
  const moved = movedToInputs[node.operator];
  if (moved === undefined || version >= moved.since) return [node];
  const attributes = new Map(node.attributes);
  const inputs = [...node.inputs];
  for (const name of moved.names) {
    const attribute = attributes.get(name);
    attributes.delete(name);
    const weight = `${node.outputs[0]}/${name}`;
    if (attribute?.kind === 'ints') weights.set(weight, integerTensor(attribute.value));
    else if (attribute?.kind === 'float') weights.set(weight, floatTensor([attribute.value], []));
    inputs.push(attribute === undefined ? '' : weight);
  }
  while (inputs.at(-1) === '') inputs.pop();
  return [{ ...node, inputs, attributes }];
}

/** What a node must be, for errors. */
export function shownNode({
  operator,
  domain,
  name,
  outputs,
}: Pick<Node, 'operator' | 'domain' | 'name' | 'outputs'>): string {
  const kind = domain === '' ? operator : `${domain}:${operator}`;
  return `${printable(kind, 60)} (node ${printable(name || outputs[0] || '?', 80)})`;
}

/** Types whose tensors quantization makes. */
export function isQuantized(type: number): boolean {
  return type === elementTypes.int8 || type === elementTypes.uint8;
}
