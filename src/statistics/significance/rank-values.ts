/** Ranks of values among each other. */
export interface Ranks {
  /** From 1, in the order of the values; equal values share the mean of their ranks. */
  readonly ranks: Float64Array;
  /** How many values share each rank, from the lowest. */
  readonly tieSizes: readonly number[];
}

/** Ranks values, the smallest first. Equal means equal to the last digit. */
export function rankValues(values: ArrayLike<number>): Ranks {
  const order = Uint32Array.from(values, (_, index) => index).sort((a, b) => values[a]! - values[b]!);
  const ranks = new Float64Array(values.length);
  const tieSizes: number[] = [];
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && values[order[end]!] === values[order[start]!]) end++;
    for (let place = start; place < end; place++) ranks[order[place]!] = (start + 1 + end) / 2;
    tieSizes.push(end - start);
    start = end;
  }
  return { ranks, tieSizes };
}
