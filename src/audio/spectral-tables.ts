import { fftRadices } from './fft.ts';
import type { WasmMemory } from './wasm/assembler.ts';
import { complexBytes } from './wasm/vectors.ts';

/** What a block is multiplied by, bin for bin. */
export interface Response {
  readonly real: Float64Array;
  /** Null: zero. */
  readonly imaginary: Float64Array | null;
}

/** A pass over a transform. */
export interface FftStage {
  readonly radix: number;
  readonly blocks: number;
  /** Butterflies within a block; 1 in the last stage, which turns nothing. */
  readonly inner: number;
  readonly twiddles: number;
}

/** @throws RangeError for a prime factor above 61 */
export function transformRadices(size: number): number[] {
  const radices = fftRadices(size);
  if (radices === null) throw new RangeError(`expected blocks whose halves have small prime factors, got ${size}`);
  // The last stage has no factors to multiply by: a radix of 4 saves most there.
  return radices.reverse();
}

/** The passes of a transform from the whole to single numbers, with room for their tables. */
export function stagesOf(size: number, radices: readonly number[], reserve: (bytes: number) => number): FftStage[] {
  let length = size;
  return radices.map((radix) => {
    const blocks = size / length;
    length /= radix;
    const twiddles = reserve(length === 1 ? 0 : 8 * length * (radix - 1));
    return { radix, blocks, inner: length, twiddles };
  });
}

export function writeTwiddles({ radix, inner, twiddles }: FftStage, memory: WasmMemory): void {
  if (inner === 1) return;
  const numbers = new Float32Array(memory.buffer, twiddles, 2 * inner * (radix - 1));
  const length = inner * radix;
  for (let j = 0, at = 0; j < inner; j++) {
    for (let k = 1; k < radix; k++) {
      const angle = (-2 * Math.PI * ((j * k) % length)) / length;
      numbers[at++] = Math.cos(angle);
      numbers[at++] = Math.sin(angle);
    }
  }
}

/** Where each bin stands after the stages, as the address of its complex number. */
function binAddresses(size: number, radices: readonly number[]): Int32Array {
  return Int32Array.from({ length: size }, (_, bin) => {
    let place = 0;
    let rest = bin;
    let length = size;
    for (const radix of radices) {
      length /= radix;
      place += (rest % radix) * length;
      rest = Math.floor(rest / radix);
    }
    return place * complexBytes;
  });
}

/** For each bin, the addresses of k and of -k. */
export function writeSpectrumPlaces(
  size: number,
  radices: readonly number[],
  rows: Int32Array,
  rowWords: number,
): void {
  const addresses = binAddresses(size, radices);
  for (let k = 0; k * rowWords < rows.length; k++) {
    rows[k * rowWords] = addresses[k % size]!;
    rows[k * rowWords + 1] = addresses[(2 * size - k) % size]!;
  }
}

/** The response over both halves of the formula: H / 2, and -i e^(-2 pi i k / block) H / 2. */
export function writeWeights({ real, imaginary }: Response, block: number, rows: Float32Array, rowWords: number): void {
  for (let k = 0, at = 2; at < rows.length; k++, at += rowWords) {
    const re = real[k]! / 2;
    const im = imaginary === null ? 0 : imaginary[k]! / 2;
    const angle = 2 * Math.PI * (k / block + 0.25);
    const cosine = Math.cos(angle);
    const sine = -Math.sin(angle);
    rows[at] = re;
    rows[at + 1] = re * cosine - im * sine;
    rows[at + 2] = re * sine + im * cosine;
    if (rowWords === 6) rows[at + 3] = im;
  }
}

/** For each pair of places, their addresses and i e^(i angle). */
export function writePackRows(
  size: number,
  radices: readonly number[],
  memory: WasmMemory,
  at: number,
  count: number,
): void {
  const addresses = binAddresses(size, radices);
  const integers = new Int32Array(memory.buffer, at, 4 * count);
  const numbers = new Float32Array(memory.buffer, at, 4 * count);
  for (let k = 0; k < count; k++) {
    const angle = 2 * Math.PI * (k / (2 * size) + 0.25);
    integers[4 * k] = addresses[k]!;
    integers[4 * k + 1] = k === 0 ? size * complexBytes : addresses[size - k]!;
    numbers[4 * k + 2] = Math.cos(angle);
    numbers[4 * k + 3] = Math.sin(angle);
  }
}
