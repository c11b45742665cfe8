// Writes the least of ONNX (onnx.proto, IR version 8, operators of version 17) that tiny graphs of tests need.

import { type Field, message } from '../protocol-message.ts';

/** Numbers of onnx.proto's `TensorProto.DataType`. */
const elementTypes = { float: 1, int64: 7 } as const;

type ElementType = keyof typeof elementTypes;

/** A tensor that the graph holds. */
export interface WrittenWeights {
  readonly name: string;
  readonly shape: readonly number[];
  readonly type?: ElementType;
  readonly values: readonly number[];
  /** Name of the file beside the graph that holds the values instead; its content is `floatBytes`. */
  readonly file?: string;
}

export interface WrittenNode {
  readonly operator: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Whole numbers, or lists of them. */
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

/** What goes in or comes out; sizes that are not fixed have names. */
export interface WrittenValue {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly (string | number)[];
}

export interface WrittenModel {
  readonly nodes: readonly WrittenNode[];
  readonly weights: readonly WrittenWeights[];
  readonly inputs: readonly WrittenValue[];
  readonly outputs: readonly WrittenValue[];
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Little-endian 32-bit floats. */
export function floatBytes(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeFloatLE(value, 4 * index);
  return bytes;
}

/** An ONNX file. */
export function onnxModel(model: WrittenModel): Buffer {
  const graph = message(
    ...model.nodes.map((node) => [1, nodeMessage(node)] as const),
    [2, 'tiny'],
    ...model.weights.map((weights) => [5, tensorMessage(weights)] as const),
    ...model.inputs.map((value) => [11, valueMessage(value)] as const),
    ...model.outputs.map((value) => [12, valueMessage(value)] as const),
  );
  const entries = Object.entries(model.metadata ?? {});
  return message(
    [1, 8],
    [7, graph],
    [8, message([1, ''], [2, 17])],
    ...entries.map(([key, value]) => [14, message([1, key], [2, value])] as const),
  );
}

function tensorMessage({ name, shape, type = 'float', values, file }: WrittenWeights): Buffer {
  const content: readonly Field[] =
    file === undefined
      ? [[9, type === 'float' ? floatBytes(values) : int64Bytes(values)]]
      : [
          [13, message([1, 'location'], [2, file])],
          [14, 1],
        ];
  return message(...shape.map((size) => [1, size] as const), [2, elementTypes[type]], [8, name], ...content);
}

function int64Bytes(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(8 * values.length);
  for (const [index, value] of values.entries()) bytes.writeBigInt64LE(BigInt(value), 8 * index);
  return bytes;
}

function nodeMessage({ operator, inputs, outputs, attributes = {} }: WrittenNode): Buffer {
  return message(
    ...inputs.map((name) => [1, name] as const),
    ...outputs.map((name) => [2, name] as const),
    [4, operator],
    ...Object.entries(attributes).map(([name, value]) => [5, attributeMessage(name, value)] as const),
  );
}

function attributeMessage(name: string, value: number | readonly number[]): Buffer {
  if (typeof value === 'number') return message([1, name], [3, value], [20, 2]);
  return message([1, name], ...value.map((each) => [8, each] as const), [20, 7]);
}

function valueMessage({ name, type, shape }: WrittenValue): Buffer {
  const sizes = shape.map((size) => [1, typeof size === 'number' ? message([1, size]) : message([2, size])] as const);
  return message([1, name], [2, message([1, message([1, elementTypes[type]], [2, message(...sizes)])])]);
}
