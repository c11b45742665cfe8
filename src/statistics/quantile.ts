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
