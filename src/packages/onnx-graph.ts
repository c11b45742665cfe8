import { type FileHandle, open } from 'node:fs/promises';

/** What an ONNX file says of itself, weights not read. */
export interface OnnxGraph {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /**
   * Numbers in its weights. Scales and zero points of quantized ones do not count, nor what is no matrix of two dimensions or
   * more and no float; a matrix that is stored twice (tied embeddings) counts twice.
   */
  readonly parameters: number;
  /** Files beside it in which it keeps weights, in alphabetical order. */
  readonly externalFiles: readonly string[];
  /** Its own entries (`metadata_props`). */
  readonly metadata: ReadonlyMap<string, string>;
}

/** More than any graph has; ends the reading of a file that is none. */
const maxFields = 4_000_000;
const deepest = 24;
const pageBytes = 1 << 16;
/** Strings and shapes are small; what is longer is weights, and is stepped over. */
const longestText = 1 << 16;

/**
 * Reads the structure of an ONNX file (onnx.proto, IR version 3 and later) without its weights: a file of gigabytes takes
 * milliseconds.
 *
 * @returns null where the file is no ONNX model, or is cut off
 * @throws what the file system says where it cannot be read
 * @example (await readOnnxGraph('onnx/model.onnx'))?.inputs // ['input_values']
 */
export async function readOnnxGraph(path: string): Promise<OnnxGraph | null> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const reading = new Reading(new Pages(file), size);
    return await reading.model();
  } catch (error) {
    if (error instanceof NoOnnx) return null;
    throw error;
  } finally {
    await file.close();
  }
}

class NoOnnx extends Error {}

/** Reads bytes at any place, a page at a time. */
class Pages {
  readonly #file: FileHandle;
  #page = Buffer.alloc(0);
  #start = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async byte(at: number): Promise<number> {
    if (at < this.#start || at >= this.#start + this.#page.length) await this.#turnTo(at);
    const value = this.#page[at - this.#start];
    if (value === undefined) throw new NoOnnx();
    return value;
  }

  async text(at: number, length: number): Promise<string> {
    const { bytesRead, buffer } = await this.#file.read(Buffer.alloc(length), 0, length, at);
    if (bytesRead < length) throw new NoOnnx();
    return buffer.toString('utf8');
  }

  async #turnTo(at: number): Promise<void> {
    const { bytesRead, buffer } = await this.#file.read(Buffer.alloc(pageBytes), 0, pageBytes, at);
    this.#page = buffer.subarray(0, bytesRead);
    this.#start = at;
  }
}

interface Field {
  readonly number: number;
  /** The value of a varint; else where the content begins. */
  readonly value: number;
  /** Bytes of the content; -1 for a varint. */
  readonly length: number;
}

/** One way through a file. */
class Reading {
  readonly #pages: Pages;
  readonly #size: number;
  #fields = 0;
  #parameters = 0;
  readonly #inputs: string[] = [];
  readonly #outputs: string[] = [];
  readonly #weights = new Set<string>();
  readonly #external = new Set<string>();
  readonly #metadata = new Map<string, string>();

  constructor(pages: Pages, size: number) {
    this.#pages = pages;
    this.#size = size;
  }

  /** ModelProto: graph 7, metadata_props 14. */
  async model(): Promise<OnnxGraph> {
    let graphs = 0;
    for await (const field of this.#fieldsIn(0, this.#size)) {
      if (field.number === 7 && field.length >= 0) {
        graphs++;
        await this.#graph(field, 0);
      } else if (field.number === 14) {
        const { key, value } = await this.#entry(field);
        this.#metadata.set(key, value);
      }
    }
    if (graphs !== 1 || this.#outputs.length === 0) throw new NoOnnx();
    return {
      // Weights of old files stand among the inputs too.
      inputs: this.#inputs.filter((name) => !this.#weights.has(name)),
      outputs: this.#outputs,
      parameters: this.#parameters,
      externalFiles: [...this.#external].sort(),
      metadata: this.#metadata,
    };
  }

  /** GraphProto: node 1, initializer 5, input 11, output 12. */
  async #graph(graph: Field, depth: number): Promise<void> {
    if (depth > deepest) throw new NoOnnx();
    for await (const field of this.#fieldsIn(graph.value, graph.value + graph.length)) {
      if (field.number === 1) await this.#node(field, depth);
      else if (field.number === 5) await this.#tensor(field);
      else if (depth === 0 && field.number === 11) this.#inputs.push(await this.#nameIn(field));
      else if (depth === 0 && field.number === 12) this.#outputs.push(await this.#nameIn(field));
    }
  }

  /** NodeProto: attribute 5; AttributeProto: t 5, g 6, tensors 10, graphs 11. */
  async #node(node: Field, depth: number): Promise<void> {
    for await (const attribute of this.#fieldsIn(node.value, node.value + node.length)) {
      if (attribute.number !== 5 || attribute.length < 0) continue;
      for await (const field of this.#fieldsIn(attribute.value, attribute.value + attribute.length)) {
        if (field.length < 0) continue;
        if (field.number === 6 || field.number === 11) await this.#graph(field, depth + 1);
        else if (field.number === 5 || field.number === 10) await this.#tensor(field);
      }
    }
  }

