import { alawValues, ulawValues } from '../pcm.ts';

/** The two laws of G.711: A-law in Europe and between countries, mu-law in North America and Japan. */
export type CompandingLaw = 'a-law' | 'mu-law';

/**
 * Byte of a mu-law sample (ITU-T G.711, table 2). The 14-bit value is found by dropping two bits downwards, which is what
 * Python's audioop does; ffmpeg and SoX round at some 500 of the 65,536 values otherwise.
 *
 * @param sample integer of 16 bits
 * @example encodeUlaw(0) // 255
 */
export function encodeUlaw(sample: number): number {
  const value = sample >> 2;
  const magnitude = Math.min(value < 0 ? -value : value, 8159) + 33;
  const segment = Math.min(7, 26 - Math.clz32(magnitude));
  const step = magnitude > 8191 ? 15 : (magnitude >> (segment + 1)) & 15;
  return ((segment << 4) | step) ^ (value < 0 ? 0x7f : 0xff);
}

/**
 * Byte of an A-law sample (ITU-T G.711, table 1), even bits inverted. The 13-bit value is found by dropping three bits
 * downwards, as Python's audioop does; ffmpeg and SoX differ at some 1,000 of the 65,536 values.
 *
 * @param sample integer of 16 bits
 * @example encodeAlaw(0) // 213
 */
export function encodeAlaw(sample: number): number {
  const value = sample >> 3;
  const magnitude = value < 0 ? -value - 1 : value;
  const segment = magnitude < 32 ? 0 : 27 - Math.clz32(magnitude);
  const step = (segment < 2 ? magnitude >> 1 : magnitude >> segment) & 15;
  return ((segment << 4) | step) ^ (value < 0 ? 0x55 : 0xd5);
}

const thereAndBack = new Map<CompandingLaw, Int16Array>();

/**
 * Sound through G.711: 8 bits for each sample, finer steps for soft sounds. Without delay.
 *
 * @param integers samples of 16 bits; by the standard 8,000 of them in a second
 * @example codeG711(Int16Array.of(1000), 'mu-law') // Int16Array [ 988 ]
 */
export function codeG711(integers: Int16Array, law: CompandingLaw): Int16Array {
  const table = thereAndBack.get(law) ?? tableOf(law);
  thereAndBack.set(law, table);
  const decoded = new Int16Array(integers.length);
  for (let n = 0; n < decoded.length; n++) decoded[n] = table[integers[n]! + 32768]!;
  return decoded;
}

function tableOf(law: CompandingLaw): Int16Array {
  const encode = law === 'mu-law' ? encodeUlaw : encodeAlaw;
  const values = law === 'mu-law' ? ulawValues : alawValues;
  return Int16Array.from({ length: 65536 }, (_, index) => values[encode(index - 32768)]!);
}
