import type { Random } from '../../base/random.ts';
import type { RandomOfData } from './random-of-data.ts';

/**
 * What a rate is made of, cluster by cluster (speaker by speaker): errors and words. The same index is the same cluster in
 * counts that are compared.
 */
export interface ClusteredCounts {
  readonly numerators: Float64Array;
  /** Not negative. */
  readonly denominators: Float64Array;
  /**
   * Whether the denominators count items of which each adds from 0 to 1 to the numerators: violations of cases, sounds with words.
   * Their intervals are those of `clusteredProportion`. Word errors are none, since there may be more insertions than words.
   */
  readonly proportion?: boolean;
}

/** How a bootstrap interval over clusters is made. */
export interface BootstrapOptions {
  /** Confidence level, between 0 and 1; .95 by default. */
  readonly level?: number;
  /** 2000 by default: the ends of a plain 95 % interval then vary by about 1/20 of its length from seed to seed. */
  readonly resamples?: number;
  /** With fewer clusters no interval is given; `defaultMinimumClusters` says why that many by default. */
  readonly minimumClusters?: number;
  /**
   * A plain bootstrap instead of the one calibrated for few clusters: `BCa` as scipy and R make it, or `percentile`. They
   * are too short with fewer than about 50 clusters: `clusterBootstrap` has the figures.
   */
  readonly method?: 'BCa' | 'percentile';
  /** `none` is the same as method `BCa`; `expanded` (default) is calibrated for few clusters. */
  readonly smallSample?: 'expanded' | 'none';
  /** With `randomOfData` the interval is the same wherever the same counts are resampled. */
  readonly random: Random | RandomOfData;
}

/** Two rates that are compared. */
export interface ComparisonOptions extends BootstrapOptions {
  /**
   * `shared` (default): the same index is the same speaker, and what the two have in common cancels. `separate`: other
   * speakers in each, which are resampled apart; their numbers may differ.
   */
  readonly clusters?: 'shared' | 'separate';
}

/** More clusters than this are merged at random into so many before they are resampled. */
export const maxClusters = 2000;

/**
 * Clusters beside each other in one table, those in which nothing was counted left out.
 *
 * @throws RangeError for lengths that differ, values that are not finite, negative denominators: faults of the caller
 */
export function clusterTable(...counts: readonly ClusteredCounts[]): Float64Array<ArrayBuffer> {
  const clusters = counts[0]!.numerators.length;
  const width = 2 * counts.length;
  for (const { numerators, denominators } of counts) {
    if (numerators.length !== clusters || denominators.length !== clusters) {
      throw new RangeError(
        `expected ${clusters} clusters everywhere, but got ${numerators.length} and ${denominators.length}`,
      );
    }
  }
  const table = new Float64Array(clusters * width);
  let kept = 0;
  for (let cluster = 0; cluster < clusters; cluster++) {
    let anything = false;
    for (let index = 0; index < counts.length; index++) {
      const numerator = counts[index]!.numerators[cluster]!;
      const denominator = counts[index]!.denominators[cluster]!;
      if (!Number.isFinite(numerator) || !(denominator >= 0 && denominator < Number.POSITIVE_INFINITY)) {
        throw new RangeError(`expected finite counts, but cluster ${cluster} has ${numerator} of ${denominator}`);
      }
      if (numerator !== 0 || denominator !== 0) anything = true;
      table[kept * width + 2 * index] = numerator;
      table[kept * width + 2 * index + 1] = denominator;
    }
    if (anything) kept++;
  }
  return table.slice(0, kept * width);
}

/** Whether intervals are those of proportions: all counts say so, and no plain bootstrap is asked for. */
export function isProportion(options: BootstrapOptions, ...counts: readonly ClusteredCounts[]): boolean {
  const plain = options.method !== undefined || options.smallSample === 'none';
  return !plain && counts.every(({ proportion }) => proportion === true);
}

/** The tables of two counts: one of speakers that both have, or two of speakers of their own. */
export function comparedTables(
  first: ClusteredCounts,
  second: ClusteredCounts,
  { clusters = 'shared' }: ComparisonOptions,
): Float64Array[] {
  return clusters === 'separate' ? [clusterTable(first), clusterTable(second)] : [clusterTable(first, second)];
}

/** The sums of the columns of a table. */
export function columnSums(table: Float64Array, width: number): Float64Array {
  const sums = new Float64Array(width);
  for (let place = 0; place < table.length; place++) sums[place % width]! += table[place]!;
  return sums;
}

/** How many clusters have something under the line, the least over the denominators. */
export function countNonemptyClusters(table: Float64Array, width: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let column = 1; column < width; column += 2) {
    let count = 0;
    for (let place = column; place < table.length; place += width) if (table[place]! > 0) count++;
    least = Math.min(least, count);
  }
  return least;
}

/**
 * How many clusters of equal size would say as much: the square of the sum of the denominators over the sum of their squares
 * (L. Kish, "Survey sampling", 1965), the least over the denominators.
 */
export function effectiveClusters(table: Float64Array, width: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let column = 1; column < width; column += 2) {
    let sum = 0;
    let squares = 0;
    for (let place = column; place < table.length; place += width) {
      sum += table[place]!;
      squares += table[place]! ** 2;
    }
    least = Math.min(least, (sum * sum) / squares);
  }
  return least;
}

/**
 * Clusters merged at random into `groups` of equal size (to one). Merged clusters are independent and alike distributed
 * as clusters are, so that resampling them is as valid; only the rate's normality is used a little more.
 */
export function mergeClusters(table: Float64Array, width: number, groups: number, random: Random): Float64Array {
  const clusters = table.length / width;
  const order = Uint32Array.from({ length: clusters }, (_, cluster) => cluster);
  const merged = new Float64Array(groups * width);
  for (let place = 0; place < clusters; place++) {
    const drawn = place + random.integer(clusters - place);
    const cluster = order[drawn]!;
    order[drawn] = order[place]!;
    const group = place % groups;
    for (let column = 0; column < width; column++) merged[group * width + column]! += table[cluster * width + column]!;
  }
  return merged;
}

/** What is asked of one pooled rate or of two, and how it changes with them. */
export interface RateStatistic {
  readonly rates: 1 | 2;
  readonly of: (rates: Float64Array) => number;
  /** By how much the statistic changes with each rate. */
  readonly slopes: (rates: Float64Array) => readonly number[];
  /**
   * Where the error of an estimate is proportional to it: distances are then measured in logarithms, and its spread is
   * judged with the kurtosis of the clusters' shares in it.
   */
  readonly proportional: boolean;
  /** Without errors there is no logarithm. */
  readonly needsErrors: boolean;
}

export const pooledRate: RateStatistic = {
  rates: 1,
  of: (rates) => rates[0]!,
  slopes: () => [1],
  proportional: true,
  needsErrors: false,
};

export const rateDifference: RateStatistic = {
  rates: 2,
  of: (rates) => rates[1]! - rates[0]!,
  slopes: () => [-1, 1],
  proportional: false,
  needsErrors: false,
};

export const logRateRatio: RateStatistic = {
  rates: 2,
  of: (rates) => Math.log2(rates[1]! / rates[0]!),
  slopes: (rates) => [-Math.LOG2E / rates[0]!, Math.LOG2E / rates[1]!],
  proportional: true,
  needsErrors: true,
};
