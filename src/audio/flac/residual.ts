import type { BitReader } from './bit-reader.ts';
import { DamagedFlac } from './damaged-flac.ts';
import type { Samples } from './samples.ts';

/**
 * Reads what a prediction left over into `into`, from the first predicted sample on (RFC 9639, section 9.2.7): Rice codes
 * in partitions with a parameter each.
 *
 * @throws DamagedFlac where it makes no sense
 */
export function readResidual(reader: BitReader, order: number, into: Samples): void {
  const parameterBits = reader.unsigned(2) + 4;
  if (parameterBits > 5) throw new DamagedFlac('a residual is coded in a reserved way');
  const partitions = 1 << reader.unsigned(4);
  const partitionLength = into.length / partitions;
  if (!Number.isInteger(partitionLength) || partitionLength < order) {
    throw new DamagedFlac('a frame cannot be cut into its partitions');
  }
  const plainMark = 2 ** parameterBits - 1;
  for (let partition = 0; partition < partitions; partition++) {
    const from = partition === 0 ? order : partition * partitionLength;
    const to = (partition + 1) * partitionLength;
    const parameter = reader.unsigned(parameterBits);
    if (parameter === plainMark) {
      const width = reader.unsigned(5);
      for (let n = from; n < to; n++) into[n] = reader.signed(width);
    } else {
      readRice(reader, parameter, into, from, to);
    }
  }
}

/** Codes that lie within 25 bits are taken out of one look ahead; the others, and the last bytes, are read in steps. */
function readRice(reader: BitReader, parameter: number, into: Samples, from: number, to: number): void {
  const { bytes, start } = reader;
  const lastLook = bytes.length - 4;
  const longestRun = 24 - parameter;
  let bit = reader.bit;
  for (let n = from; n < to; n++) {
    const at = start + (bit >> 3);
    let folded: number;
    let run = 32;
    let ahead = 0;
    if (at <= lastLook) {
      ahead = ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) << (bit & 7);
      run = Math.clz32(ahead);
    }
    if (run <= longestRun) {
      const rest = parameter === 0 ? 0 : (ahead << (run + 1)) >>> (32 - parameter);
      folded = (run << parameter) | rest;
      bit += run + 1 + parameter;
    } else {
      reader.bit = bit;
      folded = (reader.unary() << parameter) | reader.unsigned(parameter);
      bit = reader.bit;
    }
    into[n] = (folded >>> 1) ^ -(folded & 1);
  }
  reader.bit = bit;
}
