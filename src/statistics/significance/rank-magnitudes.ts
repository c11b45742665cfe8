/** Ranks of numbers by their distance from 0. */
export interface MagnitudeRanks {
  /** From 1; equal distances share the mean of their ranks. */
  readonly ranks: readonly number[];
  /** How many share each rank, zeros left out. */
  readonly tieSizes: readonly number[];
  readonly zeroCount: number;
}

/** Ranks numbers by their distance from 0, the smallest first. */
export function rankMagnitudes(values: readonly number[]): MagnitudeRanks {
  const order = values.map((value, index) => ({ size: Math.abs(value), index })).sort((a, b) => a.size - b.size);
  const ranks: number[] = new Array(values.length).fill(0);
  const tieSizes: number[] = [];
  let zeroCount = 0;
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && order[end]!.size === order[start]!.size) end++;
    for (let place = start; place < end; place++) ranks[order[place]!.index] = (start + 1 + end) / 2;
    if (order[start]!.size === 0) zeroCount = end - start;
    else tieSizes.push(end - start);
    start = end;
  }
  return { ranks, tieSizes, zeroCount };
}
