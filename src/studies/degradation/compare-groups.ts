import type { Json } from '../../base/json.ts';
import { createRandom } from '../../base/random.ts';
import type { Comparison, SampleSize } from '../../model/finding.ts';
import { compareSides } from '../shared/compare-sides.ts';
import { correctByHolm } from '../shared/correct-by-holm.ts';
import { toEstimate } from '../shared/estimates.ts';
import { type GroupSide, shareSpeakers } from '../shared/group-sides.ts';
import type { DegradationOptions } from './options.ts';
import { testSeveralGroups } from './several-groups-test.ts';

/** Second less first, before any verdict. */
export interface GroupTest {
  readonly first: number;
  readonly second: number;
  readonly difference: Comparison['difference'];
  readonly pValue: number | null;
  readonly test: string;
  readonly reason?: string;
}

export interface GroupTestSettings
  extends Pick<DegradationOptions, 'level' | 'resamples' | 'permutations' | 'minimumSpeakers'> {
  readonly seed: number;
  /** Seeds the random numbers: unique in the study. */
  readonly what: Json;
}

/** Every pair of groups, each p value by itself. Null: a group without the rate, which has no comparisons. */
export function testPairs(sides: readonly (GroupSide | null)[], settings: GroupTestSettings): GroupTest[] {
  return sides.flatMap((one, first) =>
    sides.flatMap((other, second): GroupTest[] =>
      second <= first || one === null || other === null ? [] : [testPair(one, other, first, second, settings)],
    ),
  );
}

/**
 * Every pair of groups, p values corrected for all the pairs: by the greatest difference of any pair where each speaker is
 * in one group alone, else by Holm.
 */
export function testPairsTogether(sides: readonly (GroupSide | null)[], settings: GroupTestSettings): GroupTest[] {
  const present = sides.flatMap((side, place) => (side === null ? [] : [{ side, place }]));
  const shared = present.some(({ side }, place) =>
    present.slice(place + 1).some((other) => shareSpeakers(side, other.side)),
  );
  if (shared) {
    const pairs = testPairs(sides, settings);
    const { adjusted, correction } = correctByHolm(pairs.map(({ pValue }) => pValue));
    return pairs.map((pair, place) => ({
      ...pair,
      pValue: adjusted[place]!,
      test: `${pair.test}, ${correction} pairs of groups`,
    }));
  }
  const { permutations, seed, what } = settings;
  const random = () => createRandom({ seed, study: 'degradation', what, use: 'all pairs' });
  const together = testSeveralGroups(
    present.map(({ side }) => side.counts),
    { permutations, random: random() },
  );
  return together.pairs.map(({ first, second, ...tested }): GroupTest => {
    const [one, other] = [present[first]!, present[second]!];
    // Of two groups both are of the same arrangements.
    const { interval } = compareSides(one.side, other.side, settings, random());
    const difference = toEstimate(interval, sizeOf(one.side, other.side));
    return { first: one.place, second: other.place, difference, test: together.test, ...tested };
  });
}

function testPair(
  one: GroupSide,
  other: GroupSide,
  first: number,
  second: number,
  settings: GroupTestSettings,
): GroupTest {
  const { seed, what } = settings;
  const random = createRandom({ seed, study: 'degradation', what, first, second, use: 'test' });
  const { interval, ...tested } = compareSides(one, other, settings, random);
  return { first, second, difference: toEstimate(interval, sizeOf(one, other)), ...tested };
}

function sizeOf(one: GroupSide, other: GroupSide): SampleSize {
  return {
    utterances: one.n.utterances + other.n.utterances,
    speakers: one.n.speakers + other.n.speakers,
    words: (one.n.words ?? 0) + (other.n.words ?? 0),
  };
}
