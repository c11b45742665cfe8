import { rankValues } from './rank-values.ts';

/** Ranks of numbers by their distance from 0. */
export interface MagnitudeRanks {
  /** From 1; equal distances share the mean of their ranks. */
  readonly ranks: Float64Array;
  /** How many share each rank, zeros left out. */
  readonly tieSizes: readonly number[];
  readonly zeroCount: number;
}

/** Ranks numbers by their distance from 0, the smallest first. */
export function rankMagnitudes(values: ArrayLike<number>): MagnitudeRanks {
  const { ranks, tieSizes } = rankValues(Float64Array.from(values, Math.abs));
  let zeroCount = 0;
  for (let index = 0; index < values.length; index++) if (values[index] === 0) zeroCount++;
  return { ranks, tieSizes: zeroCount > 0 ? tieSizes.slice(1) : tieSizes, zeroCount };
}
