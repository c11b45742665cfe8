import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { badInput } from '../base/errors.ts';
import { readOnnxGraph } from '../packages/onnx-graph.ts';
import {
  type Attribute,
  bytesOf,
  elementTypes,
  type Graph,
  type Model,
  type Node,
  type Tensor,
  type ValueInfo,
} from './onnx-model.ts';

/**
 * Reads an ONNX file (onnx.proto, IR version 3 and later) whole, with weights that it keeps in files beside it. Weights stay
 * views of the bytes that were read.
 *
 * @throws EarwitnessError `bad-input`: it is no ONNX file, or keeps weights outside of its folder
 * @throws what the file system says where it cannot be read
 * @example (await readModel('onnx/model.onnx')).graph.nodes.length
 */
export async function readModel(path: string): Promise<Model> {
  const beside = new Map<string, Uint8Array>();
  const bytes = await readFile(path);
  for (const location of (await readOnnxGraph(path))?.externalFiles ?? []) {
    if (isAbsolute(location) || relative('.', location).startsWith('..')) {
      throw badInput(`expected the weights of ${path} beside it, but it names ${location}; take another export`);
    }
    beside.set(location, await readFile(join(dirname(path), location)));
  }
  return decodeModel(bytes, beside);
}

/**
 * The model in the bytes of an ONNX file.
 *
 * @param beside contents of the files that keep its weights, by name
 * @throws EarwitnessError `bad-input`: they are none, or cut off
 */
export function decodeModel(bytes: Uint8Array, beside: ReadonlyMap<string, Uint8Array> = new Map()): Model {
  try {
    const operatorSets = new Map<string, number>();
    let graph: Graph | null = null;
    for (const field of fieldsOf(bytes)) {
      if (field.number === 7) graph = graphOf(field.bytes, beside);
      else if (field.number === 8) {
        const set = [...fieldsOf(field.bytes)];
        operatorSets.set(domainName(textIn(set, 1)), numberIn(set, 2));
      }
    }
    if (graph !== null && graph.outputs.length > 0) return { graph, operatorSets };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw badInput('expected an ONNX model, but these bytes are none or are cut off; copy it again');
}

function domainName(domain: string): string {
  return domain === 'ai.onnx' ? '' : domain;
}

interface Field {
  readonly number: number;
  /** Of whole numbers; others have bytes. */
  readonly value: bigint;
  readonly bytes: Uint8Array;
}

const noBytes = new Uint8Array(0);

/** Fields of a message of protocol buffers. */
function* fieldsOf(message: Uint8Array): Generator<Field> {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = view.getUint8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
      if (shift > 63n) throw new RangeError('a number without an end');
    }
  };
  const piece = (length: number): Uint8Array => {
    if (length < 0 || at + length > message.length) throw new RangeError('cut off');
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = Number(varint());
    const number = tag >>> 3;
    switch (tag & 7) {
      case 0:
        yield { number, value: varint(), bytes: noBytes };
        break;
      case 1:
        yield { number, value: 0n, bytes: piece(8) };
        break;
      case 2:
        yield { number, value: 0n, bytes: piece(Number(varint())) };
        break;
      case 5:
        yield { number, value: 0n, bytes: piece(4) };
        break;
      default:
        throw new RangeError('no message');
    }
  }
}

const utf8 = new TextDecoder();

function textIn(fields: readonly Field[], number: number): string {
  const found = fields.findLast((field) => field.number === number);
  return found === undefined ? '' : utf8.decode(found.bytes);
}

function numberIn(fields: readonly Field[], number: number): number {
  return Number(fields.findLast((field) => field.number === number)?.value ?? 0);
}

function textsIn(fields: readonly Field[], number: number): string[] {
  return fields.filter((field) => field.number === number).map((field) => utf8.decode(field.bytes));
}

/** Repeated whole numbers, one a field or many in one (packed). */
function integersIn(fields: readonly Field[], number: number): bigint[] {
  return fields
    .filter((field) => field.number === number)
    .flatMap((field) => {
      if (field.bytes === noBytes) return [field.value];
      const found: bigint[] = [];
      let value = 0n;
      let shift = 0n;
      for (const byte of field.bytes) {
        value |= BigInt(byte & 0x7f) << shift;
        shift += 7n;
        if (byte >= 0x80) continue;
        found.push(BigInt.asIntN(64, value));
        value = 0n;
        shift = 0n;
      }
      return found;
    });
}

function floatsIn(fields: readonly Field[], number: number): number[] {
  return fields
    .filter((field) => field.number === number)
    .flatMap(({ bytes }) => {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return Array.from({ length: bytes.length / 4 }, (_, index) => view.getFloat32(4 * index, true));
    });
}

/** GraphProto: node 1, initializer 5, input 11, output 12. */
function graphOf(message: Uint8Array, beside: ReadonlyMap<string, Uint8Array>): Graph {
  const nodes: Node[] = [];
  const weights = new Map<string, Tensor>();
  const inputs: ValueInfo[] = [];
  const outputs: ValueInfo[] = [];
  for (const { number, bytes } of fieldsOf(message)) {
    if (number === 1) nodes.push(nodeOf(bytes, beside));
    else if (number === 5) {
      const { name, tensor } = tensorOf(bytes, beside);
      weights.set(name, tensor);
    } else if (number === 11) inputs.push(valueInfoOf(bytes));
    else if (number === 12) outputs.push(valueInfoOf(bytes));
  }
  // Weights of old files stand among the inputs too.
  return { nodes, weights, inputs: inputs.filter(({ name }) => !weights.has(name)), outputs };
}

