import { grouped } from '../../base/number-format.ts';
import type { Random } from '../../base/random.ts';
import type { Reason } from '../../model/reason.ts';
import { normalUpperTail } from '../distributions.ts';
import { select } from '../quantile.ts';
import type { Alternative } from './binomial-test.ts';
import { tieSlack } from './tie-slack.ts';

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
  readonly reason?: Reason;
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
  return exact ? `exact over ${grouped(arrangements)} arrangements` : `${grouped(arrangements)} random arrangements`;
}

/**
 * The p value of an alternative from the probabilities of a statistic at most, and at least, as great as the observed one.
 * Two-sided it is twice the smaller, at most 1: the rule of R's and scipy's rank and permutation tests.
 */
export function oneOrTwoSided(atMost: number, atLeast: number, alternative: Alternative): number {
  // Sums of many probabilities may pass 1 in the last digit.
  if (alternative === 'greater') return Math.min(1, atLeast);
  if (alternative === 'less') return Math.min(1, atMost);
  return Math.min(1, 2 * Math.min(atMost, atLeast));
}

/** The p value of an alternative from a statistic that is standard normal where nothing differs. */
export function normalPValue(z: number, alternative: Alternative): number {
  return oneOrTwoSided(normalUpperTail(-z), normalUpperTail(z), alternative);
}

/**
 * The share of arrangements whose statistic is as far from 0 as the observed one, on either side: the two-sided p value of a statistic
 * that is nearly symmetric. Where groups are not alike it holds its level better than twice the smaller side.
 *
 * @param distances of the statistic from 0 in each arrangement; infinite where there is none
 */
export function symmetricPValue(distances: ArrayLike<number>, observed: number, exact: boolean): number {
  const threshold = observed - tieSlack(observed);
  let asFar = 0;
  for (let place = 0; place < distances.length; place++) if (distances[place]! >= threshold) asFar++;
  return permutationPValue({ atMost: 0, atLeast: asFar }, distances.length, exact, 'greater');
}

/**
 * How far from 0 an observed statistic may be for `symmetricPValue` to be above 1 - level. Infinite where there are too few arrangements
 * for any to be rejected.
 */
export function farthestKept(distances: ArrayLike<number>, level: number, exact: boolean): number {
  // Among all arrangements the observed is one of them, to random ones it is added.
  const added = exact ? 0 : 1;
  const rejected = Math.floor((1 - level) * (distances.length + added) * (1 + 1e-12));
  if (rejected === 0) return Number.POSITIVE_INFINITY;
  const asFar = rejected - added;
  const moved = Float64Array.from(distances);
  select(moved, distances.length - 1 - asFar);
  const farthest = moved[distances.length - 1 - asFar]!;
  return farthest + tieSlack(farthest);
}

/**
 * Calls with subsets of `units` things, as one byte for eight of them: with every subset where there are at most
 * `permutations`, else with so many random ones.
 *
 * @returns how many calls were made, and whether they were all the subsets there are
 */
export function eachArrangement(
  units: number,
  permutations: number,
  random: Random,
  call: (subset: Uint8Array) => void,
): { readonly arrangements: number; readonly exact: boolean } {
  requirePermutations(permutations);
  const octets = Math.ceil(units / 8);
  const subset = new Uint8Array(4 * Math.ceil(octets / 4));
  const arrangements = 2 ** units;
  if (arrangements <= permutations || units === 0) {
    for (let arrangement = 0; arrangement < arrangements; arrangement++) {
      for (let octet = 0; octet < octets; octet++) subset[octet] = Math.floor(arrangement / 256 ** octet) & 255;
      call(subset);
    }
    return { arrangements, exact: true };
  }
  for (let permutation = 0; permutation < permutations; permutation++) {
    for (let octet = 0; octet < octets; octet += 4) {
      const bits = Math.floor(random.next() * 4294967296);
      subset[octet] = bits & 255;
      subset[octet + 1] = (bits >>> 8) & 255;
      subset[octet + 2] = (bits >>> 16) & 255;
      subset[octet + 3] = bits >>> 24;
    }
    call(subset);
  }
  return { arrangements: permutations, exact: false };
}

/** @throws RangeError unless a whole number above 0 */
export function requirePermutations(permutations: number): void {
  if (!(Number.isInteger(permutations) && permutations > 0)) {
    throw new RangeError(`expected a whole number of permutations above 0, but got ${permutations}`);
  }
}
