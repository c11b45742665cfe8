import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { badInput, messageOf } from '../base/errors.ts';
import { temporaryFolder } from '../base/on-disk.ts';
import { printable } from '../base/printable.ts';
import type { OnnxRuntime } from '../packages/onnx-runtime.ts';
import {
  elementTypes,
  type Graph,
  integersOf,
  type Model,
  type Node,
  sizeOf,
  type Tensor,
  type ValueInfo,
} from './onnx-model.ts';
import { decodeModel } from './read-model.ts';
import { makeNode, shownNode } from './rewrite.ts';
import { booleanOperators } from './rules/rules.ts';
import { encodeModel } from './write-model.ts';

/** A graph of which every size is known. */
export interface StaticGraph {
  readonly graph: Graph;
  readonly operatorSets: ReadonlyMap<string, number>;
  /** Of every tensor, weights and inputs too. */
  readonly shapes: ReadonlyMap<string, readonly number[]>;
  readonly types: ReadonlyMap<string, number>;
}

/** Weights of more numbers are not read while the graph is folded. */
const largestFolded = 4096;

/**
 * The part of a model that some outputs need, for inputs of fixed shapes: what follows from the shapes alone is folded by
 * onnxruntime ("basic", which keeps to standard operators). Large weights are left out of that, so that it takes milliseconds
 * and little memory.
 *
 * @param model of `normalize`
 * @param shapes of every input that the outputs depend on
 * @param about what the model is, for errors
 * @throws EarwitnessError `bad-input`: an input without a shape, a graph that onnxruntime refuses, control flow that is not decided,
 *   or shapes that depend on values
 */
export async function staticGraph(
  model: Model,
  outputs: readonly string[],
  shapes: Readonly<Record<string, readonly number[]>>,
  { runtime, about }: { readonly runtime: OnnxRuntime; readonly about: string },
): Promise<StaticGraph> {
  const part = partFor(model.graph, outputs, about);
  for (const { name } of part.inputs) {
    if (shapes[name] !== undefined) continue;
    throw badInput(`expected the shape of the input ${printable(name, 60)} of ${about}; name it`);
  }
  const fixed: ValueInfo[] = part.inputs.map(({ name, type }) => ({ name, type, shape: shapes[name]! }));
  const heavy = new Map([...part.weights].filter(([, { shape }]) => sizeOf(shape) > largestFolded));
  const light = new Map([...part.weights].filter(([name]) => !heavy.has(name)));
  const standIns = [...heavy].map(([name, { type, shape }]): ValueInfo => ({ name, type, shape }));
  const open = (graph: Graph): Model => ({ graph, operatorSets: model.operatorSets });
  const first = open({ ...part, weights: light, inputs: [...fixed, ...standIns] });
  let folded = await optimized(first, runtime, about);
  // Operators that onnxruntime writes out in simpler ones bring arithmetic of shapes that was not there before.
  if (folded.graph.nodes.some((node) => node.operator === 'Shape')) {
    folded = await optimized(folded, runtime, about);
  }
  const pruned = partFor(folded.graph, outputs, about);
  const undecided = pruned.nodes.find((node) => [...node.attributes.values()].some(({ kind }) => kind === 'graph'));
  if (undecided !== undefined) {
    throw badInput(
      `expected ${about} without branches and loops that sound decides, but it has ${shownNode(undecided)}; take an export without them`,
    );
  }
  const found = await shapesOf(open({ ...pruned, inputs: folded.graph.inputs }), runtime, about);
  const weights = new Map([...pruned.weights, ...heavy]);
  const used = new Set([...pruned.nodes.flatMap((node) => node.inputs), ...outputs]);
  const graph = {
    nodes: pruned.nodes,
    weights: new Map([...weights].filter(([name]) => used.has(name))),
    inputs: fixed,
    outputs: outputs.map((name): ValueInfo => ({ name, type: elementTypes.float, shape: found.shapes.get(name)! })),
  };
  return { graph, operatorSets: folded.operatorSets, ...found };
}

/** The nodes that outputs need, with their weights and inputs. */
function partFor(graph: Graph, outputs: readonly string[], about: string): Graph {
  const maker = new Map(graph.nodes.flatMap((node) => node.outputs.map((output) => [output, node] as const)));
  const known = new Set([...maker.keys(), ...graph.weights.keys(), ...graph.inputs.map(({ name }) => name)]);
  const missing = outputs.find((output) => !known.has(output));
  if (missing !== undefined) {
    throw badInput(
      `expected an output ${printable(missing, 60)} in ${about}, but it has ${graph.outputs
        .map(({ name }) => printable(name, 40))
        .slice(0, 8)
        .join(', ')}; take another export`,
    );
  }
  const needed = new Set<string>();
  const waiting = [...outputs];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (needed.has(name)) continue;
    needed.add(name);
    const node = maker.get(name);
    if (node !== undefined) waiting.push(...node.inputs.filter((input) => input !== ''), ...captured(node));
  }
  return {
    nodes: graph.nodes.filter((node) => node.outputs.some((output) => needed.has(output))),
    weights: new Map([...graph.weights].filter(([name]) => needed.has(name))),
    inputs: graph.inputs.filter(({ name }) => needed.has(name)),
    outputs: outputs.map(
      (name) => graph.outputs.find((output) => output.name === name) ?? { name, type: 0, shape: null },
    ),
  };
}

