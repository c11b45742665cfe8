/**
 * A share as a count of a hundred, for readers to whom percent and points are strange.
 *
 * @example ofHundred(0.0714) // '7.1'
 */
export function ofHundred(share: number): string {
  const count = Math.abs(100 * share);
  return count > 0 && count < 0.95 ? count.toFixed(2) : count.toFixed(1);
}

/**
 * What a difference may be, from one end of its interval to the other: a range on one side of nothing, or one that holds both.
 *
 * @example rangeOfHundred(0.01, 0.05) // 'between 1.0 and 5.0 more'
 * @example rangeOfHundred(-0.01, 0.05) // 'anything from 1.0 fewer to 5.0 more'
 */
export function rangeOfHundred(low: number, high: number): string {
  if (low > 0) return `between ${ofHundred(low)} and ${ofHundred(high)} more`;
  if (high < 0) return `between ${ofHundred(high)} and ${ofHundred(low)} fewer`;
  return `anything from ${ofHundred(low)} fewer to ${ofHundred(high)} more`;
}
