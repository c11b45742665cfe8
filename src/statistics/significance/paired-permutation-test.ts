import type { Random } from '../../base/random.ts';
import type { Reason } from '../../model/reason.ts';
import { type ClusteredCounts, clusterTable, columnSums } from '../bootstrap/clustered-counts.ts';
import { requireSquares } from '../interval.ts';
import {
  type ArrangementCounts,
  arrangementsName,
  defaultPermutations,
  eachArrangement,
  type PermutationOptions,
  type PermutationResult,
  permutationPValue,
} from './permutation-result.ts';
import { tieSlack } from './tie-slack.ts';

/** A p value, and by which form of the test. */
export interface PairedPermutationResult {
  /** Two-sided, never 0. Null with `reason` where no rate exists. */
  readonly pValue: number | null;
  readonly reason?: Reason;
  /** Which form of the test was made. */
  readonly test: string;
}

/**
 * Whether two systems have the same pooled rate: under that hypothesis the two counts of a cluster (speaker) could as well
 * have come the other way round, so they are swapped, cluster by cluster, and the p value is the share of arrangements
 * whose rates differ at least as much as the observed (R. A. Fisher, "The design of experiments", 1935, section 21; for
 * clusters as units see B. Efron and R. Tibshirani, "An introduction to the bootstrap", 1993, chapter 15).
 *
 * Exact over all arrangements where there are at most `permutations` of them (13 clusters by default); otherwise from
 * random ones with (b + 1) / (m + 1), which keeps its level (B. Phipson and G. Smyth, "Permutation p-values should never
 * be zero", 2010). Clusters in which both systems have the same counts are left out: swapping them changes nothing. With
 * n clusters that differ p is at least 2 / 2^n: fewer than 6 cannot reach .05. Of alike systems p was at most .05, in 10,000
 * simulations each (bench/calibration/tests.ts), in 2.9 % with 6 speakers of equally many words, 4.3 with 8, 4.8 with 20 and
 * with 50; of unequally many words (logarithmic spread .8) in 2.4, 4.1, 4.8 and 4.7 %; where each system suited some of 20
 * speakers more than the other, in 4.6 %.
 *
 * @throws RangeError as `rateInterval`
 * @example pairedPermutationTest(before, after, { random: createRandom('an example') }).pValue
 */
export function pairedPermutationTest(
  first: ClusteredCounts,
  second: ClusteredCounts,
  options: { readonly permutations?: number; readonly random: Random },
): PairedPermutationResult {
  const { permutations = defaultPermutations, random } = options;
  const table = clusterTable(first, second);
  const sums = columnSums(table, 4);
  const name = 'paired permutation test, systems swapped by cluster';
  if (table.length === 0) return { pValue: null, reason: { code: 'nothing-counted' }, test: name };
  if (!(sums[1]! > 0 && sums[3]! > 0)) {
    return { pValue: null, reason: { code: 'no-denominator' }, test: name };
  }

  const numeratorChanges: number[] = [];
  const denominatorChanges: number[] = [];
  for (let place = 0; place < table.length; place += 4) {
    const numeratorChange = table[place + 2]! - table[place]!;
    const denominatorChange = table[place + 3]! - table[place + 1]!;
    if (numeratorChange !== 0 || denominatorChange !== 0) {
      numeratorChanges.push(numeratorChange);
      denominatorChanges.push(denominatorChange);
    }
  }
  const numerators = subsetSums(numeratorChanges);
  const denominators = subsetSums(denominatorChanges);
  const octets = numerators.length / 256;

  const observed = Math.abs(sums[2]! / sums[3]! - sums[0]! / sums[1]!);
  const threshold = observed - tieSlack(observed, Math.abs(sums[2]! / sums[3]!) + Math.abs(sums[0]! / sums[1]!));
  const asExtreme = (swapped: Uint8Array) => {
    let numeratorChange = 0;
    let denominatorChange = 0;
    for (let octet = 0; octet < octets; octet++) {
      const place = 256 * octet + swapped[octet]!;
      numeratorChange += numerators[place]!;
      denominatorChange += denominators[place]!;
    }
    const firstDenominator = sums[1]! + denominatorChange;
    const secondDenominator = sums[3]! - denominatorChange;
    // An arrangement without a rate counts against a difference.
    if (!(firstDenominator > 0 && secondDenominator > 0)) return true;
    const difference =
      (sums[2]! - numeratorChange) / secondDenominator - (sums[0]! + numeratorChange) / firstDenominator;
    return Math.abs(difference) >= threshold;
  };

  let extreme = 0;
  const { arrangements, exact } = eachArrangement(numeratorChanges.length, permutations, random, (swapped) => {
    if (asExtreme(swapped)) extreme++;
  });
  const test = `${name}, ${arrangementsName(arrangements, exact)}`;
  return { pValue: exact ? extreme / arrangements : (extreme + 1) / (arrangements + 1), test };
}

/**
 * Whether the mean of values (paired differences, one per speaker) is 0: under that hypothesis each could as well have had
 * the other sign, so signs are flipped, and the p value is the share of arrangements whose mean lies as far out (R. A.
 * Fisher, "The design of experiments", 1935, section 21). Zeros change nothing and are left out of the arrangements, not
 * of the mean. With n values that are not 0 two-sided p is at least 2 / 2^n: fewer than 6 cannot reach .05.
 *
 * Of alike systems p was at most .05, in 10,000 simulations each (bench/calibration/tests.ts), in 3.1 % with 6 speakers, 4.8
 * with 8, 5.0 with 20, 5.2 with 60. Where theory says it cannot hold: values must, where their mean is 0, lie symmetrically
 * around it (strongly skewed ones: 13 % with 20 speakers), and be independent (200 utterances of 20 speakers: 31 %; their
 * means by speaker 5.0 %).
 *
 * @throws RangeError for values that are not finite or beyond 1e150
 * @example signFlipTest([.02, .05, -.01, .03], { random: createRandom('an example') }).pValue // .25
 */
export function signFlipTest(values: ArrayLike<number>, options: PermutationOptions): PermutationResult {
  const { alternative = 'two-sided', permutations = defaultPermutations, random } = options;
  requireSquares(values, 'values');
  const name = 'permutation test of a mean, signs flipped';
  const count = values.length;
  if (count === 0) return { difference: null, pValue: null, reason: { code: 'nothing-counted' }, test: name };
  const flipped = Array.from(values).filter((value) => value !== 0);
  const total = flipped.reduce((sum, value) => sum + value, 0);
  const difference = total / count;
  if (flipped.length === 0) return { difference, pValue: null, reason: { code: 'no-difference' }, test: name };

  const sums = subsetSums(flipped);
  const octets = sums.length / 256;
  // Flipping a subset changes the sum by twice the subset's.
  const size = flipped.reduce((sum, value) => sum + Math.abs(value), 0);
  const slack = tieSlack(total, size) / 2;
  const counts: ArrangementCounts = { atMost: 0, atLeast: 0 };
  const { arrangements, exact } = eachArrangement(flipped.length, permutations, random, (subset) => {
    let change = 0;
    for (let octet = 0; octet < octets; octet++) change += sums[256 * octet + subset[octet]!]!;
    if (change >= -slack) counts.atMost++;
    if (change <= slack) counts.atLeast++;
  });
  const pValue = permutationPValue(counts, arrangements, exact, alternative);
  return { difference, pValue, test: `${name}, ${arrangementsName(arrangements, exact)}` };
}

/** For each eight values: the sum of every subset, so that an arrangement costs one look-up for eight values. */
function subsetSums(values: readonly number[]): Float64Array {
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
