/** The first `length` samples, followed by silence where there are fewer. Always a new array. */
export function fitLength(samples: Float32Array, length: number): Float32Array {
  const fitted = new Float32Array(length);
  fitted.set(samples.length > length ? samples.subarray(0, length) : samples);
  return fitted;
}
