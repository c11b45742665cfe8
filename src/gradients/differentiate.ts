import { badInput } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import type { OnnxRuntime } from '../packages/onnx-runtime.ts';
import { Builder } from './builder.ts';
import { singlePrecision } from './half-precision.ts';
import {
  elementTypes,
  type Graph,
  isFloat,
  type Model,
  type Node,
  sizeOf,
  type Tensor,
  type ValueInfo,
} from './onnx-model.ts';
import { normalize, shownNode } from './rewrite.ts';
import { heldOperators, refusedOperators, rules } from './rules/rules.ts';
import { Step } from './rules/step.ts';
import { type StaticGraph, staticGraph } from './static-graph.ts';
import { floatSurrogate } from './surrogate.ts';

/** What is differentiated with respect to what. */
export interface Differentiation {
  /** Inputs of 32-bit floats. */
  readonly wrt: readonly string[];
  /** Outputs of 32-bit floats. */
  readonly outputs: readonly string[];
  /** Of every input that the outputs depend on, but those in `constants`. */
  readonly shapes: Readonly<Record<string, readonly number[]>>;
  /** Values of inputs that are not given anew: `use_cache_branch`, `attention_mask`. */
  readonly constants?: ReadonlyMap<string, Tensor>;
  readonly runtime: OnnxRuntime;
  /** What the model is, for errors: `encoder_model.onnx`. */
  readonly about: string;
}

/** A model and its reverse, as graphs of standard operators (version 20). Their weights are the same tensors. */
export interface Derivative {
  /** Inputs to `outputs`: the forward pass alone. */
  readonly forwardAlone: Model;
  /** Inputs to `outputs` and `residuals`. */
  readonly forward: Model;
  /** `cotangents`, `residuals` and those inputs that it needs, to `gradients`. */
  readonly backward: Model;
  /** Inputs and `cotangents` to `outputs` and `gradients`, in one. */
  readonly whole: Model;
  readonly outputs: readonly string[];
  /** Inputs that take the gradients of a loss with respect to the outputs, in their order. */
  readonly cotangents: readonly string[];
  /** What the backward pass needs of the forward pass. */
  readonly residuals: readonly string[];
  /** Outputs that give the loss's gradients with respect to `wrt`, in their order. */
  readonly gradients: readonly string[];
  /** Of every tensor. */
  readonly shapes: ReadonlyMap<string, readonly number[]>;
  /** Whether the model was quantized or in 16-bit floats, so that this is of a surrogate in 32-bit floats. */
  readonly surrogate: boolean;
}

/**
 * Reverse-mode differentiation of an ONNX graph, for inputs of fixed shapes: gives graphs whose backward one takes the gradient
 * of any loss with respect to the outputs and gives that with respect to the inputs `wrt`.
 *
 * Comparisons and what they decide are held as they are (`heldOperators`). A model that is quantized or in 16-bit floats is replaced by its
 * surrogate in 32-bit floats.
 *
 * @throws EarwitnessError `bad-input`: an operator without a rule lies between, named with its node; a graph that onnxruntime
 *   refuses, or that branches by the values of the sound; outputs that do not depend on the inputs
 * @example
 * const derivative = await differentiate(await readModel('onnx/model.onnx'), {
 *   wrt: ['input_values'], outputs: ['logits'], shapes: { input_values: [1, 64_000] }, runtime, about: 'model.onnx' });
 */
export async function differentiate(
  model: Model,
  { wrt, outputs, shapes, constants = new Map(), runtime, about }: Differentiation,
): Promise<Derivative> {
  const normalized = normalize(model, constants, about);
  const single = singlePrecision(normalized);
  const surrogate = floatSurrogate(single ?? normalized) ?? single;
  const known = await staticGraph(surrogate ?? normalized, outputs, shapes, { runtime, about });
  return { ...reverse(known, wrt, outputs, about), surrogate: surrogate !== null };
}

