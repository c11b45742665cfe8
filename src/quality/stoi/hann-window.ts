/** A Hann window without its zeros at both ends, as Matlab's `hanning` and STOI have it. */
export function hannWindow(length: number): Float64Array {
  return Float64Array.from({ length }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * (n + 1)) / (length + 1)));
}
