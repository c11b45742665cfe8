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
