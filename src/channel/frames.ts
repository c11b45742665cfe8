import type { Readable } from 'node:stream';

const types = {
  u8: Uint8Array<ArrayBuffer>,
  i16: Int16Array<ArrayBuffer>,
  i32: Int32Array<ArrayBuffer>,
  u32: Uint32Array<ArrayBuffer>,
  f32: Float32Array<ArrayBuffer>,
  f64: Float64Array<ArrayBuffer>,
};
type TypeName = keyof typeof types;
const typeNames = Object.keys(types) as TypeName[];

/** Numbers that go as they lie in memory. */
export type NumberArray = InstanceType<(typeof types)[TypeName]>;
export type Arrays = Readonly<Record<string, NumberArray>>;

/** What goes at once: data, and the arrays beside it. */
export interface Frame<Header> {
  readonly header: Header;
  readonly arrays: Arrays;
}

/** How the arrays of a frame are told in its JSON: name, type, bytes. */
type Told = { readonly arrays: readonly (readonly [string, TypeName, number])[] };

/** Writes a frame: 4 bytes (lowest first) that say how long its JSON is, the JSON, the arrays. `python/earwitness/channel.py` is the other end. */
export function writeFrame(write: (bytes: Uint8Array) => unknown, header: object, arrays: Arrays = {}): void {
  const entries = Object.entries(arrays);
  const told: Told = { arrays: entries.map(([name, array]) => [name, typeName(array), array.byteLength]) };
  const text = Buffer.from(JSON.stringify({ ...header, ...told }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  write(Buffer.concat([length, text]));
  for (const [, { buffer, byteOffset, byteLength }] of entries) {
    if (byteLength > 0) write(Buffer.from(buffer, byteOffset, byteLength));
  }
}

function typeName(array: NumberArray): TypeName {
  return typeNames.find((name) => array instanceof types[name])!;
}

/** The frames that come, until the input ends. */
export async function* readFrames<Header>(input: Readable): AsyncGenerator<Frame<Header>> {
  const bytes = createBytes(input);
  for (;;) {
    const length = await bytes(4);
    if (length === null) return;
    const text = await bytes(new DataView(length).getUint32(0, true));
    if (text === null) return;
    const { arrays: told, ...header } = JSON.parse(Buffer.from(text).toString()) as Told & Header;
    const arrays: Record<string, NumberArray> = {};
    for (const [name, type, size] of told) {
      const block = await bytes(size);
      if (block === null) return;
      arrays[name] = new types[type](block);
    }
    yield { header: header as Header, arrays };
  }
}

/** Reads as many bytes as are asked for; null where the input ends before. */
function createBytes(input: Readable): (count: number) => Promise<ArrayBuffer | null> {
  const source = input[Symbol.asyncIterator]();
  let chunk: Uint8Array = new Uint8Array(0);
  return async (count) => {
    const whole = new Uint8Array(count);
    let filled = 0;
    while (filled < count) {
      if (chunk.length === 0) {
        const next: IteratorResult<Uint8Array> = await source.next();
        if (next.done) return null;
        chunk = next.value;
      }
      const part = chunk.subarray(0, count - filled);
      whole.set(part, filled);
      filled += part.length;
      chunk = chunk.subarray(part.length);
    }
    return whole.buffer;
  };
}
