import { turned } from '../model/comparison.ts';
import type { Column, Comparison, Estimate, Table } from '../model/finding.ts';
import { measured } from '../studies/shared/estimates.ts';
import type { GroupSide } from '../studies/shared/group-pairs.ts';
import { gather, type Part, rateOf } from '../studies/shared/sliced-counts.ts';
import {
  attributeColumn,
  groupColumn,
  speakersColumn,
  verdictCells,
  verdictColumns,
} from '../studies/shared/tables.ts';
import { judgeTests, testTogether } from '../studies/shared/test-groups.ts';
import type { ComparisonSettings } from './conclude-pairs.ts';
import { type PairTally, pairSeries } from './tally-pairs.ts';

/** How far apart two groups of speakers are on either side, the one with more errors before first, and whether that changed. */
interface GapChange {
  readonly attribute: string;
  readonly groups: readonly [higher: string, lower: string];
  readonly before: Estimate;
  readonly after: Estimate;
  /** `worse`: they are further apart. */
  readonly comparison: Comparison;
}

/**
 * Each group beside the one of most speakers, where both have enough for an interval: a group that changed by as much as the other is no further from it.
 * What each speaker's errors changed by is compared between the groups, whose speakers are other people.
 */
export function gapChanges({ slices }: PairTally, settings: ComparisonSettings): readonly GapChange[] {
  const byAttribute = Map.groupBy(slices.groups(), ({ group }) => group!.attribute);
  return [...byAttribute].flatMap(([attribute, all]) => {
    const parts = all
      .filter(({ units }) => units.length >= settings.minimumSpeakers)
      .toSorted((a, b) => b.units.length - a.units.length);
    if (parts.length < 2) return [];
    const tests = testTogether([parts.map(changedIn)], {
      ...settings,
      ...{ study: 'comparison', what: ['gap', attribute] },
      isAsked: (_, first) => first === 0,
    }).flat();
    const comparisons = judgeTests(tests);
    const gapOn = (series: number, { first, second }: (typeof tests)[number]) => {
      const [own, other] = [parts[second]!, parts[first]!].map((part) => rateOf(part, series));
      const value = own == null || other == null ? null : own - other;
      return measured(value, tests[0]!.difference.n, { code: 'change-has-it' }, 'difference of two rates');
    };
    return tests.map((test, at): GapChange => {
      const [before, after] = [gapOn(pairSeries.allBefore, test), gapOn(pairSeries.allAfter, test)];
      const groups = [parts[test.second]!, parts[test.first]!].map(({ group }) => group!.value) as [string, string];
      const one = { attribute, groups, before, after, comparison: comparisons[at]! };
      return (before.value || after.value || 0) < 0 ? turnedRound(one) : one;
    });
  });
}

/** What the errors of each speaker changed by, over the same words. */
function changedIn(part: Part): GroupSide {
  const { counts: before } = gather(part, pairSeries.allBefore);
  const { counts, n } = gather(part, pairSeries.allAfter);
  const numerators = counts.numerators.map((errors, at) => errors - before.numerators[at]!);
  return { counts: { ...counts, numerators }, clusters: part.units, n };
}

function turnedRound({ groups: [one, other], before, after, comparison, attribute }: GapChange): GapChange {
  const negative = (gap: Estimate): Estimate => ({ ...gap, value: gap.value === null ? null : 0 - gap.value });
  return {
    attribute,
    groups: [other, one],
    before: negative(before),
    after: negative(after),
    comparison: turned(comparison),
  };
}

/** A row for each two groups, or none. */
export function gapTable(
  changes: readonly GapChange[],
  labels: { readonly before: string; readonly after: string },
): readonly Table[] {
  if (changes.length === 0) return [];
  const side = (key: 'before' | 'after'): Column => ({
    ...{ key, label: labels[key], kind: 'points' },
    help: 'The rate of the group less that of the other, of all conditions together.',
  });
  return [
    {
      id: 'comparison-gaps',
      title: 'Gaps between groups, all conditions together',
      columns: [
        attributeColumn,
        groupColumn,
        { key: 'comparedWith', label: 'Less', kind: 'text' },
        side('before'),
        side('after'),
        { key: 'difference', label: 'Change of the gap', kind: 'difference', help: 'Above zero: further apart.' },
        ...verdictColumns('From dealing speakers to the two groups anew'),
        speakersColumn,
      ],
      rows: changes.map(({ attribute, groups: [group, comparedWith], before, after, comparison }) => ({
        ...{ attribute, group, comparedWith, before, after, difference: comparison },
        ...verdictCells(comparison),
        speakers: comparison.difference.n.speakers,
      })),
      leads: 'Gap, points',
    },
  ];
}
