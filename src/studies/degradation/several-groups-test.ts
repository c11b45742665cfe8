import type { Random } from '../../base/random.ts';
import type { ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { permutationPValue } from '../../statistics/significance/permutation-result.ts';
import { permutationTestOfRates } from '../../statistics/significance/permutation-test.ts';
import {
  unskewedColumns,
  unskewedDifference,
  unskewedTable,
} from '../../statistics/significance/unskewed-difference.ts';

/** Two of the groups, and how likely so great a difference is where no group differs. */
export interface PairOfGroups {
  /** Places in the list of groups. */
  readonly first: number;
  readonly second: number;
  /** Corrected for all pairs; null with `reason` where there is no test. */
  readonly pValue: number | null;
  readonly reason?: string;
}

/**
 * Which of several groups of different speakers differ in a pooled rate: speakers are dealt anew to groups of the same sizes,
 * and each pair's difference in standard errors is compared with the greatest of any pair (P. Westfall and S. Young,
 * "Resampling-based multiple testing", 1993, single-step maxT). So the chance of any false finding among all pairs is that
 * of one test, and no more is given away than needed. Of two groups it is `permutationTestOfRates`, exact where it can be.
 *
 * The difference is studentized as there, each group having its own spread, and freed of skewness (`unskewedDifference`): without
 * that a group of 20 who differ twice as much as the 60 others was found in 8 of 100 fair worlds, mostly as losing less.
 * Groups of one speaker have no spread, and are not tested; bench/calibration/degradation.ts has the share of false findings.
 *
 * @param groups errors and words of each group's speakers; speakers that have no words are passed over
 * @throws RangeError as `permutationTestOfRates`
 */
export function testSeveralGroups(
  groups: readonly ClusteredCounts[],
  { permutations, random }: { readonly permutations: number; readonly random: Random },
): { readonly pairs: readonly PairOfGroups[]; readonly test: string } {
  const filled = groups.map(withWords);
  const tested = filled.flatMap(({ denominators }, place) => (denominators.length >= 2 ? [place] : []));
  const pairs = groups.flatMap((_, first) =>
    groups.slice(first + 1).map((_, offset) => ({ first, second: first + 1 + offset })),
  );
  if (tested.length === 2) {
    const [one, other] = tested as [number, number];
    const { pValue, reason, test } = permutationTestOfRates(filled[other]!, filled[one]!, {
      permutations,
      statistic: 'unskewed',
      random,
    });
    const found = pairs.map((pair) =>
      pair.first === one && pair.second === other
        ? { ...pair, pValue, ...(reason === undefined ? {} : { reason }) }
        : { ...pair, ...lonely },
    );
    return { pairs: found, test };
  }
  const test = `permutation test of ${tested.length} groups, speakers dealt anew, studentized and freed of skewness, greatest of all pairs, ${permutations} random arrangements`;
  if (tested.length < 2) return { pairs: pairs.map((pair) => ({ ...pair, ...lonely })), test };

  const numerators = Float64Array.from(tested.flatMap((place) => [...filled[place]!.numerators]));
  const denominators = Float64Array.from(tested.flatMap((place) => [...filled[place]!.denominators]));
  const pooled = sum(numerators) / sum(denominators);
  const table = unskewedTable(numerators, denominators, pooled);
  const sizes = tested.map((place) => filled[place]!.denominators.length);
  const order = Uint32Array.from({ length: numerators.length }, (_, unit) => unit);
  const observed = pairStatistics(groupSums(table, order, sizes), sizes);
  const atLeast = observed.map(() => 0);
  for (let permutation = 0; permutation < permutations; permutation++) {
    shuffle(order, random);
    // An arrangement without a rate counts against a difference.
    const greatest = Math.max(...pairStatistics(groupSums(table, order, sizes), sizes));
    observed.forEach((value, place) => {
      if (greatest >= value - 1e-9 * (1 + value)) atLeast[place]!++;
    });
  }
  const placeOf = new Map(tested.map((place, index) => [place, index]));
  const found = pairs.map((pair): PairOfGroups => {
    const [one, other] = [placeOf.get(pair.first), placeOf.get(pair.second)];
    if (one === undefined || other === undefined) return { ...pair, ...lonely };
    const place = pairPlace(one, other, tested.length);
    // Both tails are in the greatest of absolute values.
    const share = permutationPValue({ atMost: 0, atLeast: atLeast[place]! }, permutations, false, 'greater');
    return { ...pair, pValue: share };
  });
  return { pairs: found, test };
}

const lonely = { pValue: null, reason: 'a group of fewer than 2 speakers has no spread' } as const;

function withWords({ numerators, denominators }: ClusteredCounts): ClusteredCounts {
  const kept = [...denominators.keys()].filter((cluster) => denominators[cluster]! > 0);
  return {
    numerators: Float64Array.from(kept, (cluster) => numerators[cluster]!),
    denominators: Float64Array.from(kept, (cluster) => denominators[cluster]!),
  };
}

function groupSums(table: Float64Array, order: Uint32Array, sizes: readonly number[]): Float64Array[] {
  let place = 0;
  return sizes.map((size) => {
    const sums = new Float64Array(unskewedColumns);
    for (const end = place + size; place < end; place++) {
      const start = unskewedColumns * order[place]!;
      for (let column = 0; column < unskewedColumns; column++) sums[column]! += table[start + column]!;
    }
    return sums;
  });
}

function pairStatistics(sums: readonly Float64Array[], sizes: readonly number[]): number[] {
  const statistics: number[] = [];
  const both = new Float64Array(unskewedColumns);
  for (let one = 0; one < sizes.length; one++) {
    for (let other = one + 1; other < sizes.length; other++) {
      for (let column = 0; column < unskewedColumns; column++)
        both[column] = sums[one]![column]! + sums[other]![column]!;
      const found = unskewedDifference(sums[one]!, { sizes: [sizes[one]!, sizes[other]!], sums: both });
      statistics.push(found === null ? Number.POSITIVE_INFINITY : Math.abs(found));
    }
  }
  return statistics;
}

/** Where `pairStatistics` has a pair. */
function pairPlace(one: number, other: number, groups: number): number {
  return one * groups - (one * (one + 1)) / 2 + other - one - 1;
}

function shuffle(order: Uint32Array, random: Random): void {
  for (let place = order.length - 1; place > 0; place--) {
    const drawn = random.integer(place + 1);
    const unit = order[drawn]!;
    order[drawn] = order[place]!;
    order[place] = unit;
  }
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}
