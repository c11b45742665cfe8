import { type Code, type FunctionScope, get, type Local, set } from './assembler.ts';
import { loadVector, storeVector, vectorBytes } from './vectors.ts';

/** A complex number in memory: the real parts of all lanes, then their imaginary parts. */
export const complexBytes = 2 * vectorBytes;
/** Where the imaginary parts begin. */
export const imaginary = vectorBytes;

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
