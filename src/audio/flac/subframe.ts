import type { BitReader } from './bit-reader.ts';
import { DamagedFlac } from './damaged-flac.ts';
import { restoreFixed, restoreLinear } from './predict.ts';
import { readResidual } from './residual.ts';
import type { Samples } from './samples.ts';

/**
 * Reads one channel of a frame into `into` (RFC 9639, section 9.2).
 *
 * @param frameBits bits of a sample, one more for the difference of two channels
 * @throws DamagedFlac where it makes no sense
 */
export function readSubframe(reader: BitReader, frameBits: number, into: Samples): void {
  const kind = reader.unsigned(7);
  const wasted = reader.unsigned(1) ? reader.unary() + 1 : 0;
  const bits = frameBits - wasted;
  if (bits < 1) throw new DamagedFlac('a frame wastes all of its bits');
  if (kind === 0) into.fill(reader.signed(bits));
  else if (kind === 1) readPlain(reader, bits, into, into.length);
  else if (kind >= 8 && kind <= 12) readFixed(reader, bits, kind - 8, into);
  else if (kind >= 32 && kind <= 63) readLinear(reader, bits, kind - 31, into);
  else throw new DamagedFlac('a subframe is of a reserved kind');
  if (wasted > 0) {
    const scale = 2 ** wasted;
    for (let n = 0; n < into.length; n++) into[n] = into[n]! * scale;
  }
}

function readPlain(reader: BitReader, bits: number, into: Samples, count: number): void {
  if (count > into.length) throw new DamagedFlac('a frame is shorter than its predictor');
  for (let n = 0; n < count; n++) into[n] = reader.signed(bits);
}

function readFixed(reader: BitReader, bits: number, order: number, into: Samples): void {
  readPlain(reader, bits, into, order);
  readResidual(reader, order, into);
  restoreFixed(into, order);
}

function readLinear(reader: BitReader, bits: number, order: number, into: Samples): void {
  readPlain(reader, bits, into, order);
  const precision = reader.unsigned(4) + 1;
  const shift = reader.signed(5);
  if (precision === 16 || shift < 0) throw new DamagedFlac('a predictor is of a reserved kind');
  const coefficients = Int32Array.from({ length: order }, () => reader.signed(precision));
  readResidual(reader, order, into);
  restoreLinear(into, coefficients, shift, bits + precision + Math.ceil(Math.log2(order)));
}
