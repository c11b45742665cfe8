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
