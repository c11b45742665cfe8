/** What can be said of ratings: S. Stevens, "On the theory of scales of measurement", Science 103 (1946). */
export type MeasurementLevel = 'nominal' | 'ordinal' | 'interval' | 'ratio';

/**
 * The squared distance of two categories (by their places) in Krippendorff's alpha: K. Krippendorff, "Computing
 * Krippendorff's alpha-reliability" (2011), step D.
 *
 * @param totals how often each category was given: ordinal categories are as far apart as ratings lie between them
 */
export function squaredDistances(
  categories: readonly (number | string)[],
  totals: Float64Array,
  level: MeasurementLevel,
): (one: number, other: number) => number {
  if (level === 'nominal') return (one, other) => (one === other ? 0 : 1);
  if (level === 'ordinal') {
    const before = new Float64Array(totals.length + 1);
    totals.forEach((count, place) => {
      before[place + 1] = before[place]! + count;
    });
    return (one, other) => {
      const between = before[Math.max(one, other) + 1]! - before[Math.min(one, other)]!;
      return one === other ? 0 : (between - (totals[one]! + totals[other]!) / 2) ** 2;
    };
  }
  const numbers = categories as readonly number[];
  if (level === 'interval') return (one, other) => (numbers[one]! - numbers[other]!) ** 2;
  return (one, other) => {
    const sum = numbers[one]! + numbers[other]!;
    return sum === 0 ? 0 : ((numbers[one]! - numbers[other]!) / sum) ** 2;
  };
}
