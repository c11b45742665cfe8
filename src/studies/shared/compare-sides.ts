import type { Random } from '../../base/random.ts';
import { tooFewClusters } from '../../statistics/bootstrap/cluster-spread.ts';
import { type ClusteredCounts, clusterTable } from '../../statistics/bootstrap/clustered-counts.ts';
import { differenceInterval } from '../../statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import type { Interval } from '../../statistics/interval.ts';
import { pairedPermutationTest } from '../../statistics/significance/paired-permutation-test.ts';
import { defaultPermutations } from '../../statistics/significance/permutation-result.ts';
import { permutationTestOfRates } from '../../statistics/significance/permutation-test.ts';
import { alignedSides, type GroupSide, shareSpeakers } from './group-pairs.ts';

export interface SideSettings {
  readonly level: number;
  readonly minimumSpeakers: number;
  /** Of the run. */
  readonly seed: number;
  readonly resamples?: number;
  readonly permutations?: number;
}

/** How far two groups differ, and how likely so great a difference is where none does. */
export interface ComparedSides {
  /** Second less first. */
  readonly interval: Interval;
  readonly pValue: number | null;
  readonly test: string;
  readonly reason?: string;
}

/**
 * Compares the rates of two groups: within speakers who are in both (moods, rooms), else between the groups.
 *
 * @param random for the test
 */
export function compareSides(
  first: GroupSide,
  second: GroupSide,
  settings: SideSettings,
  random: Random,
): ComparedSides {
  if (!shareSpeakers(first, second)) return compareSeparate(first.counts, second.counts, settings, random);
  const { level, minimumSpeakers, seed, resamples = 2000, permutations = defaultPermutations } = settings;
  const [a, b] = alignedSides(first, second);
  const options = { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
  const { pValue, reason, test } = pairedPermutationTest(a, b, { permutations, random });
  return {
    interval: differenceInterval(a, b, options),
    pValue,
    test: `${test} (some speakers are in both groups)`,
    ...(reason === undefined ? {} : { reason }),
  };
}

/**
 * Groups of different speakers: of rates the interval holds the differences that the test does not reject, so that the two agree.
 * Proportions have an interval of their own, and so has what no arrangement of speakers could reject, or has no spread.
 */
function compareSeparate(
  a: ClusteredCounts,
  b: ClusteredCounts,
  settings: SideSettings,
  random: Random,
): ComparedSides {
  const { level, minimumSpeakers, seed, resamples = 2000, permutations = defaultPermutations } = settings;
  const proportions = a.proportion === true && b.proportion === true;
  const statistic = proportions ? 'studentized' : 'unskewed';
  const options = { permutations, statistic, level, random } as const;
  const { difference, interval: kept, ...found } = permutationTestOfRates(b, a, options);
  if (kept === undefined || kept.low === null) {
    const options = { level, resamples, minimumClusters: minimumSpeakers, random: randomOfData(seed) };
    return { ...found, interval: differenceInterval(a, b, { ...options, clusters: 'separate' }) };
  }
  const reason = tooFewClusters([clusterTable(a), clusterTable(b)], 2, minimumSpeakers);
  const ends = reason === null ? kept : { low: null, high: null, reason };
  const method = `differences that the test does not reject: ${found.test}`;
  return { ...found, interval: { value: difference, level, method, ...ends } };
}
