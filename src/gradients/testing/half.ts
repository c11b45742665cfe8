import { type Attribute, bytesOf, elementTypes, floatsOf, type Model, type Tensor } from '../onnx-model.ts';

/** The nearest number of 16 bits (IEEE 754 binary16), of numbers that it can hold. */
function halfBits(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size >= 65520) return sign | 0x7c00;
  const exponent = Math.max(-14, Math.floor(Math.log2(size || 2 ** -24)));
  const steps = Math.round(size / 2 ** (exponent - 10));
  return sign + (steps < 1024 ? steps : ((exponent + 15) << 10) + (steps - 1024));
}

function halfTensor(tensor: Tensor): Tensor {
  if (tensor.type !== elementTypes.float) return tensor;
  return { ...tensor, type: elementTypes.float16, bytes: bytesOf(Uint16Array.from(floatsOf(tensor), halfBits)) };
}

/** A model as exporters write it in 16-bit floats: weights, casts and ends, where `ends` says so. */
export function inHalfPrecision({ graph, operatorSets }: Model, ends: boolean): Model {
  const { float, float16 } = elementTypes;
  const attribute = (key: string, one: Attribute): Attribute => {
    if (one.kind === 'tensor') return { kind: 'tensor', value: halfTensor(one.value) };
    return key === 'to' && one.kind === 'int' && one.value === float ? { kind: 'int', value: float16 } : one;
  };
  const cast = (from: string, to: string, type: number) => ({
    ...{ name: `${to}/cast`, operator: 'Cast', domain: '', inputs: [from], outputs: [to] },
    attributes: new Map<string, Attribute>([['to', { kind: 'int', value: type }]]),
  });
  const halved = ({ type, ...value }: Model['graph']['inputs'][number]) => ({
    ...value,
    type: type === float && ends ? float16 : type,
  });
  const inner = new Map(
    ends
      ? []
      : [...graph.inputs, ...graph.outputs].flatMap(({ name, type }) => (type === float ? [[name, `${name}16`]] : [])),
  );
  const renamed = (name: string) => inner.get(name) ?? name;
  const nodes = graph.nodes.map((node) => ({
    ...{ ...node, inputs: node.inputs.map(renamed), outputs: node.outputs.map(renamed) },
    attributes: new Map([...node.attributes].map(([key, one]) => [key, attribute(key, one)])),
  }));
  return {
    operatorSets,
    graph: {
      nodes: [
        ...graph.inputs.flatMap(({ name }) => (inner.has(name) ? [cast(name, renamed(name), float16)] : [])),
        ...nodes,
        ...graph.outputs.flatMap(({ name }) => (inner.has(name) ? [cast(renamed(name), name, float)] : [])),
      ],
      weights: new Map([...graph.weights].map(([name, tensor]) => [name, halfTensor(tensor)])),
      inputs: graph.inputs.map(halved),
      outputs: graph.outputs.map(halved),
    },
  };
}
