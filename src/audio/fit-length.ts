/** The first `length` samples, followed by silence where there are fewer. Always a new array. */
export function fitLength(samples: Float32Array, length: number): Float32Array {
  const fitted = new Float32Array(length);
  fitted.set(samples.length > length ? samples.subarray(0, length) : samples);
  return fitted;
}

/** As many samples as there is room for, from `start` on, which may lie before the first; outside there is silence. */
export function copyWithSilence(samples: Float32Array, start: number, into: Float32Array): void {
  const from = Math.min(samples.length, Math.max(0, start));
  const to = Math.max(from, Math.min(samples.length, start + into.length));
  const offset = Math.min(into.length, Math.max(0, from - start));
  into.fill(0, 0, offset);
  if (from < to) into.set(samples.subarray(from, to), offset);
  into.fill(0, offset + to - from);
}