/** Names of outer tensors that branches inside of a node may use. */
function captured(node: Node): string[] {
  return [...node.attributes.values()].flatMap((attribute) =>
    attribute.kind === 'graph'
      ? [
          ...attribute.value.nodes.flatMap((inner) => [...inner.inputs, ...captured(inner)]),
          ...attribute.value.outputs.map(({ name }) => name),
        ]
      : [],
  );
}

/** What onnxruntime makes of a graph before it would run it. */
async function optimized(model: Model, runtime: OnnxRuntime, about: string): Promise<Model> {
  const folder = temporaryFolder('graph');
  try {
    const optimizedModelFilePath = join(folder, 'graph.onnx');
    const session = await runtime.InferenceSession.create(encodeModel(model), {
      graphOptimizationLevel: 'basic',
      optimizedModelFilePath,
      executionProviders: ['cpu'],
      intraOpNumThreads: 1,
      logSeverityLevel: 4,
    });
    await session.release();
    return decodeModel(await readFile(optimizedModelFilePath));
  } catch (cause) {
    throw badInput(
      `expected a graph that onnxruntime takes, but it refuses ${about} (${printable(messageOf(cause), 300)}); take another export`,
      { cause },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Shapes as onnxruntime infers them: those of every tensor are asked for, and folded to constants. */
async function shapesOf(
  model: Model,
  runtime: OnnxRuntime,
  about: string,
): Promise<Pick<StaticGraph, 'shapes' | 'types'>> {
  const { graph } = model;
  const made = graph.nodes.flatMap((node) => node.outputs.filter((output) => output !== ''));
  const suffix = '/asked-shape';
  const asked = made.map((name) => makeNode('Shape', [name], [name + suffix]));
  const outputs = made.map((name) => ({ name: name + suffix, type: elementTypes.int64, shape: null }));
  const question = { ...model, graph: { ...graph, nodes: [...graph.nodes, ...asked], outputs } };
  const answer = made.length === 0 ? model : await optimized(question, runtime, about);
  const shapes = new Map<string, readonly number[]>();
  const types = new Map<string, number>();
  for (const { name, type, shape } of graph.inputs) {
    shapes.set(name, shape as readonly number[]);
    types.set(name, type);
  }
  for (const [name, { type, shape }] of graph.weights) {
    shapes.set(name, shape);
    types.set(name, type);
  }
  for (const name of made) {
    const constant: Tensor | undefined = answer.graph.weights.get(name + suffix);
    if (constant !== undefined) shapes.set(name, integersOf(constant));
  }
  for (const node of graph.nodes) {
    const unknown = node.outputs.find((output) => output !== '' && !shapes.has(output));
    if (unknown !== undefined) {
      throw badInput(
        `expected ${about} with sizes that follow from those of its input, but that of ${shownNode(node)} depends on values; take another export`,
      );
    }
    for (const [index, output] of node.outputs.entries()) types.set(output, typeOf(node, index, types));
  }
  return { shapes, types };
}

const booleans: ReadonlySet<string> = new Set(booleanOperators);
const integers: ReadonlySet<string> = new Set(['Shape', 'Size', 'ArgMax', 'ArgMin', 'NonZero']);

/** Type of an output: that of the first input where an operator does not say otherwise. */
function typeOf({ operator, inputs, attributes }: Node, output: number, types: ReadonlyMap<string, number>): number {
  const attribute = (name: string): number | undefined => {
    const found = attributes.get(name);
    if (found?.kind === 'int') return found.value;
    return found?.kind === 'tensor' ? found.value.type : undefined;
  };
  if (booleans.has(operator)) return elementTypes.bool;
  if (integers.has(operator) || (operator === 'TopK' && output === 1)) return elementTypes.int64;
  if (operator === 'Cast') return attribute('to')!;
  if (operator === 'ConstantOfShape') return attribute('value') ?? elementTypes.float;
  if (operator === 'DequantizeLinear' || operator === 'Where') return types.get(inputs[1]!)!;
  if (operator === 'DynamicQuantizeLinear') return output === 1 ? elementTypes.float : elementTypes.uint8;
  return types.get(inputs.find((input) => input !== '')!)!;
}