  /** TensorProto: dims 1, data_type 2, name 8, external_data 13. */
  async #tensor(tensor: Field): Promise<void> {
    let name = '';
    let type = 0;
    const dimensions: number[] = [];
    for await (const field of this.#fieldsIn(tensor.value, tensor.value + tensor.length)) {
      if (field.number === 1) dimensions.push(...(await this.#numbers(field)));
      else if (field.number === 2) type = field.value;
      else if (field.number === 8) name = await this.#textOf(field);
      else if (field.number === 13) {
        const { key, value } = await this.#entry(field);
        if (key === 'location') this.#external.add(value);
      }
    }
    this.#weights.add(name);
    if (isWeight(name, type, dimensions)) this.#parameters += dimensions.reduce((product, size) => product * size, 1);
  }

  /** ValueInfoProto: name 1. */
  async #nameIn(value: Field): Promise<string> {
    for await (const field of this.#fieldsIn(value.value, value.value + value.length)) {
      if (field.number === 1) return this.#textOf(field);
    }
    throw new NoOnnx();
  }

  /** StringStringEntryProto: key 1, value 2. */
  async #entry(entry: Field): Promise<{ key: string; value: string }> {
    let key = '';
    let value = '';
    for await (const field of this.#fieldsIn(entry.value, entry.value + entry.length)) {
      if (field.number === 1) key = await this.#textOf(field);
      else if (field.number === 2 && field.length <= longestText) value = await this.#textOf(field);
    }
    return { key, value };
  }

  /** One number, or many in one field (packed). */
  async #numbers(field: Field): Promise<number[]> {
    if (field.length < 0) return [field.value];
    const found: number[] = [];
    for (let at = field.value; at < field.value + field.length; ) {
      const [value, next] = await this.#varint(at);
      found.push(value);
      at = next;
    }
    return found;
  }

  async #textOf(field: Field): Promise<string> {
    if (field.length < 0 || field.length > longestText) throw new NoOnnx();
    return this.#pages.text(field.value, field.length);
  }

  async *#fieldsIn(start: number, end: number): AsyncGenerator<Field> {
    for (let at = start; at < end; ) {
      if (++this.#fields > maxFields) throw new NoOnnx();
      const [tag, afterTag] = await this.#varint(at);
      const number = tag >>> 3;
      switch (tag & 7) {
        case 0: {
          const [value, next] = await this.#varint(afterTag);
          at = next;
          yield { number, value, length: -1 };
          break;
        }
        case 1:
          at = afterTag + 8;
          break;
        case 2: {
          const [length, content] = await this.#varint(afterTag);
          at = content + length;
          if (at > end) throw new NoOnnx();
          yield { number, value: content, length };
          break;
        }
        case 5:
          at = afterTag + 4;
          break;
        default:
          throw new NoOnnx();
      }
      if (at > end || number === 0) throw new NoOnnx();
    }
  }

  /** A number of up to 53 bits and where it ends. */
  async #varint(at: number): Promise<[value: number, next: number]> {
    let value = 0;
    let factor = 1;
    for (let place = at; place < at + 10; place++) {
      const byte = await this.#pages.byte(place);
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return [value, place + 1];
      factor *= 128;
    }
    throw new NoOnnx();
  }
}

/** FLOAT, FLOAT16, DOUBLE, BFLOAT16; and whole numbers of 8 bits or fewer, which quantization makes of weights. */
const floatTypes: ReadonlySet<number> = new Set([1, 10, 11, 16]);
const quantizedTypes: ReadonlySet<number> = new Set([2, 3, 21, 22]);

function isWeight(name: string, type: number, dimensions: readonly number[]): boolean {
  if (/_(scale|scales|zero_point|zero_points)$/i.test(name)) return false;
  if (floatTypes.has(type)) return dimensions.length > 0;
  return quantizedTypes.has(type) && dimensions.length > 1;
}