/** The reverse of a graph of which every size is known. */
function reverse(
  { graph, operatorSets, shapes, types }: StaticGraph,
  wrt: readonly string[],
  outputs: readonly string[],
  about: string,
): Omit<Derivative, 'surrogate'> {
  const influenced = influencedBy(wrt, graph);
  for (const name of [...wrt, ...outputs]) {
    if (types.get(name) === elementTypes.float && influenced.has(name)) continue;
    throw badInput(
      influenced.has(name)
        ? `expected 32-bit floats in ${printable(name, 60)} of ${about}, but it has others; take an export in fp32`
        : `expected ${printable(name, 60)} of ${about} to depend on ${wrt.map((each) => printable(each, 60)).join(', ')}, but it does not; name another output`,
    );
  }
  checkOperators(graph, influenced, types);
  const b = new Builder(shapes);
  const gradients = new Map<string, string>();
  const cotangents = outputs.map((output) => `gradient/of/${output}`);
  for (const [index, output] of outputs.entries()) {
    b.declare(cotangents[index]!, shapes.get(output)!);
    gradients.set(output, cotangents[index]!);
  }
  const more = new Map<Node, readonly string[]>();
  for (const node of graph.nodes.toReversed()) {
    if (heldOperators.has(node.operator) || !node.outputs.some((output) => gradients.has(output))) continue;
    const wanted = node.inputs.map((input) => influenced.has(input) && isFloat(types.get(input)!));
    if (!wanted.includes(true)) continue;
    const step = new Step(node, b, graph.weights, gradients);
    const passed = rules[node.operator]!(step);
    for (const [index, input] of node.inputs.entries()) {
      if (!wanted[index]) continue;
      const gradient = passed[index] ?? null;
      if (gradient === null) throw step.refused(`input ${index} to be fixed, but it depends on the sound`);
      const fitted = b.unbroadcast(gradient(), b.shape(input));
      const before = gradients.get(input);
      gradients.set(input, before === undefined ? fitted : b.add(before, fitted));
    }
    if (step.moreOutputs.length > 0) more.set(node, step.moreOutputs);
  }
  const found = wrt.map((name) => {
    const gradient = gradients.get(name);
    if (gradient !== undefined) return gradient;
    throw badInput(
      `expected a gradient with respect to ${printable(name, 60)} of ${about}, but everything in between is held; take another export`,
    );
  });
  const forwardNodes = graph.nodes.map((node) =>
    more.has(node) ? { ...node, outputs: [...node.outputs.slice(0, 1), ...more.get(node)!] } : node,
  );
  const influencedByAny = influencedBy(
    graph.inputs.map(({ name }) => name),
    { ...graph, nodes: forwardNodes },
  );
  const parts = { forwardNodes, b, graph, influenced: influencedByAny };
  return assembled(parts, {
    outputs,
    cotangents,
    gradients: found,
    operatorSets,
    types,
    shapes: shapesIn(b, graph, shapes),
  });
}

interface Parts {
  readonly forwardNodes: readonly Node[];
  readonly b: Builder;
  readonly graph: Graph;
  /** By any input: what is not is constant, and may be computed in either graph. */
  readonly influenced: ReadonlySet<string>;
}

type Names = Pick<Derivative, 'outputs' | 'cotangents' | 'gradients' | 'shapes'> & {
  readonly operatorSets: ReadonlyMap<string, number>;
  readonly types: ReadonlyMap<string, number>;
};

