import type { Json } from '../../base/json.ts';
import { createRandom } from '../../base/random.ts';
import type { Comparison } from '../../model/finding.ts';
import type { Reason } from '../../model/reason.ts';
import { tooFewClusters } from '../../statistics/bootstrap/cluster-spread.ts';
import { clusterTable } from '../../statistics/bootstrap/clustered-counts.ts';
import { differenceInterval } from '../../statistics/bootstrap/difference-interval.ts';
import { randomOfData } from '../../statistics/bootstrap/random-of-data.ts';
import { jointGroupTest } from '../../statistics/significance/joint-group-test.ts';
import { defaultPermutations } from '../../statistics/significance/permutation-result.ts';
import type { StudyContext } from '../contract.ts';
import { correctByHolm, toComparison } from './comparisons.ts';
import { toEstimate } from './estimates.ts';
import { compareSides, type GroupSide, sizeOfBoth } from './group-pairs.ts';
import { fewWhoDecide } from './open-verdict.ts';

/** Second less first, before any verdict. */
export interface GroupTest {
  readonly first: number;
  readonly second: number;
  readonly difference: Comparison['difference'];
  readonly pValue: number | null;
  /** Corrected for all that were tested jointly; absent where the correction waits for others. */
  readonly adjustedPValue?: number | null;
  readonly test: string;
  readonly reason?: Reason;
  /** Whether one speaker makes nearly all of its interval. */
  readonly few: number;
}

export interface GroupTestSettings {
  readonly level: number;
  readonly resamples: number;
  readonly permutations?: number;
  readonly minimumSpeakers: number;
  /** Of the run. */
  readonly seed: number;
  readonly study: string;
  /** Seeds the random numbers: unique in the study. */
  readonly what: Json;
  readonly computing?: StudyContext['computing'];
  /** Whether two groups are compared in a measure: not where they are in another, over what these two share. All are if absent. */
  readonly isAsked?: (measure: number, first: number, second: number) => boolean;
}

/** Every pair of groups, each p value by itself. Null: a group without the rate, which has no comparisons. */
export function testPairs(sides: readonly (GroupSide | null)[], settings: GroupTestSettings, measure = 0): GroupTest[] {
  const { isAsked = () => true } = settings;
  return sides.flatMap((one, first) =>
    sides.flatMap((other, second): GroupTest[] =>
      second <= first || one === null || other === null || !isAsked(measure, first, second)
        ? []
        : [testPair(one, other, first, second, settings)],
    ),
  );
}

/**
 * Every pair of groups in every measure, each list of groups being one measure; null: no rate. Where each speaker is in one group alone, all
 * are tested jointly (`jointGroupTest`); else each pair by itself, and the correction waits for all others.
 */
export function testTogether(
  measures: readonly (readonly (GroupSide | null)[])[],
  settings: GroupTestSettings,
): readonly (readonly GroupTest[])[] {
  const { level, permutations = defaultPermutations, minimumSpeakers, seed, study, what } = settings;
  const groups = measures[0]?.length ?? 0;
  const groupOf = new Map<number, number>();
  let shared = false;
  for (const sides of measures) {
    sides.forEach((side, group) => {
      for (const cluster of side?.clusters ?? []) {
        if ((groupOf.get(cluster) ?? group) !== group) shared = true;
        groupOf.set(cluster, group);
      }
    });
  }
  if (shared) return measures.map((sides, measure) => testPairs(sides, settings, measure));

  const places = new Map([...groupOf.keys()].map((cluster, place) => [cluster, place]));
  const counts = measures.map((sides) => {
    const numerators = new Float64Array(places.size);
    const denominators = new Float64Array(places.size);
    for (const side of sides) {
      side?.clusters.forEach((cluster, at) => {
        numerators[places.get(cluster)!] = side.counts.numerators[at]!;
        denominators[places.get(cluster)!] = side.counts.denominators[at]!;
      });
    }
    return { numerators, denominators };
  });
  const random = createRandom({ seed, study, what, use: 'all pairs' });
  const isEnough = (measure: number, group: number) => {
    const side = measures[measure]![group];
    return side != null && tooFewClusters([clusterTable(side.counts)], 2, minimumSpeakers) === null;
  };
  const onProgress = (done: number, of: number) => settings.computing?.('comparing groups', done, of);
  const joint = jointGroupTest([...groupOf.values()], groups, counts, {
    ...(settings.isAsked && { isAsked: settings.isAsked }),
    ...{ permutations, level, isEnough, random, randomOfPair: randomOfData(seed), onProgress },
  });
  return measures.map((sides, number) =>
    joint.pairs.flatMap((pair): GroupTest[] => {
      const [one, other] = [sides[pair.first], sides[pair.second]];
      if (pair.measure !== number || one == null || other == null) return [];
      const { pValue, adjustedPValue, low, high, reason } = pair;
      const few = tooFewClusters([clusterTable(one.counts), clusterTable(other.counts)], 2, minimumSpeakers);
      const method = `differences that the test does not reject: ${pair.test}`;
      const interval =
        low === null && few === null
          ? differenceInterval(one.counts, other.counts, {
              ...{ level, resamples: settings.resamples, minimumClusters: minimumSpeakers, clusters: 'separate' },
              random: randomOfData(seed),
            })
          : {
              ...{ value: pair.difference, level, method },
              ...(few === null ? { low, high } : { low: null, high: null, reason: few }),
            };
      return [
        {
          ...{ first: pair.first, second: pair.second, pValue, adjustedPValue, test: joint.test },
          difference: toEstimate(interval, sizeOfBoth(one, other)),
          few: fewWhoDecide(one.counts, other.counts, 'separate'),
          ...(reason === undefined || few !== null ? {} : { reason }),
        },
      ];
    }),
  );
}

function testPair(
  one: GroupSide,
  other: GroupSide,
  first: number,
  second: number,
  settings: GroupTestSettings,
): GroupTest {
  const { interval, ...tested } = compareSides(one, other, settings);
  const few = fewWhoDecide(one.counts, other.counts, 'separate');
  return { first, second, difference: toEstimate(interval, sizeOfBoth(one, other)), few, ...tested };
}

/** Verdicts of tests: those that were corrected jointly keep that; the others are corrected together after Holm. */
export function judgeTests(tests: readonly GroupTest[]): Comparison[] {
  const apart = tests.filter(({ adjustedPValue }) => adjustedPValue === undefined);
  const pValues = apart.map(({ pValue }) => pValue);
  const { adjusted, correction } = correctByHolm(pValues, 'each pair of groups has a test of its own');
  return tests.map((test) => {
    const { adjustedPValue: jointly, few } = test;
    return jointly === undefined
      ? toComparison(test.difference, test, adjusted[apart.indexOf(test)]!, correction, { few })
      : toComparison(test.difference, test, jointly, null, { family: 'pair', few });
  });
}
