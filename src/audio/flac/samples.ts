/** Whole numbers of one channel. Those of more than 24 bits, whose differences need 33, are kept as exact floats. */
export type Samples = Int32Array | Float64Array;

/** Room for the samples of one channel. */
export function roomFor(length: number, bitsPerSample: number): Samples {
  return bitsPerSample > 24 ? new Float64Array(length) : new Int32Array(length);
}
