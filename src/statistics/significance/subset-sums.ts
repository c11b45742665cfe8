/** For each eight values: the sum of every subset, so that an arrangement costs one look-up for eight values. */
export function subsetSums(values: readonly number[]): Float64Array {
  const octets = Math.ceil(values.length / 8);
  const sums = new Float64Array(octets * 256);
  for (let octet = 0; octet < octets; octet++) {
    for (let subset = 1; subset < 256; subset++) {
      const lowest = 31 - Math.clz32(subset & -subset);
      sums[256 * octet + subset] = sums[256 * octet + (subset & (subset - 1))]! + (values[8 * octet + lowest] ?? 0);
    }
  }
  return sums;
}
