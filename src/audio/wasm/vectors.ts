import { type Code, type FunctionScope, get, type Local, sequence, set, unsigned } from './assembler.ts';

/** Arithmetic on vectors of four 32-bit floats, lane by lane. All expressions. (WebAssembly Core Specification 2.0, 4.4.3.) */
export const lanes = {
  count: 4,
  add: binary(0xe4),
  subtract: binary(0xe5),
  multiply: binary(0xe6),
  /** One number of memory in all lanes. */
  splat: (address: Code, offset = 0): Code => [...address, ...simd(0x09), 2, ...unsigned(offset)],
  /** Of each lane -1 (all bits) where the first is less, else 0. */
  less: binary(0x43),
  /** Of each lane -1 (all bits) where the first is no more, else 0. */
  atMost: binary(0x45),
  /** Without the sign. */
  magnitude: (value: Code): Code => [...value, ...simd(0xe0)],
  /** The second where it is less, else the first, also where either is no number. */
  lesser: binary(0xea),
  /** The second where the first is less, else the first, also where either is no number. */
  greater: binary(0xeb),
  /** Lanes as 32-bit integers. */
  addIntegers: binary(0xae),
  subtractIntegers: binary(0xb1),
  /** Of two vectors of eight 16-bit integers: products, two neighbours added to one 32-bit integer. */
  productsOfShorts: binary(0xba),
  /** The bits that either has. */
  either: binary(0x50),
  constant: (value: number): Code => [...simd(0x0c), ...new Uint8Array(new Float32Array(4).fill(value).buffer)],
} as const;

/** Arithmetic on vectors of two 64-bit floats, and what leads to them from four 32-bit ones. All expressions. */
export const doubles = {
  add: binary(0xf0),
  subtract: binary(0xf1),
  multiply: binary(0xf2),
  floor: (value: Code): Code => [...value, ...simd(0x75)],
  /** Towards 0. */
  truncate: (value: Code): Code => [...value, ...simd(0x7a)],
  /** Of each -1 (all bits) where the first is less, else 0. */
  less: binary(0x49),
  /** Of each -1 (all bits) where the first is no more, else 0. */
  atMost: binary(0x4b),
  /** The second where it is less, else the first, also where either is no number. */
  lesser: binary(0xf6),
  /** The second where the first is less, else the first, also where either is no number. */
  greater: binary(0xf7),
  /** Both as 64-bit integers. */
  subtractIntegers: binary(0xd1),
  /** The bits that both have. */
  both: binary(0x4e),
  constant: (value: number): Code => [...simd(0x0c), ...new Uint8Array(new Float64Array(2).fill(value).buffer)],
  /** One number of memory in both. */
  splat: (address: Code, offset = 0): Code => [...address, ...simd(0x0a), 3, ...unsigned(offset)],
  /** Rounded to the first two of four 32-bit floats; the others are 0. */
  toFirstLanes: (value: Code): Code => [...value, ...simd(0x5e)],
  /** Of the first two lanes, exactly. */
  ofFirstLanes: (value: Code): Code => [...value, ...simd(0x5f)],
  /** Of the last two lanes, exactly. */
  ofLastLanes: (value: Code): Code => [...shuffle(value, value, [2, 3, 2, 3]), ...simd(0x5f)],
} as const;

/** Bytes of a vector. */
export const vectorBytes = 16;

export const loadVector = (address: Code, offset = 0): Code => [...address, ...simd(0x00), 0, ...unsigned(offset)];

/** A statement. */
export const storeVector = (address: Code, value: Code, offset = 0): Code => [
  ...address,
  ...value,
  ...simd(0x0b),
  0,
  ...unsigned(offset),
];

/** Four lanes out of those of two vectors: 0 to 3 of the first, 4 to 7 of the second. */
export const shuffle = (first: Code, second: Code, places: readonly [number, number, number, number]): Code => [
  ...first,
  ...second,
  ...simd(0x0d),
  ...places.flatMap((place) => [4 * place, 4 * place + 1, 4 * place + 2, 4 * place + 3]),
];

/** A statement: the first lane, as a number in memory. */
export const storeFirstLane = (address: Code, value: Code, offset = 0): Code => [
  ...address,
  ...value,
  ...simd(0x5a),
  2,
  ...unsigned(offset),
  0,
];

/** Four vectors of four lanes become those of their first, second, third and fourth lanes. */
export function transpose(scope: FunctionScope, rows: readonly Local[]): Code {
  const [a, b, c, d] = rows as [Local, Local, Local, Local];
  const [lowAb, lowCd, highAb, highCd] = rows.map(() => scope.v128()) as [Local, Local, Local, Local];
  return sequence([
    set(lowAb, shuffle(get(a), get(b), [0, 4, 1, 5])),
    set(lowCd, shuffle(get(c), get(d), [0, 4, 1, 5])),
    set(highAb, shuffle(get(a), get(b), [2, 6, 3, 7])),
    set(highCd, shuffle(get(c), get(d), [2, 6, 3, 7])),
    set(a, shuffle(get(lowAb), get(lowCd), [0, 1, 4, 5])),
    set(b, shuffle(get(lowAb), get(lowCd), [2, 3, 6, 7])),
    set(c, shuffle(get(highAb), get(highCd), [0, 1, 4, 5])),
    set(d, shuffle(get(highAb), get(highCd), [2, 3, 6, 7])),
  ]);
}

function binary(opcode: number): (first: Code, second: Code) => Code {
  return (first, second) => [...first, ...second, ...simd(opcode)];
}

function simd(opcode: number): Code {
  return [0xfd, ...unsigned(opcode)];
}

/** A complex number in memory: the real parts of all lanes, then their imaginary parts. */
export const complexBytes = 2 * vectorBytes;
/** Where the imaginary parts begin. */
export const imaginary = complexBytes - vectorBytes;

/** A complex number in two variables. */
export interface Complex {
  readonly re: Local;
  readonly im: Local;
}

export function complexes(scope: FunctionScope, count: number): Complex[] {
  return Array.from({ length: count }, () => ({ re: scope.v128(), im: scope.v128() }));
}

/** Statements. */
export function loadComplex(into: Complex, address: Code, offset: number): Code[] {
  return [set(into.re, loadVector(address, offset)), set(into.im, loadVector(address, offset + imaginary))];
}

/** Statements. */
export function storeComplex(address: Code, value: Complex, offset: number): Code[] {
  return [storeVector(address, get(value.re), offset), storeVector(address, get(value.im), offset + imaginary)];
}
