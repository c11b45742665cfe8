/** What a program in WebAssembly gets of the world: its arguments, two streams to print to, and files in memory. */
export interface MemoryWorld {
  /** The program's name first. */
  readonly arguments: readonly string[];
  /** More than this is not written: the call fails in the program. */
  readonly maxFileBytes: number;
}

/** What it left behind. */
export interface MemoryOutcome {
  readonly exitCode: number;
  /** Files it wrote, by the path it used. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** What it printed to its error stream, the first kilobytes. */
  readonly errors: string;
}

/** The part of WebAssembly's JavaScript interface that is used (its types come with browsers' only). */
export interface WasmModule {
  readonly module: never;
}
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<WasmModule>;
  instantiate(module: WasmModule, imports: object): Promise<{ readonly exports: Record<string, unknown> }>;
};

/** Compiles a module once, to be run many times. */
export function compileWasm(bytes: Uint8Array): Promise<WasmModule> {
  return WebAssembly.compile(bytes);
}

/** Results of calls, WASI snapshot preview 1 (`errno`). */
const errno = { success: 0, badDescriptor: 8, invalid: 28, noEntry: 44, noSpace: 51 } as const;
const rootDescriptor = 3;
const maxErrorBytes = 4096;

/** Thrown to leave a program that called `proc_exit`. */
class Exit extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** A file that grows as it is written. */
interface OpenFile {
  readonly path: string;
  bytes: Uint8Array;
  length: number;
  position: number;
}

/**
 * Runs a compiled WASI program (snapshot preview 1) that reads its arguments and writes files, with nothing of this
 * machine in reach: files are in memory, its input is empty, its clock stands still. Each run starts afresh.
 * Source: WebAssembly System Interface, snapshot preview 1 (`wasi_snapshot_preview1.witx`).
 *
 * @throws Error of WebAssembly where the program breaks (out of bounds, unreachable)
 */
export async function runInMemory(module: WasmModule, world: MemoryWorld): Promise<MemoryOutcome> {
  const files = new Map<string, OpenFile>();
  const open = new Map<number, OpenFile>();
  const errors: Uint8Array[] = [];
  let errorBytes = 0;
  let nextDescriptor = rootDescriptor + 1;
  let memory: { readonly buffer: ArrayBuffer };
  const view = () => new DataView(memory.buffer);
  const bytesAt = (address: number, length: number) => new Uint8Array(memory.buffer, address, length);
  const texts = world.arguments.map((text) => new TextEncoder().encode(`${text}\0`));

  const write = (descriptor: number, bytes: Uint8Array): number => {
    if (descriptor === 2 && errorBytes < maxErrorBytes) {
      errors.push(bytes.slice(0, maxErrorBytes - errorBytes));
      errorBytes += bytes.length;
    }
    if (descriptor === 1 || descriptor === 2) return errno.success;
    const file = open.get(descriptor);
    if (!file) return errno.badDescriptor;
    const end = file.position + bytes.length;
    if (end > world.maxFileBytes) return errno.noSpace;
    if (end > file.bytes.length) {
      const larger = new Uint8Array(Math.max(2 * file.bytes.length, end, 65_536));
      larger.set(file.bytes.subarray(0, file.length));
      file.bytes = larger;
    }
    file.bytes.set(bytes, file.position);
    file.position = end;
    file.length = Math.max(file.length, end);
    return errno.success;
  };

  const calls = {
    args_sizes_get(count: number, size: number): number {
      view().setUint32(count, texts.length, true);
      view().setUint32(
        size,
        texts.reduce((sum, text) => sum + text.length, 0),
        true,
      );
      return errno.success;
    },
    args_get(pointers: number, buffer: number): number {
      let address = buffer;
      for (const [index, text] of texts.entries()) {
        view().setUint32(pointers + 4 * index, address, true);
        bytesAt(address, text.length).set(text);
        address += text.length;
      }
      return errno.success;
    },
    clock_time_get(_clock: number, _precision: bigint, result: number): number {
      view().setBigUint64(result, 0n, true);
      return errno.success;
    },
    fd_close(descriptor: number): number {
      return open.delete(descriptor) ? errno.success : errno.badDescriptor;
    },
    fd_fdstat_get(descriptor: number, result: number): number {
      if (descriptor > rootDescriptor && !open.has(descriptor)) return errno.badDescriptor;
      bytesAt(result, 24).fill(0);
      // Character device, directory, regular file; all rights.
      view().setUint8(result, descriptor < rootDescriptor ? 2 : descriptor === rootDescriptor ? 3 : 4);
      view().setBigUint64(result + 8, 0xffffffffffffffffn, true);
      view().setBigUint64(result + 16, 0xffffffffffffffffn, true);
      return errno.success;
    },
    fd_fdstat_set_flags: () => errno.success,
    fd_prestat_get(descriptor: number, result: number): number {
      if (descriptor !== rootDescriptor) return errno.badDescriptor;
      view().setUint32(result, 0, true);
      view().setUint32(result + 4, 1, true);
      return errno.success;
    },
    fd_prestat_dir_name(descriptor: number, path: number, length: number): number {
      if (descriptor !== rootDescriptor || length < 1) return errno.badDescriptor;
      bytesAt(path, 1)[0] = 0x2f;
      return errno.success;
    },
    fd_read(descriptor: number, _vectors: number, _count: number, result: number): number {
      if (descriptor !== 0) return errno.badDescriptor;
      view().setUint32(result, 0, true);
      return errno.success;
    },
    fd_seek(descriptor: number, offset: bigint, from: number, result: number): number {
      const file = open.get(descriptor);
      if (!file) return errno.badDescriptor;
      const position = Number(offset) + [0, file.position, file.length][from]!;
      if (!(position >= 0 && position <= world.maxFileBytes)) return errno.invalid;
      file.position = position;
      view().setBigUint64(result, BigInt(position), true);
      return errno.success;
    },
    fd_write(descriptor: number, vectors: number, count: number, result: number): number {
      let written = 0;
      for (let index = 0; index < count; index++) {
        const address = view().getUint32(vectors + 8 * index, true);
        const length = view().getUint32(vectors + 8 * index + 4, true);
        const failed = write(descriptor, bytesAt(address, length));
        if (failed !== errno.success) return failed;
        written += length;
      }
      view().setUint32(result, written, true);
      return errno.success;
    },
    path_open(
      _folder: number,
      _lookup: number,
      path: number,
      pathLength: number,
      openFlags: number,
      _rights: bigint,
      _inheriting: bigint,
      _descriptorFlags: number,
      result: number,
    ): number {
      const creates = (openFlags & 1) === 1;
      if (!creates) return errno.noEntry;
      const name = new TextDecoder().decode(bytesAt(path, pathLength));
      const file = { path: name, bytes: new Uint8Array(0), length: 0, position: 0 };
      files.set(name, file);
      open.set(nextDescriptor, file);
      view().setUint32(result, nextDescriptor++, true);
      return errno.success;
    },
    proc_exit(exitCode: number): never {
      throw new Exit(exitCode);
    },
  };

  const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: calls });
  memory = instance.exports.memory as { readonly buffer: ArrayBuffer };
  let exitCode = 0;
  try {
    (instance.exports._start as () => void)();
  } catch (thrown) {
    if (!(thrown instanceof Exit)) throw thrown;
    exitCode = thrown.exitCode;
  }
  return {
    exitCode,
    files: new Map([...files].map(([path, { bytes, length }]) => [path, bytes.subarray(0, length)])),
    errors: new TextDecoder().decode(Buffer.concat(errors)),
  };
}
