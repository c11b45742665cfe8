/**
 * Where a rising function reaches a value, to 1e-12 of the place, by halving; null where it does not between the ends. For
 * functions that are cheap and smooth but have no handy derivative.
 */
export function solveRising(
  rising: (x: number) => number,
  goal: number,
  least: number,
  greatest: number,
): number | null {
  let low = least;
  let high = Math.min(greatest, 2 * Math.max(least, 1));
  if (rising(low) >= goal) return low;
  while (rising(high) < goal) {
    if (high >= greatest) return null;
    low = high;
    high = Math.min(greatest, 2 * high);
  }
  for (let halving = 0; halving < 200 && high - low > 1e-13 * high; halving++) {
    const middle = (low + high) / 2;
    if (rising(middle) < goal) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
