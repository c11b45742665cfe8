import { grouped } from '../../base/number-format.ts';
import { turned } from '../../model/comparison.ts';
import type { Comparison, Section, Statement } from '../../model/finding.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { ReadAttribute } from './attributes.ts';
import { type ComparisonSettings, correctByHolm, toComparison } from './comparisons.ts';
import { openFailedTrials } from './cube/failed-trials.ts';
import { toEstimate } from './estimates.ts';
import { compareSides, type GroupSide } from './group-pairs.ts';
import type { SpeakerClusters } from './speaker-clusters.ts';
import { comparedWithColumn, groupColumn, judgedColumns, recognizerColumn, tableOf } from './tables.ts';
import { named } from './wording.ts';

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

/** Failed trials among all, by group and recognizer. */
export interface FailuresByGroup {
  /** Those of attributes with two values or more, in the order of their code units. */
  groups(): readonly {
    readonly group: { readonly attribute: string; readonly value: string };
    readonly side: (recognizer: number) => GroupSide;
  }[];
  readonly clusters: Pick<SpeakerClusters, 'isSpeaker'>;
}

/**
 * Whether trials of one group fail more often than those of the group that it is compared with: the one that the options name, or
 * that of most speakers. Failures are left out of rates, so that a recognizer that gives up on a group would look fair to it.
 * Two groups of which a recognizer failed for neither have no row. Holm's correction over all rows.
 */
export function failureGaps(
  { groups, clusters }: FailuresByGroup,
  recognizers: readonly { readonly name: string }[],
  reference: Readonly<Record<string, string>>,
  settings: Pick<ComparisonSettings, 'level' | 'minimumSpeakers' | 'seed'>,
): FailureGap[] {
  const byAttribute = Map.groupBy(groups(), ({ group }) => group.attribute);
  const compared = recognizers.flatMap(({ name }, recognizer) =>
    [...byAttribute].flatMap(([attribute, own]) => {
      const sides = own.map(({ group, side }) => ({ value: group.value, side: side(recognizer) }));
      const most = sides.reduce((a, b) => (b.side.clusters.length > a.side.clusters.length ? b : a));
      const others = sides.find(({ value }) => value === reference[attribute]) ?? most;
      return sides
        .filter((one) => one !== others && failedIn(one.side) + failedIn(others.side) > 0)
        .map((one) => ({
          recognizer: name,
          attribute,
          one,
          others,
          ...compare(one.side, others.side),
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

  function compare(one: GroupSide, others: GroupSide) {
    const { interval, ...test } = compareSides(others, one, settings);
    const people = new Set([...one.clusters, ...others.clusters]);
    const n = {
      utterances: one.n.utterances + others.n.utterances,
      speakers: [...people].filter((cluster) => clusters.isSpeaker(cluster)).length,
    };
    return { difference: toEstimate(interval, n), test };
  }
}

function failedIn({ counts }: GroupSide): number {
  return counts.numerators.reduce((sum, failed) => sum + failed, 0);
}

/** Those beyond chance, in a sentence each: of the group that fails more often. */
export function failureStatements(gaps: readonly FailureGap[]): Statement[] {
  return gaps
    .filter(({ gap }) => gap.verdict !== 'cannot tell')
    .map(({ recognizer, attribute, value, comparedWith, failed, asked, othersFailed, othersAsked, gap }): Statement => {
      const more = { value, count: `${grouped(failed)} of ${grouped(asked)}` };
      const fewer = { value: comparedWith, count: `${grouped(othersFailed)} of ${grouped(othersAsked)}` };
      const isMore = gap.verdict === 'worse';
      const [one, other] = isMore ? [more, fewer] : [fewer, more];
      const comparison = isMore ? gap : turned(gap);
      return {
        text: `${named(recognizer)} fails more often for ${named(attribute)} ${named(one.value)} than for ${named(other.value)}: in ${one.count} against ${other.count} trials. Its error rates leave these trials out.`,
        verdict: comparison.verdict,
        comparison,
        kind: 'difference',
        about: { recognizer, group: { [attribute]: one.value }, by: 'failures' },
      };
    });
}

/** Null where nothing failed, or there are no groups. */
export function failureGapsSection(study: string, gaps: readonly FailureGap[]): Section | null {
  if (gaps.length === 0) return null;
  const id = `${study}-failures-by-group`;
  return {
    id,
    title: 'Groups with more failed trials',
    text: ['Failed trials are left out of error rates: if one group has more of them, the rates are not comparable.'],
    tables: [
      tableOf(id, 'Failed trials of groups', gaps, [
        recognizerColumn,
        { ...groupColumn, of: ({ attribute, value }) => `${attribute} ${value}` },
        { key: 'failed', label: 'Failed', kind: 'count' },
        { key: 'asked', label: 'Trials', kind: 'count' },
        comparedWithColumn,
        { key: 'othersFailed', label: 'Failed, other group', kind: 'count' },
        { key: 'othersAsked', label: 'Trials, other group', kind: 'count' },
        { key: 'gap', label: 'Difference of shares', kind: 'difference' },
        ...judgedColumns('p of the difference, corrected for the whole table (Holm).', ({ gap }: FailureGap) => gap),
      ]),
    ],
  };
}

/** Trials that failed and trials that were asked, by group and speaker; as large as these are many. */
export interface GroupTrials extends FailuresByGroup {
  /** Trials about an utterance: of each recognizer whether it failed; null where it was not asked. Those of one utterance come one after another. */
  add(utterance: Utterance, failed: readonly (boolean | null)[]): void;
}

/** @param groupBy attributes that make groups; null: every attribute with 2 to 8 values */
export function createGroupTrials(
  recognizers: readonly string[],
  groupBy: readonly string[] | null,
  read: ReadAttribute,
): GroupTrials {
  // Sums alone are taken from it.
  const cube = openFailedTrials(recognizers, groupBy, { level: 0.95, resamples: 1, minimumSpeakers: 2, seed: 0 });
  let last = null as { readonly id: string; readonly grouped: Utterance } | null;
  return {
    add(utterance, failed) {
      if (last?.id !== utterance.id) {
        const names = groupBy ?? Object.keys(utterance.attributes);
        const values = names.flatMap((name) => {
          const value = read(utterance, name);
          return value === null ? [] : [[name, value] as const];
        });
        last = { id: utterance.id, grouped: { ...utterance, attributes: Object.fromEntries(values) } };
      }
      cube.add(
        last.grouped,
        failed.map((one) => (one === null ? null : { failed: one })),
      );
    },
    clusters: cube.units,
    groups: () =>
      cube.parts('group').flatMap((part) => {
        const { group } = part;
        return group === null ? [] : [{ group, side: (series) => part.side({ series, path: [], ratio: 'share' }) }];
      }),
  };
}
