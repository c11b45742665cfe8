import { grouped } from '../../base/number-format.ts';
import { counted } from '../../base/wording.ts';
import type { Section } from '../../model/finding.ts';
import type { FailureKind } from '../../model/observation.ts';
import { column, conditionColumn, recognizerColumn, tableOf } from './tables.ts';
import { named, percent } from './wording.ts';

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
