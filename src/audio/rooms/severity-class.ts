/**
 * Which of so many classes of equal width a value belongs to, from 1. The ends of the range are the mildest and the worst
 * value there are; a value on the border of two classes belongs to the milder, as in the code of Speech Robust Bench (which
 * leaves the mildest value itself out). All values alike: class 1.
 *
 * @param mildest of all values: the smallest reverberation time, or the largest SRMR
 * @param worst of all values, on the other side
 * @example severityClass(0.5, 0.1, 0.9, 4) // 2
 */
export function severityClass(value: number, mildest: number, worst: number, classes: number): number {
  const share = worst === mildest ? 0 : (value - mildest) / (worst - mildest);
  // A billionth of a class less, so that what stands on a border is not moved across it by rounding.
  return Math.min(classes, Math.max(1, Math.ceil(share * classes - 1e-9)));
}
