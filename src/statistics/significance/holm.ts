/**
 * P values of comparisons made together, adjusted so that the chance of even one false finding stays at the level:
 * S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian J. Statistics 6 (1979). Holds under any
 * dependence. Comparisons without a test (null) stay null and do not count. Of ten comparisons without a difference any was
 * found in 4.8 % of 10,000 simulations (bench/calibration/tests.ts), in 3.7 % where they were correlated.
 *
 * @example holm([.01, .04, null, .03]) // [.03, .06, null, .06]
 */
export function holm(pValues: readonly (number | null)[]): (number | null)[] {
  const tested = pValues.flatMap((pValue, index) => (pValue === null ? [] : [{ pValue, index }]));
  tested.sort((a, b) => a.pValue - b.pValue);
  const adjusted: (number | null)[] = pValues.map(() => null);
  let largest = 0;
  tested.forEach(({ pValue, index }, rank) => {
    largest = Math.max(largest, Math.min(1, pValue * (tested.length - rank)));
    adjusted[index] = largest;
  });
  return adjusted;
}
