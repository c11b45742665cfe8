import { badInput, type EarwitnessError } from '../base/errors.ts';

/** Numbers of onnx.proto's `TensorProto.DataType` that are used here. */
export const elementTypes = {
  float: 1,
  uint8: 2,
  int8: 3,
  int32: 6,
  int64: 7,
  bool: 9,
  float16: 10,
  double: 11,
} as const;

/** Values that a graph holds: raw bytes, little-endian, row by row. */
export interface Tensor {
  readonly type: number;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

export type Attribute =
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'int'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'tensor'; readonly value: Tensor }
  | { readonly kind: 'graph'; readonly value: Graph }
  | { readonly kind: 'floats'; readonly value: readonly number[] }
  | { readonly kind: 'ints'; readonly value: readonly number[] };

export interface Node {
  readonly name: string;
  readonly operator: string;
  /** Empty for those of the standard. */
  readonly domain: string;
  /** Empty names stand for what is left out. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: ReadonlyMap<string, Attribute>;
}

/** What goes in or comes out. A size that is not fixed is its name, or null. */
export interface ValueInfo {
  readonly name: string;
  readonly type: number;
  readonly shape: readonly (number | string | null)[] | null;
}

export interface Graph {
  readonly nodes: readonly Node[];
  readonly weights: ReadonlyMap<string, Tensor>;
  readonly inputs: readonly ValueInfo[];
  readonly outputs: readonly ValueInfo[];
}

/** A graph with the versions of operator sets that it was written for, by domain. */
export interface Model {
  readonly graph: Graph;
  readonly operatorSets: ReadonlyMap<string, number>;
}

/** The bytes of numbers, not copied. */
export function bytesOf(numbers: ArrayBufferView): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

/** How many numbers a shape holds. */
export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** @example floatTensor([1, 2, 3], [3]) */
export function floatTensor(values: ArrayLike<number>, shape: readonly number[]): Tensor {
  const numbers = values instanceof Float32Array ? values : Float32Array.from(values);
  return { type: elementTypes.float, shape, bytes: bytesOf(numbers) };
}

/** A list of whole numbers, or a tensor of them. */
export function integerTensor(values: readonly number[], shape: readonly number[] = [values.length]): Tensor {
  return { type: elementTypes.int64, shape, bytes: bytesOf(BigInt64Array.from(values, BigInt)) };
}

/** One truth value. */
export function booleanTensor(value: boolean): Tensor {
  return { type: elementTypes.bool, shape: [1], bytes: Uint8Array.of(value ? 1 : 0) };
}

/** Types whose tensors have a gradient. */
export function isFloat(type: number): boolean {
  return type === elementTypes.float || type === elementTypes.double;
}

/**
 * The numbers of a tensor of 32-bit floats; a view where the bytes lie right for one.
 *
 * @throws EarwitnessError `bad-input` for other types
 */
export function floatsOf({ type, bytes }: Tensor): Float32Array {
  if (type !== elementTypes.float) throw wrongType('32-bit floats', type);
  return viewOf(bytes, Float32Array);
}

/**
 * The whole numbers of a tensor (truth values as 0 and 1).
 *
 * @throws EarwitnessError `bad-input` for tensors of floats
 */
export function integersOf({ type, bytes }: Tensor): number[] {
  switch (type) {
    case elementTypes.int64:
      return Array.from(viewOf(bytes, BigInt64Array), Number);
    case elementTypes.int32:
      return Array.from(viewOf(bytes, Int32Array));
    case elementTypes.int8:
      return Array.from(viewOf(bytes, Int8Array));
    case elementTypes.uint8:
    case elementTypes.bool:
      return Array.from(bytes);
    default:
      throw wrongType('whole numbers', type);
  }
}

/** Any numbers, as doubles; for small tensors. */
export function numbersOf(tensor: Tensor): number[] {
  if (tensor.type === elementTypes.double) return Array.from(viewOf(tensor.bytes, Float64Array));
  return tensor.type === elementTypes.float ? Array.from(floatsOf(tensor)) : integersOf(tensor);
}

interface View<Numbers> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBufferLike, offset: number, length: number): Numbers;
}

function viewOf<Numbers>(bytes: Uint8Array, Kind: View<Numbers>): Numbers {
  const size = Kind.BYTES_PER_ELEMENT;
  const aligned = bytes.byteOffset % size === 0 ? bytes : new Uint8Array(bytes);
  return new Kind(aligned.buffer, aligned.byteOffset, aligned.byteLength / size);
}

function wrongType(expected: string, type: number): EarwitnessError {
  const name = Object.entries(elementTypes).find(([, number]) => number === type)?.[0] ?? `type ${type}`;
  return badInput(`expected ${expected} in the graph, but got ${name}; take an export with 32-bit floats`);
}

/** 8-bit whole numbers as floats; fast, for large weights. */
export function quantizedFloats({ type, bytes, shape }: Tensor, zeroPoint = 0): Tensor {
  const numbers = type === elementTypes.int8 ? viewOf(bytes, Int8Array) : bytes;
  const floats = new Float32Array(numbers.length);
  for (let index = 0; index < floats.length; index++) floats[index] = numbers[index]! - zeroPoint;
  return floatTensor(floats, shape);
}
