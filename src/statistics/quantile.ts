/**
 * The quantile of values in rising order, by linear interpolation between the order statistics that stand at
 * (n - 1) x probability: type 7 of R. J. Hyndman and Y. Fan, "Sample quantiles in statistical packages", The American
 * Statistician 50 (1996), the default of R and numpy.
 *
 * @param sorted at least one value, in rising order
 * @param probability from 0 to 1
 * @example quantileSorted([1, 2, 4], .75) // 3
 */
export function quantileSorted(sorted: ArrayLike<number>, probability: number): number {
  if (sorted.length === 0 || !(probability >= 0 && probability <= 1)) return Number.NaN;
  const place = (sorted.length - 1) * probability;
  const below = Math.floor(place);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (place - below) * (high - low);
}

/**
 * `quantileSorted` of values in any order, which are moved: the same number without putting all of them in order (C. A. R. Hoare,
 * "Algorithm 65: find", Communications of the ACM 4, 1961).
 */
export function quantileInPlace(values: Float64Array, probability: number): number {
  const place = (values.length - 1) * probability;
  const below = Math.floor(place);
  select(values, below);
  // What stands behind is at least as great: its least is the next one.
  let next = values[below]!;
  if (below + 1 < values.length) {
    next = Number.POSITIVE_INFINITY;
    for (let at = below + 1; at < values.length; at++) if (values[at]! < next) next = values[at]!;
  }
  return quantileSorted([values[below]!, next], place - below);
}

/** Moves values so that at one place stands what would stand there in rising order, nothing greater before it and nothing less behind. */
export function select(values: Float64Array, wanted: number): void {
  let [left, right] = [0, values.length - 1];
  while (left < right) {
    const pivot = values[(left + right) >> 1]!;
    let [low, high] = [left, right];
    while (low <= high) {
      while (values[low]! < pivot) low++;
      while (values[high]! > pivot) high--;
      if (low > high) break;
      const value = values[low]!;
      values[low++] = values[high]!;
      values[high--] = value;
    }
    if (wanted <= high) right = high;
    else if (wanted >= low) left = low;
    else return;
  }
}
