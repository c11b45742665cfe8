/**
 * The value that would stand at a place (from 0) if the values were sorted, by C. A. R. Hoare's selection with a pivot from
 * R. Floyd and R. Rivest, "Algorithm 489: select", CACM 18 (1975). Reorders the values: those before the place are not
 * greater, those behind not smaller.
 */
export function selectOrder(values: Float64Array, place: number, from = 0, to = values.length - 1): number {
  let low = from;
  let high = to;
  while (high > low) {
    if (high - low > 600) {
      // A sample around the place narrows the range to nearly what is sought.
      const size = high - low + 1;
      const within = place - low + 1;
      const logSize = Math.log(size);
      const sample = 0.5 * Math.exp((2 * logSize) / 3);
      const side = within < size / 2 ? -1 : 1;
      const slack = 0.5 * Math.sqrt((logSize * sample * (size - sample)) / size) * side;
      const sampleLow = Math.max(low, Math.floor(place - (within * sample) / size + slack));
      const sampleHigh = Math.min(high, Math.floor(place + ((size - within) * sample) / size + slack));
      selectOrder(values, place, sampleLow, sampleHigh);
    }
    const pivot = values[place]!;
    let left = low;
    let right = high;
    while (left <= right) {
      while (values[left]! < pivot) left++;
      while (values[right]! > pivot) right--;
      if (left <= right) {
        const value = values[left]!;
        values[left++] = values[right]!;
        values[right--] = value;
      }
    }
    if (right < place) low = left;
    if (left > place) high = right;
  }
  return values[place]!;
}

/** The median; reorders the values. NaN of none. */
export function selectMedian(values: Float64Array): number {
  const count = values.length;
  if (count === 0) return Number.NaN;
  const half = count >> 1;
  const upper = selectOrder(values, half);
  if (count % 2 === 1) return upper;
  let lower = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < half; index++) lower = Math.max(lower, values[index]!);
  return lower + (upper - lower) / 2;
}
