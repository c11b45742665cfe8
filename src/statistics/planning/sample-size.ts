import { normalQuantile } from '../distributions.ts';

export interface SampleSizeOptions {
  /** Half of the interval's length, as a share: .05 for 5 %. */
  readonly halfWidth: number;
  /** The proportion expected; .5 by default, which needs the most. */
  readonly proportion?: number;
  /** Confidence level, .95 by default. */
  readonly level?: number;
  /** How many there are to draw from; without end by default. */
  readonly population?: number;
}

/** How many must be looked at. */
export interface SampleSize {
  /** Before it is rounded up. */
  readonly exact: number;
  readonly count: number;
}

/**
 * How large a simple random sample must be for a proportion to be known to a half width: z^2 p (1 - p) / h^2, and with a
 * finite population n / (1 + (n - 1) / N) (W. Cochran, "Sampling techniques", 3rd edition 1977, section 4.4).
 *
 * CrossASR's population of 33,618 failed tests needs 380 at 95 % and 5 %; its 395 are 385 (no finite population) spread over
 * its 16 cells, each rounded up (`proportionalAllocation`). Cells of 1 to 55 say little of themselves.
 *
 * @throws RangeError for a half width, proportion or level outside 0 to 1, or a population below 1
 * @example sampleSizeForProportion({ halfWidth: .05, population: 33618 }).count // 380
 */
export function sampleSizeForProportion(options: SampleSizeOptions): SampleSize {
  const { halfWidth, proportion = 0.5, level = 0.95, population = Number.POSITIVE_INFINITY } = options;
  const inside = (value: number) => value > 0 && value < 1;
  if (!(inside(halfWidth) && inside(proportion) && inside(level) && population >= 1)) {
    throw new RangeError(
      `expected shares between 0 and 1 and a population of at least 1, but got half width ${halfWidth}, proportion ${proportion}, level ${level}, population ${population}`,
    );
  }
  const endless = (normalQuantile((1 + level) / 2) ** 2 * proportion * (1 - proportion)) / halfWidth ** 2;
  const exact = endless / (1 + (endless - 1) / population);
  // A whole number that came out a last digit too large is not rounded up.
  return { exact, count: Math.min(population, Math.max(1, Math.ceil(exact - 1e-9))) };
}

/**
 * A sample spread over cells in proportion to their sizes, each share rounded up, so that every cell with anything in it
 * has at least one: the sum may exceed `count` by up to the number of cells.
 *
 * @throws RangeError for sizes that are not whole and at least 0, or a count that is not whole
 * @example proportionalAllocation([900, 90, 10], 50) // [45, 5, 1]
 */
export function proportionalAllocation(sizes: readonly number[], count: number): number[] {
  const whole = (value: number) => Number.isInteger(value) && value >= 0;
  if (!(sizes.every(whole) && whole(count))) {
    throw new RangeError(`expected whole numbers, but got ${sizes.find((size) => !whole(size)) ?? count}`);
  }
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return sizes.map((size) => (size === 0 ? 0 : Math.min(size, Math.ceil((size * count) / total))));
}
