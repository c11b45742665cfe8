import { z } from 'zod';
import type { Section, Table } from '../../../model/finding.ts';
import { conditionColumn } from '../tables.ts';
import { counted } from '../wording.ts';
import type { Validity } from './condition-validity.ts';
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
    title: 'Sounds that count',
    text: [
      `${counted(dropped, 'condition')} of ${conditions.length} and ${counted(excluded, 'changed sound')} are left out: kept is what has ${rule}.`,
    ],
    tables: [
      {
        id: `${study}-validity`,
        title: 'Kept and left out',
        columns: [
          conditionColumn,
          { key: 'kept', label: 'Kept', kind: 'text' },
          { key: 'mean', label: 'Mean', kind: 'number', help: `What decides: ${rule}.` },
          { key: 'cases', label: 'Sounds', kind: 'count', help: 'Changed sounds that were measured.' },
          { key: 'excluded', label: 'Left out', kind: 'count' },
          {
            key: 'unjudged',
            label: 'Not judged',
            kind: 'count',
            help: 'Sounds for which the measure has no value; they are kept.',
          },
        ],
        rows: conditions.map(({ condition, kept, mean, cases, excluded, unjudged }) => ({
          condition,
          kept: kept ? 'yes' : 'no',
          mean,
          cases,
          excluded,
          unjudged,
        })),
      },
    ],
  };
}

/**
 * What listeners said, for a finding: mean, number and interval, in the long form of AequeVox' Table 10 and SR-MT's Table 1.
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
    title: 'What listeners said',
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
      ? 'Ratings without a listener count as independent of each other: with a column listener the intervals know who said what.'
      : 'Intervals resample listeners.',
  };
}

const byMeasure = z.strictObject({
  measure: z.string().min(1).max(100).describe('A measure of quality that the config names under `quality`'),
  value: z.string().min(1).max(100).optional().describe('Which of its values; the first if absent'),
  atLeast: z.number().describe('Below this a sound says nothing about recognizers any more'),
  per: z
    .enum(['condition', 'case'])
    .default('condition')
    .describe('Whether whole conditions are dropped by their mean, or each changed sound by itself'),
});

const byListeners = z.strictObject({
  comprehensibility: z
    .number()
    .min(1)
    .max(10)
    .describe(
      'Scenarios are kept that the listeners of AequeVox understood better than this; the paper keeps those above 7.2',
    ),
});

/** The option `validity` of studies: which sounds count. */
export const validityOption = z.union([byMeasure, byListeners]);

export type ValidityOption = z.output<typeof validityOption>;
