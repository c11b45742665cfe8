import { closeSync, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { putInPlace } from '../base/on-disk.ts';
import type { BuiltIndex } from './build-index.ts';
import {
  type FileColumns,
  type IndexHeader,
  type IndexOf,
  orderBy,
  type ReadColumn,
  type RowColumns,
  sortKeys,
} from './index-columns.ts';
import { type NumberArray, unfinishedViewFile } from './view-files.ts';

type Kind = { readonly BYTES_PER_ELEMENT: number; new (buffer: ArrayBuffer, at: number, length: number): NumberArray };

const rowColumns = {
  ...{
    utterance: Uint32Array,
    condition: Uint16Array,
    recognizer: Uint16Array,
    draw: Uint16Array,
    repeat: Uint16Array,
  },
  ...{ failure: Uint8Array, answer: Uint32Array, words: Int32Array, errors: Int32Array, insertions: Int32Array },
  ...{ loss: Float32Array, disagreement: Float32Array, seconds: Float32Array, codes: Uint32Array },
} as const satisfies Record<keyof RowColumns, Kind>;

const fileColumns = {
  ...{ text: Uint8Array, textStart: Uint32Array, utteranceText: Uint8Array, utteranceTextStart: Uint32Array },
  ...{ confusions: Uint32Array, confusionStart: Uint32Array, pairs: Uint32Array },
  ...{ said: Uint32Array, saidStart: Uint32Array, lexicon: Uint8Array, orders: Uint32Array },
} as const satisfies Record<keyof FileColumns, Kind>;

/** At its end a file has its header, and at its beginning where that is. */
interface Head {
  readonly header: IndexHeader;
  /** Where each column begins, in bytes, and how many numbers it has. */
  readonly places: Readonly<Record<string, readonly [at: number, length: number]>>;
}

const headPlaceBytes = 16;
const bufferBytes = 1 << 20;

/** An index that is being written; its texts come first, one after the other. */
export interface IndexWriter extends Disposable {
  putText(bytes: Uint8Array): void;
  /** Puts it in place whole; for its owner's eyes alone. */
  finish(built: BuiltIndex): void;
}

/**
 * @example
 * using writer = createIndexWriter(file);
 * writer.finish(await buildIndex(store, run, of, { normalizer, putText: writer.putText, told }));
 */
export function createIndexWriter(file: string): IndexWriter {
  const half = unfinishedViewFile(file);
  const handle = openSync(half, 'w', 0o600);
  let isOpen = true;
  const buffer = new Uint8Array(bufferBytes);
  let [filled, at] = [0, headPlaceBytes];
  const write = (bytes: Uint8Array) => {
    for (let from = 0; from < bytes.length; ) from += writeSync(handle, bytes, from);
  };
  const flush = () => {
    write(buffer.subarray(0, filled));
    filled = 0;
  };
  const put = (bytes: Uint8Array) => {
    at += bytes.length;
    if (filled + bytes.length > buffer.length) flush();
    if (bytes.length > buffer.length) return write(bytes);
    buffer.set(bytes, filled);
    filled += bytes.length;
  };
  const close = () => {
    if (isOpen) closeSync(handle);
    isOpen = false;
  };
  write(new Uint8Array(headPlaceBytes));
  return {
    putText: put,
    finish({ header, columns, others }) {
      const places: Record<string, readonly [number, number]> = { text: [headPlaceBytes, at - headPlaceBytes] };
      const begin = (name: string, length: number) => {
        put(new Uint8Array((8 - (at % 8)) % 8));
        places[name] = [at, length];
      };
      const bytesOf = ({ buffer, byteOffset, byteLength }: NumberArray) =>
        new Uint8Array(buffer, byteOffset, byteLength);
      for (const [name, column] of Object.entries({ ...columns, ...others }) as [string, NumberArray][]) {
        begin(name, column.length);
        put(bytesOf(column));
      }
      begin('orders', sortKeys.length * (header.rows + 1));
      for (const key of sortKeys) put(bytesOf(orderBy(columns, key)));
      const headAt = at;
      put(new TextEncoder().encode(JSON.stringify({ header, places } satisfies Head)));
      flush();
      writeSync(handle, Float64Array.of(headAt, at), 0, headPlaceBytes, 0);
      close();
      putInPlace(half, file);
    },
    [Symbol.dispose]() {
      close();
      rmSync(half, { force: true });
    },
  };
}

/** An index in a file, which stays open. */
export interface OpenIndex {
  readonly header: IndexHeader;
  readonly columns: RowColumns;
  readonly read: ReadColumn;
  close(): void;
}

/** Null where there is none, it is damaged, or it is of something else. */
export function openIndex(file: string, of: IndexOf): OpenIndex | null {
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch {
    return null;
  }
  let opened: OpenIndex | null = null;
  try {
    opened = readHead(handle, of);
  } catch {
    // It is made again.
  }
  if (opened === null) closeSync(handle);
  return opened;
}

function readHead(handle: number, of: IndexOf): OpenIndex | null {
  const { size } = fstatSync(handle);
  if (size < headPlaceBytes) return null;
  const [headAt = 0, end = 0] = new Float64Array(bytesAt(handle, 0, headPlaceBytes));
  if (end !== size || !(headAt >= headPlaceBytes && headAt <= size)) return null;
  const head = JSON.parse(new TextDecoder().decode(bytesAt(handle, headAt, size - headAt))) as Head;
  const { header, places } = head;
  if (JSON.stringify(header.of) !== JSON.stringify(of)) return null;
  const columns = Object.fromEntries(
    Object.entries(rowColumns).map(([name, Column]: [string, Kind]) => {
      const [at, length] = places[name]!;
      return [name, new Column(bytesAt(handle, at, length * Column.BYTES_PER_ELEMENT), 0, length)];
    }),
  ) as unknown as RowColumns;
  // Of each column a buffer that grows to the largest piece that was asked for.
  const buffers = new Map<string, ArrayBuffer>();
  return {
    header,
    columns,
    read(name, from = 0, to) {
      const [at, length] = places[name]!;
      const Column: Kind = fileColumns[name];
      const first = Math.min(from, length);
      const count = Math.max(0, Math.min(to ?? length, length) - first);
      const bytes = count * Column.BYTES_PER_ELEMENT;
      const known = buffers.get(name);
      const buffer = known !== undefined && known.byteLength >= bytes ? known : new ArrayBuffer(bytes);
      buffers.set(name, buffer);
      fill(handle, new Uint8Array(buffer, 0, bytes), at + first * Column.BYTES_PER_ELEMENT);
      return new Column(buffer, 0, count) as FileColumns[typeof name];
    },
    close: () => closeSync(handle),
  };
}

function bytesAt(handle: number, at: number, length: number): ArrayBuffer {
  const buffer = new ArrayBuffer(length);
  fill(handle, new Uint8Array(buffer), at);
  return buffer;
}

function fill(handle: number, bytes: Uint8Array, at: number): void {
  for (let from = 0; from < bytes.length; ) {
    const read = readSync(handle, bytes, from, bytes.length - from, at + from);
    if (read === 0) throw new Error('the index ends too early');
    from += read;
  }
}
