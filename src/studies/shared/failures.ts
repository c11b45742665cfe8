import { grouped } from '../../base/number-format.ts';
import type { Comparison, Section, Statement } from '../../model/finding.ts';
import type { FailureKind } from '../../model/observation.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { ReadAttribute } from './attributes.ts';
import { type ComparisonSettings, correctByHolm, toComparison, turned } from './comparisons.ts';
import { toEstimate } from './estimates.ts';
import { compareSides, type GroupSide } from './group-pairs.ts';
import { gather, type Part, SlicedCounts } from './sliced-counts.ts';
import {
  column,
  comparedWithColumn,
  conditionColumn,
  groupColumn,
  judgedColumns,
  recognizerColumn,
  tableOf,
} from './tables.ts';
import { counted, named, percent } from './wording.ts';

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

  /** What no recognizer can be asked was not asked: the run says so once, for all of them. */
  addFailure(place: number, kind: FailureKind): void {
    if (kind === 'inapplicable') return;
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
 * Two groups of which a recognizer failed for neither have no row. Holm's correction over all rows.
 */
export function failureGaps(
  { slices }: GroupTrials,
  recognizers: readonly { readonly name: string }[],
  reference: Readonly<Record<string, string>>,
  settings: Pick<ComparisonSettings, 'level' | 'minimumSpeakers' | 'seed'>,
): FailureGap[] {
  const byAttribute = Map.groupBy(slices.groups(), ({ group }) => group!.attribute);
  const compared = recognizers.flatMap(({ name }, recognizer) =>
    [...byAttribute].flatMap(([attribute, parts]) => {
      const sides = parts.map((part) => ({ value: part.group!.value, side: sideOf(part, recognizer) }));
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
      const more = { value, count: `${grouped(failed)} of ${grouped(asked)}` };
      const fewer = { value: comparedWith, count: `${othersFailed} of ${othersAsked}` };
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
    title: 'Failures by group',
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

/** What became of the trials of one recognizer in one condition, by name. */
export interface TrialRow extends TrialCounts {
  readonly condition: string;
  readonly recognizer: string;
}

/**
 * What became of the trials, by condition, recognizers innermost, as sections and warnings about failures want it.
 *
 * @param placeOf where the trials of a recognizer in a condition were counted; by recognizer, then condition, if absent
 */
export function namedTrials(
  { tally, design }: TriedAndDesigned,
  placeOf = (recognizer: number, condition: number) => recognizer * design.conditions.length + condition,
): TrialRow[] {
  return design.conditions.flatMap((condition, place) =>
    design.recognizers.map((recognizer, number) => ({
      condition: condition.name,
      recognizer: recognizer.name,
      ...tally.trials.at(placeOf(number, place)),
    })),
  );
}

/** Of what a finding is made of: the trials that were counted, and who was asked in which conditions. */
interface TriedAndDesigned {
  readonly tally: { readonly trials: FailureCounts };
  readonly design: {
    readonly recognizers: readonly { readonly name: string }[];
    readonly conditions: readonly { readonly name: string }[];
  };
}

/** A larger share of failed trials in some condition is worth a warning. */
export const failuresToWarnOf = 0.01;

/** What became of all trials of one recognizer. */
interface RecognizerFailures {
  readonly recognizer: string;
  readonly asked: number;
  readonly failed: number;
  /** Of these because the audio could not be read or made: no fault of the recognizer. */
  readonly unheard: number;
  /** The condition in which the largest share of them failed, with that share; null: alike in all. */
  readonly worst: TrialRow | null;
  readonly maxShare: number;
}

/** Recognizers that left any trial without an answer. */
function recognizerFailures(rows: readonly TrialRow[]): RecognizerFailures[] {
  return [...Map.groupBy(rows, ({ recognizer }) => recognizer)].flatMap(([recognizer, own]): RecognizerFailures[] => {
    const worst = own.reduce((most, one) => (share(one) > share(most) ? one : most));
    if (worst.failed === 0) return [];
    const kinds = own.flatMap(({ failures }) => failures);
    return [
      {
        recognizer,
        asked: own.reduce((sum, one) => sum + one.asked, 0),
        failed: own.reduce((sum, one) => sum + one.failed, 0),
        unheard: kinds.reduce((sum, { kind, count }) => sum + (kind === 'sound' ? count : 0), 0),
        worst: own.every((one) => one.asked === 0 || share(one) === share(worst)) ? null : worst,
        maxShare: share(worst),
      },
    ];
  });
}

/**
 * Recognizers that did not answer too often in some condition to be believed without a look. A sound that cannot be read is no fault of
 * theirs, and is told apart.
 *
 * @param consequence ends the sentence: `they are left out of its rates, which may flatter it`
 * @example failureWarnings(namedTrials(known), 'these cases are left out')
 */
export function failureWarnings(rows: readonly TrialRow[], consequence: string): string[] {
  return recognizerFailures(rows).flatMap(({ recognizer, asked, failed, unheard, worst, maxShare }) => {
    if (maxShare <= failuresToWarnOf) return [];
    const why =
      unheard === 0
        ? ''
        : `, ${unheard === failed ? '' : `in ${grouped(unheard)} of them `}because the audio could not be read or made`;
    if (failed === asked) {
      const all = asked === 1 ? 'its only trial' : `any of its ${counted(asked, 'trial')}`;
      return [`${named(recognizer)} did not answer ${all}${why}: it has no results.`];
    }
    const where = worst === null ? '' : `, most in ${named(worst.condition)} (${percent(worst.failed, worst.asked)})`;
    return [
      `${named(recognizer)} did not answer ${grouped(failed)} of ${counted(asked, 'trial')} (${percent(failed, asked)})${where}${why}; ${consequence}.`,
    ];
  });
}

function share({ asked, failed }: Pick<TrialRow, 'asked' | 'failed'>): number {
  return asked === 0 ? 0 : failed / asked;
}

/**
 * Trials without a transcript, by condition, recognizer and kind, and by recognizer.
 *
 * @param study first part of its id
 * @param how what a failed trial means for the numbers of the study
 * @example failuresSection('mine', 'A failed trial is left out.', cube.trials)
 */
export function failuresSection(study: string, how: string, trials: readonly TrialRow[]): Section {
  const id = `${study}-failures`;
  const title = 'Failures';
  const rows = trials.flatMap(({ condition, recognizer, asked, failures }) =>
    failures.map(({ kind, count }) => ({ condition, recognizer, kind, count, share: count / asked })),
  );
  if (rows.length === 0) return { id, title, text: ['No trial failed.'] };
  const table = tableOf(id, 'Failures by condition, recognizer and kind', rows, [
    conditionColumn,
    recognizerColumn,
    { key: 'kind', label: 'Kind', kind: 'text' },
    { key: 'count', label: 'Trials', kind: 'count' },
    { key: 'share', label: 'Share of trials', kind: 'rate' },
  ]);
  const byRecognizer = tableOf(
    `${study}-recognizer-failures`,
    'Failures by recognizer',
    recognizerFailures(trials).map((row) => ({ ...row, share: row.failed / row.asked })),
    [
      recognizerColumn,
      { key: 'failed', label: 'Failed', kind: 'count' },
      { key: 'asked', label: 'Trials', kind: 'count' },
      { key: 'share', label: 'Share of trials', kind: 'rate' },
      { key: 'unheard', label: 'Audio not read or made', kind: 'count' },
      column('worst', 'Most in', 'text', ({ worst }) => worst?.condition ?? null),
      { key: 'maxShare', label: 'Share there', kind: 'rate' },
    ],
  );
  return { id, title, text: [how], tables: [table, byRecognizer] };
}

/** Trials that failed and trials that were asked, by group and speaker; as large as these are many. */
export interface GroupTrials {
  /** What is added from here on belongs to this utterance. */
  enter(utterance: Utterance): void;
  add(recognizer: number, failed: boolean): void;
  readonly slices: SlicedCounts;
}

/** @param groupBy attributes that make groups; null: every attribute with 2 to 8 values */
export function createGroupTrials(groupBy: readonly string[] | null, read: ReadAttribute): GroupTrials {
  const slices = new SlicedCounts(groupBy);
  let met = new Set<number>();
  return {
    enter(utterance) {
      const names = groupBy ?? Object.keys(utterance.attributes);
      const values = names.flatMap((name) => {
        const value = read(utterance, name);
        return value === null ? [] : [[name, value] as const];
      });
      slices.enter({ ...utterance, attributes: Object.fromEntries(values) });
      met = new Set();
    },
    add(recognizer, failed) {
      slices.add(recognizer, failed ? 1 : 0, 1, 1, met.has(recognizer) ? 0 : 1);
      met.add(recognizer);
    },
    slices,
  };
}
