import { createRandom } from '../../base/random.ts';
import type { Comparison } from '../../model/finding.ts';
import { compareSides } from './compare-sides.ts';
import { type ComparisonSettings, toComparison } from './comparisons.ts';
import { correctByHolm } from './correct-by-holm.ts';
import { toEstimate } from './estimates.ts';
import type { GroupSide } from './group-sides.ts';
import type { GroupTrials } from './group-trials.ts';
import { gather, type Part } from './sliced-counts.ts';

/** How often a recognizer gave no answer for one group and for the one it is compared with. */
export interface FailureGap {
  readonly recognizer: string;
  readonly attribute: string;
  readonly value: string;
  readonly comparedWith: string;
  readonly failed: number;
  readonly asked: number;
  readonly othersFailed: number;
  readonly othersAsked: number;
  /** The group's share of failed trials less that of the others. */
  readonly gap: Comparison;
}

/**
 * Whether trials of one group fail more often than those of the group that it is compared with: the one that the options name, or
 * that of most speakers. Failures are left out of rates, so that a recognizer that gives up on a group would look fair to it.
 * Recognizers that never failed have no rows. Holm's correction over all rows.
 */
export function failureGaps(
  { slices }: GroupTrials,
  recognizers: readonly { readonly name: string }[],
  reference: Readonly<Record<string, string>>,
  settings: Pick<ComparisonSettings, 'level' | 'minimumSpeakers' | 'seed'> & { readonly study: string },
): FailureGap[] {
  const byAttribute = Map.groupBy(slices.groups(), ({ group }) => group!.attribute);
  const compared = recognizers.flatMap(({ name }, recognizer) =>
    [...byAttribute].flatMap(([attribute, parts]) => {
      const sides = parts.map((part) => ({ value: part.group!.value, side: sideOf(part, recognizer) }));
      if (sides.every(({ side }) => failedIn(side) === 0)) return [];
      const most = sides.reduce((a, b) => (b.side.clusters.length > a.side.clusters.length ? b : a));
      const others = sides.find(({ value }) => value === reference[attribute]) ?? most;
      return sides
        .filter((one) => one !== others)
        .map((one) => ({
          recognizer: name,
          attribute,
          one,
          others,
          ...compare(one.side, others.side, [name, attribute, one.value]),
        }));
    }),
  );
  const pValues = compared.map(({ test }) => test.pValue);
  const { adjusted, correction } = correctByHolm(pValues, 'each pair of groups has a test of its own');
  return compared.map(({ recognizer, attribute, one, others, difference, test }, place): FailureGap => {
    return {
      recognizer,
      attribute,
      value: one.value,
      comparedWith: others.value,
      failed: failedIn(one.side),
      asked: one.side.n.words!,
      othersFailed: failedIn(others.side),
      othersAsked: others.side.n.words!,
      gap: toComparison(difference, test, adjusted[place]!, correction),
    };
  });

  function compare(one: GroupSide, others: GroupSide, what: readonly string[]) {
    const { level, minimumSpeakers, seed, study } = settings;
    const { interval, ...test } = compareSides(
      others,
      one,
      { level, minimumSpeakers, seed },
      createRandom({ seed, study, what: ['failures', ...what], use: 'test' }),
    );
    const people = new Set([...one.clusters, ...others.clusters]);
    const n = {
      utterances: one.n.utterances + others.n.utterances,
      speakers: [...people].filter((cluster) => slices.clusters.isSpeaker(cluster)).length,
    };
    return { difference: toEstimate(interval, n), test };
  }
}

function sideOf(part: Part, recognizer: number): GroupSide {
  const { counts, n } = gather(part, recognizer);
  return { counts: { ...counts, proportion: true }, clusters: part.rows.map((row) => part.clusterOf(row)), n };
}

function failedIn({ counts }: GroupSide): number {
  return counts.numerators.reduce((sum, failed) => sum + failed, 0);
}
