import { compile, createMemory } from '../../wasm/assembler.ts';
import { slidingProducts } from '../../wasm/kernels.ts';

const memory = createMemory(4096);
/** Where each of them lies: one sound is coded at a time. */
const [valuesAt, placesAt, sumsAt] = [0, 1024, 2048];
/** The kinds of sums that GSM asks for: vectors of eight values, and where the next sum's place is. */
const kinds = { lags: [5, -1], autocorrelation: [20, -1], weighting: [2, 1] } as const;

let kernels: ReturnType<ReturnType<typeof compile>> | null = null;

/** What is multiplied: as many as the kind has, silence behind. */
export const factors = new Int16Array(memory.buffer, valuesAt, 160);
/** What it is multiplied with. */
export const places = new Int16Array(memory.buffer, placesAt, 280);
export const sums = new Int32Array(memory.buffer, sumsAt, 81);

/** Writes so many sums of products of the factors with those from a place on, the next place, and so on. */
export function sumProducts(kind: keyof typeof kinds, place: number, count: number): void {
  kernels ??= compile(Object.entries(kinds).map(([name, [vectors, step]]) => slidingProducts(name, vectors, step)))(
    memory,
  );
  kernels[kind]!(valuesAt, placesAt + 2 * place, sumsAt, count);
}
