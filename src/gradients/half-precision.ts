import {
  type Attribute,
  elementTypes,
  floatTensor,
  type Graph,
  type Model,
  type Node,
  type Tensor,
  type ValueInfo,
} from './onnx-model.ts';
import { makeNode } from './rewrite.ts';

const { float, float16 } = elementTypes;

/** Whether anything in a graph is in 16-bit floats, in branches too. */
export function isHalfPrecision({ nodes, weights, inputs }: Graph): boolean {
  return (
    [...weights.values(), ...inputs].some(({ type }) => type === float16) ||
    nodes.some((node) =>
      [...node.attributes].some(([key, attribute]) =>
        attribute.kind === 'graph' ? isHalfPrecision(attribute.value) : namesHalf(key, attribute),
      ),
    )
  );
}

/** Casts to it, and constants of it. */
function namesHalf(key: string, attribute: Attribute): boolean {
  if (attribute.kind === 'tensor') return attribute.value.type === float16;
  return (key === 'to' || key === 'dtype') && attribute.kind === 'int' && attribute.value === float16;
}

/**
 * A model in 32-bit floats of one in 16-bit floats: the same numbers as weights, and nothing rounded on the way.
 *
 * @returns null where nothing in it is in 16-bit floats
 */
export function singlePrecision(model: Model): Model | null {
  return isHalfPrecision(model.graph) ? { ...model, graph: single(model.graph) } : null;
}

function single({ nodes, weights, inputs, outputs }: Graph): Graph {
  const asSingle = (value: ValueInfo): ValueInfo => (value.type === float16 ? { ...value, type: float } : value);
  return {
    nodes: nodes.map((node) => ({
      ...node,
      attributes: new Map([...node.attributes].map(([key, attribute]) => [key, singleAttribute(key, attribute)])),
    })),
    weights: new Map([...weights].map(([name, tensor]) => [name, singleTensor(tensor)])),
    inputs: inputs.map(asSingle),
    outputs: outputs.map(asSingle),
  };
}

function singleAttribute(key: string, attribute: Attribute): Attribute {
  if (attribute.kind === 'graph') return { kind: 'graph', value: single(attribute.value) };
  if (attribute.kind === 'tensor') return { kind: 'tensor', value: singleTensor(attribute.value) };
  return namesHalf(key, attribute) ? { kind: 'int', value: float } : attribute;
}

function singleTensor(tensor: Tensor): Tensor {
  if (tensor.type !== float16) return tensor;
  const bytes = new DataView(tensor.bytes.buffer, tensor.bytes.byteOffset, tensor.bytes.byteLength);
  const values = Float32Array.from({ length: bytes.byteLength / 2 }, (_, n) => singleOf(bytes.getUint16(2 * n, true)));
  return floatTensor(values, tensor.shape);
}

/** The number that 16 bits stand for (IEEE 754 binary16). */
function singleOf(bits: number): number {
  const sign = bits >> 15 === 1 ? -1 : 1;
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** The same model, taking and giving 32-bit floats where it has 16-bit ones at its ends. */
export function withSingleEnds(model: Model): Model {
  const { nodes, inputs, outputs } = model.graph;
  const ends = [...inputs, ...outputs].filter(({ type }) => type === float16);
  if (ends.length === 0) return model;
  const inner = new Map(ends.map(({ name }) => [name, `${name}/half`]));
  const renamed = (name: string) => inner.get(name) ?? name;
  const asSingle = (value: ValueInfo): ValueInfo => (inner.has(value.name) ? { ...value, type: float } : value);
  const cast = (from: string, to: string, type: number): Node => ({
    ...makeNode('Cast', [from], [to], { to: type }),
    name: `${to}/cast`,
  });
  return {
    ...model,
    graph: {
      ...model.graph,
      nodes: [
        ...inputs.flatMap(({ name }) => (inner.has(name) ? [cast(name, inner.get(name)!, float16)] : [])),
        ...nodes.map((node) => ({ ...node, inputs: node.inputs.map(renamed), outputs: node.outputs.map(renamed) })),
        ...outputs.flatMap(({ name }) => (inner.has(name) ? [cast(inner.get(name)!, name, float)] : [])),
      ],
      inputs: inputs.map(asSingle),
      outputs: outputs.map(asSingle),
    },
  };
}
