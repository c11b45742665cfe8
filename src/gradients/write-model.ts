import { type FileHandle, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Field, message } from '../packages/protocol-message.ts';
import type { Attribute, Graph, Model, Node, Tensor, ValueInfo } from './onnx-model.ts';

/** Below so many bytes weights stand in the graph itself. */
const minExternalBytes = 1024;
const alignment = 64;

/**
 * A file that keeps the weights of several graphs once. onnxruntime maps it into memory, so that sessions of one process share
 * its pages.
 */
export interface WeightFile {
  /** Its name in the folder. */
  readonly location: string;
  /** Where a tensor lies; written at the first call for its name. Null for small ones, which stand in the graph. */
  place(name: string, tensor: Tensor): Promise<{ readonly offset: number; readonly length: number } | null>;
  /** Bytes written so far. */
  readonly bytes: number;
  close(): Promise<void>;
}

/** Creates an empty file for weights in a folder. */
export async function createWeightFile(folder: string): Promise<WeightFile> {
  const location = 'weights.bin';
  const file: FileHandle = await open(join(folder, location), 'w');
  const places = new Map<string, { offset: number; length: number }>();
  let end = 0;
  return {
    location,
    get bytes() {
      return end;
    },
    async place(name, { bytes }) {
      if (bytes.length < minExternalBytes) return null;
      const known = places.get(name);
      if (known !== undefined) return known;
      const place = { offset: Math.ceil(end / alignment) * alignment, length: bytes.length };
      places.set(name, place);
      end = place.offset + place.length;
      await file.write(bytes, 0, bytes.length, place.offset);
      return place;
    },
    close: () => file.close(),
  };
}

/** Writes a model as an ONNX file; large weights go into `weights`, beside it. */
export async function writeModel(path: string, model: Model, weights: WeightFile): Promise<void> {
  const external = new Map<string, Uint8Array>();
  for (const [name, tensor] of model.graph.weights) {
    const place = await weights.place(name, tensor);
    if (place === null) continue;
    const entries = { location: weights.location, offset: String(place.offset), length: String(place.length) };
    external.set(name, externalMessage(name, tensor, entries));
  }
  await writeFile(path, encodeModel(model, external));
}

/**
 * The bytes of an ONNX file (IR version 10).
 *
 * @param external messages in place of weights, by name
 */
export function encodeModel({ graph, operatorSets }: Model, external: ReadonlyMap<string, Uint8Array> = new Map()) {
  return message(
    [1, 10],
    [7, graphMessage(graph, external)],
    ...[...operatorSets].map(([domain, version]): Field => [8, message([1, domain], [2, version])]),
  );
}

function graphMessage(graph: Graph, external: ReadonlyMap<string, Uint8Array> = new Map()): Uint8Array {
  return message(
    ...graph.nodes.map((node): Field => [1, nodeMessage(node)]),
    [2, 'graph'],
    ...[...graph.weights].map(([name, tensor]): Field => [5, external.get(name) ?? tensorMessage(tensor, name)]),
    ...graph.inputs.map((value): Field => [11, valueMessage(value)]),
    ...graph.outputs.map((value): Field => [12, valueMessage(value)]),
  );
}

function nodeMessage({ name, operator, domain, inputs, outputs, attributes }: Node): Uint8Array {
  return message(
    ...inputs.map((input): Field => [1, input]),
    ...outputs.map((output): Field => [2, output]),
    [3, name],
    [4, operator],
    ...[...attributes].map(([key, attribute]): Field => [5, attributeMessage(key, attribute)]),
    [7, domain],
  );
}

const attributeTypes = { float: 1, int: 2, string: 3, tensor: 4, graph: 5, floats: 6, ints: 7 } as const;

function attributeMessage(name: string, attribute: Attribute): Uint8Array {
  const type: Field = [20, attributeTypes[attribute.kind]];
  switch (attribute.kind) {
    case 'float':
      return message([1, name], [2, { float: attribute.value }], type);
    case 'int':
      return message([1, name], [3, attribute.value], type);
    case 'string':
      return message([1, name], [4, attribute.value], type);
    case 'tensor':
      return message([1, name], [5, tensorMessage(attribute.value)], type);
    case 'graph':
      return message([1, name], [6, graphMessage(attribute.value)], type);
    case 'floats':
      return message([1, name], ...attribute.value.map((value): Field => [7, { float: value }]), type);
    case 'ints':
      return message([1, name], ...attribute.value.map((value): Field => [8, value]), type);
  }
}

function tensorMessage({ type, shape, bytes }: Tensor, name = ''): Uint8Array {
  return message(...shape.map((size): Field => [1, size]), [2, type], [8, name], [9, bytes]);
}

function externalMessage(name: string, { type, shape }: Tensor, entries: Readonly<Record<string, string>>): Uint8Array {
  const written = Object.entries(entries).map(([key, value]): Field => [13, message([1, key], [2, value])]);
  return message(...shape.map((size): Field => [1, size]), [2, type], [8, name], ...written, [14, 1]);
}

function valueMessage({ name, type, shape }: ValueInfo): Uint8Array {
  if (type === 0) return message([1, name]);
  const sizes = shape?.map((size): Field => [1, sizeMessage(size)]);
  const tensor = message([1, type], ...(sizes === undefined ? [] : [[2, message(...sizes)] as const]));
  return message([1, name], [2, message([1, tensor])]);
}

function sizeMessage(size: number | string | null): Uint8Array {
  if (size === null) return message();
  return typeof size === 'number' ? message([1, size]) : message([2, size]);
}
