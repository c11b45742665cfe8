import { z } from 'zod';
import type { Json } from '../../../base/json.ts';
import { grouped } from '../../../base/number-format.ts';
import { between, nonEmpty, oneOf } from '../../../base/option-kinds.ts';
import { counted } from '../../../base/wording.ts';
import type { Estimate, Section, Table } from '../../../model/finding.ts';
import type { Condition } from '../../../model/trial.ts';
import type { Utterance } from '../../../model/utterance.ts';
import type { Answer, Question } from '../../contract.ts';
import type { MeanOptions } from '../speaker-clusters.ts';
import { column, conditionColumn, tableOf } from '../tables.ts';
import { listed } from '../wording.ts';
import type { RatingMean } from './ratings.ts';

/**
 * What the gate kept and dropped, for a finding.
 *
 * @param study its name; names the section and its table
 * @example sections.push(validitySection('robustness', gate.judge(options)))
 */
export function validitySection(study: string, { conditions, rule }: Pick<Validity, 'conditions' | 'rule'>): Section {
  const dropped = conditions.filter(({ kept }) => !kept).length;
  const excluded = conditions.reduce((sum, condition) => sum + condition.excluded, 0);
  return {
    id: `${study}-validity`,
    title: 'Clips that count',
    text: [
      `${counted(dropped, 'condition')} of ${conditions.length} and ${counted(excluded, 'perturbed clip')} are left out. Kept: ${rule}.`,
    ],
    tables: [
      tableOf(`${study}-validity`, 'Kept and left out', conditions, [
        conditionColumn,
        column('kept', 'Kept', 'text', ({ kept }) => (kept ? 'yes' : 'no')),
        { key: 'mean', label: 'Mean', kind: 'number', help: `What decides: ${rule}.` },
        { key: 'cases', label: 'Sounds', kind: 'count', help: 'Perturbed clips that were measured.' },
        { key: 'excluded', label: 'Left out', kind: 'count' },
        {
          key: 'unjudged',
          label: 'Not judged',
          kind: 'count',
          help: 'Clips for which the measure has no value; they are kept.',
        },
      ]),
    ],
  };
}

/**
 * Ratings of the listeners, for a finding: mean, number and interval, in the long form of AequeVox' Table 10 and SR-MT's Table 1.
 *
 * @param study its name; names the table
 * @param labelOf the severity of a scenario, where one is known
 * @example ratingsTable('degradation', validity.ratings, () => null)
 */
export function ratingsTable(
  study: string,
  ratings: readonly RatingMean[],
  labelOf: (about: string) => string | null,
): Table {
  const has = (key: 'corpus' | 'scale') => ratings.some((one) => one[key] !== null);
  const labels = ratings.map(({ about }) => labelOf(about));
  return {
    id: `${study}-ratings`,
    title: 'Ratings of the listeners',
    columns: [
      { key: 'about', label: 'Rated', kind: 'text' },
      ...(labels.some((label) => label !== null)
        ? [{ key: 'severity', label: 'Severity', kind: 'text' } as const]
        : []),
      ...(has('corpus') ? [{ key: 'corpus', label: 'Corpus', kind: 'text' } as const] : []),
      ...(has('scale') ? [{ key: 'scale', label: 'Scale', kind: 'text' } as const] : []),
      { key: 'mean', label: 'Mean rating', kind: 'number' },
      { key: 'ratings', label: 'Ratings', kind: 'count' },
      { key: 'listeners', label: 'Listeners', kind: 'count', help: 'A dash: the table does not name them.' },
    ],
    rows: ratings.map(({ about, corpus, scale, mean, ratings: count, listeners }, place) => ({
      about,
      severity: labels[place] ?? null,
      corpus,
      scale,
      mean,
      ratings: count,
      listeners,
    })),
    note: ratings.some(({ listeners }) => listeners === null)
      ? 'Ratings without a listener count as independent of each other; with a column listener, intervals account for ratings by the same person.'
      : 'Intervals have listeners as clusters, and clips too where the table names four or more.',
  };
}

/**
 * Says which ratings were given for nothing: a misspelled name would else pass in silence.
 *
 * @param unmet what was rated and is not there
 * @param what they should have been: `condition of this study`
 * @param known what there is
 * @example unmetRatings(['noise 9'], 'parameter of the table', ['noise 8'])
 * // ['Ratings of noise 9 were not used: no parameter of the table is called so (there are noise 8).']
 */
export function unmetRatings(unmet: readonly string[], what: string, known: readonly string[]): string[] {
  return unmet.length === 0
    ? []
    : [`Ratings of ${listed(unmet)} were not used: no ${what} is called so (there are ${listed(known)}).`];
}

