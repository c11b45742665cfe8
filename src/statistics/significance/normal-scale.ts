import { normalQuantile } from '../distributions/normal.ts';

/** Equal parts of the way to the farthest sum, from which the piece of a sum is looked for. */
const cells = 128;

/** Shorter pieces, as parts of the way, are none: in them rounding would decide. */
const shortest = 1e-6;

/** Straight pieces; the last goes on. */
export interface NormalScale {
  readonly starts: readonly number[];
  readonly heights: readonly number[];
  readonly slopes: readonly number[];
  /** The first piece that reaches into a cell. */
  readonly pieceOf: Uint8Array;
  /** The sum beyond which there is none. */
  readonly farthest: number;
}

/** What a sum comes to. */
export function statisticAt({ starts, heights, slopes, pieceOf, farthest }: NormalScale, sum: number): number {
  let piece = pieceOf[Math.min(cells, Math.floor((sum * cells) / farthest))]!;
  while (sum > starts[piece + 1]!) piece++;
  return heights[piece]! + (sum - starts[piece]!) * slopes[piece]!;
}

/** The sum that has a statistic; less than any for statistics below 0. */
export function sumAt({ starts, heights, slopes }: NormalScale, statistic: number): number {
  let piece = slopes.length - 1;
  while (piece > 0 && heights[piece]! > statistic) piece--;
  return statistic < 0 ? -1 : starts[piece]! + (statistic - heights[piece]!) / slopes[piece]!;
}

/**
 * Brings a sum under sign flips to the scale of a standard normal variable: by the root of its large deviation, as saddlepoint
 * approximations of permutation tests have it (J. Robinson, J. Royal Statistical Society B 44, 1982), bent so that its farthest, 2^-n on
 * either side, comes to lie where that is on a normal scale. It depends on the sizes alone, which flips do not change: so each
 * comparison is measured by how rare its own sum is. In standard deviations alone, one in which a few speakers outweigh the rest could
 * never be as far out as others, though all of them agree; and where one outweighs all others together, nearly every sum lies next to the
 * farthest, so that pieces are as narrow there as the rest is small.
 */
export function normalScale(values: Float64Array): NormalScale {
  const sizes = values.map(Math.abs).filter((size) => size > 0);
  const end = sizes.reduce((sum, size) => sum + size, 0);
  const farthest = Math.sqrt(2 * Math.LN2 * sizes.length);
  const bend = Math.log(farthestDeviate(sizes.length) / farthest) / farthest;
  // Of sums that are equally rare, the one in which more speakers weigh comes first, or all at their farthest would be ties.
  const scaled = (root: number) => root * Math.exp(bend * root) * (1 + 1e-4 * end);
  const [starts, heights] = [[0], [0]];
  const pieceTo = (to: number, root: number) => {
    starts.push(to);
    heights.push(scaled(root));
  };
  let from = 0;
  for (let tilt = 0.25; tilt < 1e8 && from < end * (1 - 2 * shortest); tilt *= 1.35) {
    let [mean, deviation, product] = [0, 0, 1];
    for (const size of sizes) {
      // The tilted sum's mean and cumulants from one exponential: tanh, and the logarithm of cosh.
      const other = Math.exp(-2 * tilt * size);
      mean += (size * (1 - other)) / (1 + other);
      product *= (1 + other) / 2;
      if (product < 1e-200) {
        deviation -= Math.log(product);
        product = 1;
      }
    }
    deviation += tilt * (mean - end) - Math.log(product);
    if (mean > from + shortest * end && mean < end * (1 - shortest)) {
      pieceTo(mean, Math.sqrt(2 * Math.max(0, deviation)));
      from = mean;
    }
  }
  pieceTo(end, farthest);
  const slopes = starts.slice(1).map((to, piece) => (heights[piece + 1]! - heights[piece]!) / (to - starts[piece]!));
  const pieceOf = new Uint8Array(cells + 1);
  for (let cell = 1, piece = 0; cell <= cells; cell++) {
    while (piece < slopes.length - 1 && starts[piece + 1]! < (cell * end) / cells) piece++;
    pieceOf[cell] = piece;
  }
  // Sums in another order may be a last digit farther than the farthest.
  starts[slopes.length] = Number.POSITIVE_INFINITY;
  return { starts, heights, slopes, pieceOf, farthest: end };
}

/** The standard normal variable lies beyond this with a chance of 2^-n. */
function farthestDeviate(count: number): number {
  if (count <= 50) return Math.max(0.1, normalQuantile(1 - 2 ** -count));
  let deviate = Math.sqrt(2 * Math.LN2 * count);
  for (let round = 0; round < 5; round++) {
    deviate = Math.sqrt(2 * (Math.LN2 * count - Math.log(deviate * Math.sqrt(2 * Math.PI))));
  }
  return deviate;
}
