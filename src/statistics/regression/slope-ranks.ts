import { selectOrder } from './select-order.ts';

/** The slopes between all pairs of rows with different x, by their rank. */
export interface SlopeRanks {
  readonly count: number;
  /** The slope at a place from 0, the smallest first. */
  at(place: number): number;
}

/** Up to so many rows all slopes are kept (4 million of them take 32 megabytes); beyond they are only counted. */
const mostRowsKept = 2896;

/**
 * Ranks slopes without sorting them: each is selected in linear time among all of them; or, for many rows, found by halving
 * the range of slopes and counting in rows x log rows how many are below (R. Cole, J. Salowe, W. Steiger and E. Szemeredi,
 * "An optimal-time algorithm for slope selection", SIAM J. Computing 18, 1989, section 2: a slope is below b where y - b x
 * is in the other order), so that memory stays that of the rows.
 */
export function slopeRanks(x: ArrayLike<number>, y: ArrayLike<number>): SlopeRanks {
  const rows = x.length;
  return rows <= mostRowsKept ? keptSlopes(x, y) : countedSlopes(x, y);
}

function keptSlopes(x: ArrayLike<number>, y: ArrayLike<number>): SlopeRanks {
  const rows = x.length;
  const slopes = new Float64Array((rows * (rows - 1)) / 2);
  let count = 0;
  for (let first = 0; first < rows; first++) {
    const [firstX, firstY] = [x[first]!, y[first]!];
    for (let second = first + 1; second < rows; second++) {
      const run = x[second]! - firstX;
      if (run !== 0) slopes[count++] = (y[second]! - firstY) / run;
    }
  }
  const kept = slopes.subarray(0, count);
  return { count, at: (place) => selectOrder(kept, place) };
}

/** Exported for its test, which compares it with all slopes. */
export function countedSlopes(x: ArrayLike<number>, y: ArrayLike<number>): SlopeRanks {
  const rows = x.length;
  const order = Array.from({ length: rows }, (_, row) => row).sort((a, b) => x[a]! - x[b]! || y[a]! - y[b]!);
  const sortedX = Float64Array.from(order, (row) => x[row]!);
  const sortedY = Float64Array.from(order, (row) => y[row]!);
  let ties = 0;
  for (let start = 0; start < rows; ) {
    let end = start + 1;
    while (end < rows && sortedX[end] === sortedX[start]) end++;
    ties += ((end - start) * (end - start - 1)) / 2;
    start = end;
  }
  const heights = new Float64Array(rows);
  const spare = new Float64Array(rows);
  /** How many slopes are below b: pairs that y - b x puts into falling order. Rows of the same x never are. */
  const below = (slope: number): number => {
    for (let row = 0; row < rows; row++) heights[row] = sortedY[row]! - slope * sortedX[row]!;
    for (let start = 0; start < rows; ) {
      let end = start + 1;
      while (end < rows && sortedX[end] === sortedX[start]) end++;
      heights.subarray(start, end).sort();
      start = end;
    }
    return countFalling(heights, spare, 0, rows);
  };
  const count = (rows * (rows - 1)) / 2 - ties;
  return {
    count,
    at(place) {
      // By the bits of the numbers, so that 64 halvings reach neighbours whatever the magnitude.
      let low = keyOf(-Number.MAX_VALUE);
      let high = keyOf(Number.MAX_VALUE);
      while (high - low > 1n) {
        const half = (low + high) >> 1n;
        if (below(numberOf(half)) > place) high = half;
        else low = half;
      }
      return numberOf(low);
    },
  };
}

const bits = new DataView(new ArrayBuffer(8));

/** Whole numbers in the order of the floating-point numbers they stand for. */
function keyOf(value: number): bigint {
  bits.setFloat64(0, value);
  const key = bits.getBigInt64(0);
  return key < 0n ? -(key & 0x7fffffffffffffffn) : key;
}

function numberOf(key: bigint): number {
  bits.setBigInt64(0, key < 0n ? -key | (-1n << 63n) : key);
  return bits.getFloat64(0);
}

/** Pairs in falling order, by a merge sort, which sorts the values. */
function countFalling(values: Float64Array, spare: Float64Array, from: number, to: number): number {
  if (to - from < 2) return 0;
  const half = (from + to) >> 1;
  let count = countFalling(values, spare, from, half) + countFalling(values, spare, half, to);
  let left = from;
  let right = half;
  for (let place = from; place < to; place++) {
    if (right >= to || (left < half && values[left]! <= values[right]!)) {
      spare[place] = values[left++]!;
    } else {
      spare[place] = values[right++]!;
      count += half - left;
    }
  }
  values.set(spare.subarray(from, to), from);
  return count;
}