/** NodeProto: input 1, output 2, name 3, op_type 4, attribute 5, domain 7. */
function nodeOf(message: Uint8Array, beside: ReadonlyMap<string, Uint8Array>): Node {
  const fields = [...fieldsOf(message)];
  const attributes = fields
    .filter((field) => field.number === 5)
    .flatMap((field): [string, Attribute][] => {
      const parts = [...fieldsOf(field.bytes)];
      const attribute = attributeOf(parts, beside);
      return attribute === null ? [] : [[textIn(parts, 1), attribute]];
    });
  return {
    name: textIn(fields, 3),
    operator: textIn(fields, 4),
    domain: domainName(textIn(fields, 7)),
    inputs: textsIn(fields, 1),
    outputs: textsIn(fields, 2),
    attributes: new Map(attributes),
  };
}

/** AttributeProto: f 2, i 3, s 4, t 5, g 6, floats 7, ints 8, type 20. */
function attributeOf(fields: readonly Field[], beside: ReadonlyMap<string, Uint8Array>): Attribute | null {
  const last = (number: number) => fields.findLast((field) => field.number === number)?.bytes ?? noBytes;
  switch (numberIn(fields, 20)) {
    case 1:
      return { kind: 'float', value: floatsIn(fields, 2)[0] ?? 0 };
    case 2:
      return { kind: 'int', value: numberIn(fields, 3) };
    case 3:
      return { kind: 'string', value: textIn(fields, 4) };
    case 4:
      return { kind: 'tensor', value: tensorOf(last(5), beside).tensor };
    case 5:
      return { kind: 'graph', value: graphOf(last(6), beside) };
    case 6:
      return { kind: 'floats', value: floatsIn(fields, 7) };
    case 7:
      return { kind: 'ints', value: integersIn(fields, 8).map(Number) };
    default:
      return null;
  }
}

/** ValueInfoProto: name 1, type 2 { tensor_type 1 { elem_type 1, shape 2 { dim 1 { dim_value 1, dim_param 2 } } } }. */
function valueInfoOf(message: Uint8Array): ValueInfo {
  const fields = [...fieldsOf(message)];
  const inside = (outer: readonly Field[], number: number) =>
    outer.flatMap((field) => (field.number === number ? [...fieldsOf(field.bytes)] : []));
  const tensor = inside(inside(fields, 2), 1);
  const shape = tensor.some((field) => field.number === 2)
    ? inside(tensor, 2).map((dimension) => {
        const parts = [...fieldsOf(dimension.bytes)];
        if (parts.some((part) => part.number === 1)) return numberIn(parts, 1);
        return textIn(parts, 2) || null;
      })
    : null;
  return { name: textIn(fields, 1), type: numberIn(tensor, 1), shape };
}

/** TensorProto: dims 1, data_type 2, float_data 4, int32_data 5, int64_data 7, name 8, raw_data 9, double_data 10, external_data 13. */
function tensorOf(message: Uint8Array, beside: ReadonlyMap<string, Uint8Array>): { name: string; tensor: Tensor } {
  const fields = [...fieldsOf(message)];
  const type = numberIn(fields, 2);
  const shape = integersIn(fields, 1).map(Number);
  const raw = fields.findLast((field) => field.number === 9)?.bytes;
  const bytes = raw ?? externalBytes(fields, beside) ?? listedBytes(fields, type);
  const size = elementBytes.get(type);
  if (size !== undefined && bytes.length !== size * shape.reduce((product, each) => product * each, 1)) {
    throw new RangeError('a tensor is cut off');
  }
  return { name: textIn(fields, 8), tensor: { type, shape, bytes } };
}

/** How many bytes a number of a type has. */
const elementBytes: ReadonlyMap<number, number> = new Map([
  [elementTypes.float, 4],
  [elementTypes.uint8, 1],
  [elementTypes.int8, 1],
  [elementTypes.int32, 4],
  [elementTypes.int64, 8],
  [elementTypes.bool, 1],
  [elementTypes.float16, 2],
  [elementTypes.double, 8],
]);

function externalBytes(fields: readonly Field[], beside: ReadonlyMap<string, Uint8Array>): Uint8Array | null {
  const entries = externalEntries(fields);
  if (entries.size === 0) return null;
  const content = beside.get(entries.get('location') ?? '');
  if (content === undefined) throw new RangeError('weights are missing');
  const offset = Number(entries.get('offset') ?? 0);
  return content.subarray(offset, offset + Number(entries.get('length') ?? content.length - offset));
}

function externalEntries(fields: readonly Field[]): Map<string, string> {
  const entries = fields.filter((field) => field.number === 13).map((field) => [...fieldsOf(field.bytes)]);
  return new Map(entries.map((entry) => [textIn(entry, 1), textIn(entry, 2)]));
}

function listedBytes(fields: readonly Field[], type: number): Uint8Array {
  if (type === elementTypes.float) return bytesOf(Float32Array.from(floatsIn(fields, 4)));
  if (type === elementTypes.int64) return bytesOf(BigInt64Array.from(integersIn(fields, 7)));
  if (type === elementTypes.double) {
    return Uint8Array.from(fields.filter((field) => field.number === 10).flatMap(({ bytes }) => [...bytes]));
  }
  const integers = integersIn(fields, 5).map(Number);
  if (type === elementTypes.int32) return bytesOf(Int32Array.from(integers));
  if (type === elementTypes.float16) return bytesOf(Uint16Array.from(integers));
  return Uint8Array.from(integers);
}
