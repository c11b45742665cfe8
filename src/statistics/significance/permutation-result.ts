import type { Random } from '../../base/random.ts';
import type { Alternative } from './binomial-test.ts';
import { oneOrTwoSided } from './one-or-two-sided.ts';

export interface PermutationOptions {
  /** `greater`: the first lies above the second (or the values above 0). */
  readonly alternative?: Alternative;
  /** Exact over all arrangements where there are at most so many, else so many random ones; 10,000 by default. */
  readonly permutations?: number;
  readonly random: Random;
}

export interface PermutationResult {
  /** What was tested: the first mean or rate minus the second. Null where one does not exist. */
  readonly difference: number | null;
  /** Never 0. Null with `reason` where nothing can be compared. */
  readonly pValue: number | null;
  readonly reason?: string;
  /** Which form of the test was made. */
  readonly test: string;
  /**
   * Where a level was asked for: the differences that would not be rejected, the arrangements being those of the test, so that 0 is
   * in it where p is above 1 - level. Null ends where too few arrangements tell.
   */
  readonly interval?: { readonly low: number | null; readonly high: number | null };
}

export const defaultPermutations = 10_000;

/** How many arrangements gave a difference at most, and at least, as great as the observed one. */
export interface ArrangementCounts {
  atMost: number;
  atLeast: number;
}

/**
 * The p value of counted arrangements. Among random ones the observed counts as one more, which keeps the level: B.
 * Phipson and G. Smyth, "Permutation p-values should never be zero", Statistical Applications in Genetics and Molecular
 * Biology 9 (2010).
 */
export function permutationPValue(
  counts: ArrangementCounts,
  arrangements: number,
  exact: boolean,
  alternative: Alternative,
): number {
  const share = (count: number) => (exact ? count / arrangements : (count + 1) / (arrangements + 1));
  return oneOrTwoSided(share(counts.atMost), share(counts.atLeast), alternative);
}

/** How a report names the arrangements. */
export function arrangementsName(arrangements: number, exact: boolean): string {
  return exact ? `exact over ${arrangements} arrangements` : `${arrangements} random arrangements`;
}