const byMeasure = z.strictObject({
  measure: nonEmpty(100).describe('A measure of quality that the config names under `quality`'),
  value: nonEmpty(100).optional().describe('Which of its values; the first if absent'),
  atLeast: z.number().describe('Below this, a clip says nothing about recognizers any more'),
  per: oneOf(['condition', 'case'])
    .default('condition')
    .describe('Whether whole conditions are left out by their mean, or each perturbed clip separately'),
});

const byListeners = z.strictObject({
  comprehensibility: between(1, 10).describe(
    'Scenarios are kept that the listeners of AequeVox understood better than this; the paper keeps those above 7.2',
  ),
});

/**
 * What a gate does to the numbers of an answer, as a sentence that stands with the first of them.
 *
 * @param leftOut how many of `all` do not count; null: the numbers are of all of them, and those without are in a section of their own
 * @example gateInWords(rule, { leftOut: 310, all: 1200, of: 'perturbed clip' }, true)
 * // '310 of 1,200 perturbed clips do not count and are left out (kept: mean rating of at least 4, by condition and corpus).'
 */
export function gateInWords(
  rule: string,
  { leftOut, all, of }: { readonly leftOut: number; readonly all: number; readonly of: string },
  isLeftOut: boolean,
): string {
  return isLeftOut
    ? `${grouped(leftOut)} of ${counted(all, of)} do not count and are left out (kept: ${rule}).`
    : `All ${of}s count here, also the ${grouped(leftOut)} of ${grouped(all)} that are not valid (valid: ${rule}); a section of its own has the numbers without them.`;
}

/** The option `validity` of studies: which sounds count. */
export const validityOption = z.union([byMeasure, byListeners]);

export type ValidityOption = z.output<typeof validityOption>;

/** What the gate says of a condition. */
export interface ConditionValidity {
  readonly condition: string;
  /** Whether any of its sounds counts. */
  readonly kept: boolean;
  /** Mean of what decides; null where nothing could be judged. */
  readonly mean: Estimate;
  /** Changed sounds: utterance, condition and draw. */
  readonly cases: number;
  /** Of these, without a value; they are kept, because nothing says that they are bad. */
  readonly unjudged: number;
  /** Of these, dropped. */
  readonly excluded: number;
}

/** The gate's judgement, when it has heard everything. */
interface Validity {
  /** Whether a sound counts. Clean sound always does. */
  keeps(utterance: Pick<Utterance, 'id'>, condition: Pick<Condition, 'name' | 'steps'>, draw: number): boolean;
  /** Every changed condition, in their order. */
  readonly conditions: readonly ConditionValidity[];
  /** What was asked, for people: `dnsmos ovr at least 2.5, by condition`. */
  readonly rule: string;
}

/** A changed condition with its place in the list of the study. */
export interface NumberedCondition {
  readonly condition: Condition;
  readonly index: number;
}

/** Judges sounds as their measurements come. */
export interface ValidityGate {
  /** What has to be measured before; empty where the gate knows the scenarios by their names. To be asked as one batch. */
  questions(draws: (condition: number) => number): AsyncGenerator<Question>;
  /** Told of every answer to `questions`; of others it takes no notice. */
  see(answer: Answer): void;
  /** @param options how the intervals of the means are made; they decide nothing */
  judge(options: Omit<MeanOptions, 'random'>): Validity;
}

/** Whether a changed clip counts: kept, excluded, or not rated at all (which does not count either). */
export type Judgement = 'kept' | 'excluded' | 'unrated';

/** Says of every changed clip whether its results count. */
export interface CaseValidity {
  judge(utterance: Utterance, condition: Condition, draw: number): Judgement;
  /** For the finding: what was asked, in words. */
  readonly rule: string;
  /** For the settings. */
  readonly identity: Json;
  /** What decided about whole conditions; null where a table of ratings was looked up. */
  readonly conditions: readonly ConditionValidity[] | null;
  /** What the table of ratings says; null where there is none. */
  readonly ratings: readonly RatingMean[] | null;
  /** Ratings that are about nothing of the study, in a sentence; absent or empty where there are none. */
  readonly warnings?: readonly string[];
}

/** How ratings name what they are about. */
export interface CaseGroups {
  /** What a rating that names these is about, and what a condition belongs to; null: nothing that is judged. */
  groupOf(condition: string | null, relation: string | null): string | null;
  /** The attribute that names the corpus of an utterance. */
  readonly corpusBy: string;
}
