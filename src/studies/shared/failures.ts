import { createRandom } from '../../base/random.ts';
import type { Comparison, Section, Statement } from '../../model/finding.ts';
import type { FailureKind } from '../../model/observation.ts';
import { adjustedColumn, comparedWithColumn, groupColumn, recognizerColumn, verdictColumn } from './columns.ts';
import { compareSides } from './compare-sides.ts';
import { type ComparisonSettings, correctByHolm, toComparison, turned } from './comparisons.ts';
import { toEstimate } from './estimates.ts';
import type { GroupSide } from './group-pairs.ts';
import type { GroupTrials } from './group-trials.ts';
import { gather, type Part } from './sliced-counts.ts';
import { named } from './wording.ts';

/** What became of the trials of one recognizer in one condition. */
export interface TrialCounts {
  readonly asked: number;
  readonly answered: number;
  readonly failed: number;
  /** By kind, in the order of code units. */
  readonly failures: readonly { readonly kind: FailureKind; readonly count: number }[];
}

/** Counts trials and failures by kind in numbered places. */
export class FailureCounts {
  readonly #answered: Float64Array;
  readonly #failures: Map<FailureKind, number>[];

  constructor(places: number) {
    this.#answered = new Float64Array(places);
    this.#failures = Array.from({ length: places }, () => new Map());
  }

  addAnswer(place: number): void {
    this.#answered[place]! += 1;
  }

  addFailure(place: number, kind: FailureKind): void {
    const failures = this.#failures[place]!;
    failures.set(kind, (failures.get(kind) ?? 0) + 1);
  }

  at(place: number): TrialCounts {
    const failures = [...this.#failures[place]!]
      .map(([kind, count]) => ({ kind, count }))
      .sort((a, b) => (a.kind < b.kind ? -1 : 1));
    const failed = failures.reduce((sum, { count }) => sum + count, 0);
    const answered = this.#answered[place]!;
    return { asked: answered + failed, answered, failed, failures };
  }
}

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

/** Those beyond chance, in a sentence each: of the group that fails more often. */
export function failureStatements(gaps: readonly FailureGap[]): Statement[] {
  return gaps
    .filter(({ gap }) => gap.verdict !== 'cannot tell')
    .map(({ recognizer, attribute, value, comparedWith, failed, asked, othersFailed, othersAsked, gap }): Statement => {
      const more = { value, count: `${failed} of ${asked}` };
      const fewer = { value: comparedWith, count: `${othersFailed} of ${othersAsked}` };
      const isMore = gap.verdict === 'worse';
      const [one, other] = isMore ? [more, fewer] : [fewer, more];
      const comparison = isMore ? gap : turned(gap);
      return {
        text: `${named(recognizer)} gives no answer more often for ${named(attribute)} ${named(one.value)} than for ${named(other.value)}: in ${one.count} trials against ${other.count}. Its error rates are of the answers that are left.`,
        verdict: comparison.verdict,
        comparison,
        kind: 'difference',
      };
    });
}

/** Null where nothing failed, or there are no groups. */
export function failureGapsSection(study: string, gaps: readonly FailureGap[]): Section | null {
  if (gaps.length === 0) return null;
  const id = `${study}-failures-by-group`;
  return {
    id,
    title: 'Failures by group',
    text: [
      'Trials without an answer are left out of error rates: where one group has more of them, rates are not of the same.',
    ],
    tables: [
      {
        id,
        title: 'Failed trials of groups',
        columns: [
          recognizerColumn,
          groupColumn,
          { key: 'failed', label: 'Failed', kind: 'count' },
          { key: 'asked', label: 'Trials', kind: 'count' },
          comparedWithColumn,
          { key: 'othersFailed', label: 'Failed there', kind: 'count' },
          { key: 'othersAsked', label: 'Trials there', kind: 'count' },
          { key: 'gap', label: 'Difference of shares', kind: 'difference' },
          adjustedColumn('How often chance alone would make such a difference, corrected for all of the table (Holm).'),
          verdictColumn,
        ],
        rows: gaps.map(({ attribute, value, gap, ...row }) => ({
          ...row,
          group: `${attribute} ${value}`,
          gap,
          adjustedPValue: gap.adjustedPValue,
          verdict: gap.verdict,
        })),
      },
    ],
  };
}