function assembled({ forwardNodes, b, graph, influenced }: Parts, names: Names): Omit<Derivative, 'surrogate'> {
  const { outputs, cotangents, gradients, shapes, types } = names;
  const weights = new Map([...graph.weights, ...b.weights]);
  const constants = forwardNodes.filter((node) => !node.outputs.some((output) => influenced.has(output)));
  const value = (name: string): ValueInfo => ({
    name,
    type: types.get(name) ?? elementTypes.float,
    shape: shapes.get(name)!,
  });
  const inputNames = new Set(graph.inputs.map(({ name }) => name));
  const domains = new Set(['', ...forwardNodes.map(({ domain }) => domain)]);
  const operatorSets = new Map([...names.operatorSets].filter(([domain]) => domains.has(domain)));
  const make = (nodes: readonly Node[], inputs: readonly ValueInfo[], ends: readonly string[]): Model => {
    const live = liveNodes(nodes, ends);
    const used = new Set([...live.flatMap((node) => node.inputs), ...ends]);
    return {
      graph: {
        nodes: live,
        weights: new Map([...weights].filter(([name]) => used.has(name))),
        inputs: inputs.filter(({ name }) => used.has(name)),
        outputs: ends.map(value),
      },
      operatorSets,
    };
  };
  const backwardNodes = liveNodes([...constants, ...b.nodes], gradients);
  const made = new Set(forwardNodes.flatMap((node) => node.outputs.filter((output) => influenced.has(output))));
  const residuals = [...new Set(backwardNodes.flatMap((node) => node.inputs))].filter((name) => made.has(name));
  const starts = cotangents.map(value);
  // An output that is a residual too is one of both.
  const ends = [...outputs, ...residuals.filter((name) => !outputs.includes(name))];
  return {
    forwardAlone: make(graph.nodes, graph.inputs, outputs),
    forward: make(forwardNodes, graph.inputs, ends),
    backward: make([...constants, ...b.nodes], [...starts, ...residuals.map(value), ...graph.inputs], gradients),
    whole: make([...forwardNodes, ...b.nodes], [...graph.inputs, ...starts], [...outputs, ...gradients]),
    outputs,
    cotangents,
    residuals: residuals.filter((name) => !inputNames.has(name)),
    gradients,
    shapes,
  };
}

function shapesIn(b: Builder, graph: Graph, known: ReadonlyMap<string, readonly number[]>) {
  const all = new Map(known);
  for (const node of [...graph.nodes, ...b.nodes]) {
    for (const name of [...node.inputs, ...node.outputs]) if (name !== '') all.set(name, b.shape(name));
  }
  return all;
}

/** Nodes whose results reach the ends. */
function liveNodes(nodes: readonly Node[], ends: readonly string[]): Node[] {
  const needed = new Set(ends);
  return nodes
    .toReversed()
    .filter((node) => {
      if (!node.outputs.some((output) => needed.has(output))) return false;
      for (const input of node.inputs) if (input !== '') needed.add(input);
      return true;
    })
    .reverse();
}

/** Names of all tensors that depend on the values (not the sizes) of some. */
function influencedBy(names: readonly string[], graph: Graph): Set<string> {
  const influenced = new Set(names);
  for (const node of graph.nodes) {
    if (node.operator === 'Shape' || node.operator === 'Size') continue;
    if (node.inputs.some((input) => influenced.has(input))) for (const output of node.outputs) influenced.add(output);
  }
  return influenced;
}

/** @throws EarwitnessError `bad-input` naming the first operator between inputs and outputs that has no gradient */
function checkOperators(graph: Graph, influenced: ReadonlySet<string>, types: ReadonlyMap<string, number>): void {
  for (const node of graph.nodes) {
    if (!node.outputs.some((output) => influenced.has(output))) continue;
    const [from, to] = [types.get(node.inputs[0]!) ?? 0, types.get(node.outputs[0]!)];
    const rounds =
      node.operator === 'Cast' && isFloat(from) && (to === elementTypes.int64 || to === elementTypes.int32);
    const reason = node.domain === '' ? refusedOperators[rounds ? 'Round' : node.operator] : undefined;
    const known = node.domain === '' && (rules[node.operator] !== undefined || heldOperators.has(node.operator));
    if (reason === undefined && known) continue;
    throw badInput(
      `no gradient of ${shownNode(node)}: ${reason ?? 'there is no rule for it'}; take another export of the model, in 32-bit floats and without it`,
    );
  }
}

/** Bytes of what a derivative keeps between its two passes, of its weights, and of the largest tensor on the way. */
export function memoryOf({ residuals, shapes, forward, backward }: Derivative): {
  readonly residualBytes: number;
  readonly weightBytes: number;
  readonly largestBytes: number;
} {
  const weights = new Map([...forward.graph.weights, ...backward.graph.weights]);
  const bytes = (name: string) => 4 * sizeOf(shapes.get(name)!);
  const made = [forward, backward].flatMap(({ graph }) => graph.nodes.flatMap((node) => node.outputs));
  return {
    residualBytes: residuals.reduce((sum, name) => sum + bytes(name), 0),
    weightBytes: [...weights.values()].reduce((sum, tensor) => sum + tensor.bytes.length, 0),
    largestBytes: made.reduce((most, name) => Math.max(most, name === '' ? 0 : bytes(name)), 0),
  };
}
