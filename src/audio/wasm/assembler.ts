/**
 * A small assembler for WebAssembly: expressions are byte sequences that leave one value on the stack, statements leave
 * none. (WebAssembly Core Specification 2.0, sections 5.4 and 5.5.)
 */
export type Code = readonly number[];

/** Number of a local variable or parameter of the function at hand. */
export type Local = number;

/** What the body of a function is made with: its variables. */
export interface FunctionScope {
  i32(): Local;
  v128(): Local;
}

/** A function without a result, all of whose parameters are 32-bit integers. */
export interface WasmFunction {
  readonly name: string;
  readonly parameters: number;
  /** Statements; parameters are the locals 0, 1, 2, … */
  body(scope: FunctionScope): readonly Code[];
}

/** A compiled function, called with byte addresses and counts. */
export type Kernel = (...parameters: number[]) => void;

const i32Type = 0x7f;
const v128Type = 0x7b;
const emptyBlock = 0x40;

export const get = (local: Local): Code => [0x20, ...unsigned(local)];
export const set = (local: Local, value: Code): Code => [...value, 0x21, ...unsigned(local)];
/** A 32-bit integer (i32.const). */
export const integer = (value: number): Code => [0x41, ...signed(value)];
export const add = (first: Code, second: Code): Code => [...first, ...second, 0x6a];
export const subtract = (first: Code, second: Code): Code => [...first, ...second, 0x6b];
export const multiply = (first: Code, second: Code): Code => [...first, ...second, 0x6c];
/** A 32-bit integer in memory. */
export const loadInteger = (address: Code, offset = 0): Code => [...address, 0x28, 2, ...unsigned(offset)];
/** `local += bytes` */
export const advance = (local: Local, bytes: Code): Code => set(local, add(get(local), bytes));

/** Statements one after the other. */
export const sequence = (statements: readonly Code[]): Code => statements.flat();

/** Repeats the statements until the counter, 1 or more before, has been counted down to 0. */
export function countDown(counter: Local, statements: readonly Code[]): Code {
  return [
    ...[0x03, emptyBlock],
    ...sequence(statements),
    ...set(counter, subtract(get(counter), integer(1))),
    ...get(counter),
    ...[0x0d, 0, 0x0b],
  ];
}

/** What kernels work on. It does not grow. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

/** What is used of WebAssembly here: it belongs to every JavaScript engine, but Node's types leave it out. */
interface WebAssemblyInterface {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Record<string, Kernel> };
  readonly Memory: new (size: { initial: number; maximum: number }) => WasmMemory;
}
const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyInterface };

/** Memory of at least so many bytes, all 0. */
export function createMemory(bytes: number): WasmMemory {
  const pages = Math.max(1, Math.ceil(bytes / 65536));
  return new WebAssembly.Memory({ initial: pages, maximum: pages });
}

/**
 * Compiles functions that work on one memory, which is given when they are linked. Nothing waits: compilation is done when
 * this returns.
 *
 * @example
 * const link = compile([{ name: 'twice', parameters: 1, body: () => […] }]);
 * const { twice } = link(createMemory(1000));
 */
export function compile(functions: readonly WasmFunction[]): (memory: WasmMemory) => Readonly<Record<string, Kernel>> {
  const module = new WebAssembly.Module(encodeModule(functions));
  return (memory) => new WebAssembly.Instance(module, { own: { memory } }).exports;
}

/** The bytes of a module. */
function encodeModule(functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ parameters }) => [0x60, ...vector(Array(parameters).fill([i32Type])), 0]);
  const memoryImport = [...text('own'), ...text('memory'), 0x02, 0x00, 0x01];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, vector(types)),
    ...section(2, vector([memoryImport])),
    ...section(3, vector(functions.map((_, index) => unsigned(index)))),
    ...section(7, vector(functions.map(({ name }, index) => [...text(name), 0x00, ...unsigned(index)]))),
    ...section(10, vector(functions.map(encodeFunction))),
  ]);
}

function encodeFunction({ parameters, body }: WasmFunction): Code {
  const types: number[] = [];
  const declare = (type: number): Local => parameters + types.push(type) - 1;
  const statements = body({ i32: () => declare(i32Type), v128: () => declare(v128Type) });
  const code = [...vector(types.map((type) => [1, type])), ...sequence(statements), 0x0b];
  return [...unsigned(code.length), ...code];
}

function section(id: number, content: Code): Code {
  return [id, ...unsigned(content.length), ...content];
}

function vector(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()];
}

function text(value: string): Code {
  return vector([...new TextEncoder().encode(value)].map((byte) => [byte]));
}

/** LEB128, section 5.2.2. */
export function unsigned(value: number): Code {
  const bytes: number[] = [];
  for (let rest = value; ; ) {
    const low = rest & 0x7f;
    rest >>>= 7;
    if (rest === 0) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}

function signed(value: number): Code {
  const bytes: number[] = [];
  for (let rest = value; ; ) {
    const low = rest & 0x7f;
    rest >>= 7;
    const done = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
    if (done) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}
