import type { Section } from '../../../model/finding.ts';
import type { CaseValidity } from '../../shared/validity/case-judgement.ts';
import { ratingsTable } from '../../shared/validity/section.ts';
import type { Design } from '../design.ts';
import type { Results } from '../results.ts';
import type { Tally } from '../tally.ts';
import { subjectCells, subjectColumns } from './columns.ts';

/** Results with all cases and with only those that the gate keeps; null without a gate. */
export function validitySection(
  { sets }: Results,
  { excluded, unrated }: Tally,
  design: Design,
  validity: CaseValidity | null,
): Section | null {
  if (validity === null) return null;
  const languages = new Set(sets.map(({ language }) => language)).size;
  const rows = sets.filter(({ set }) => set.kind === 'relation' || set.kind === 'condition');
  return {
    id: 'metamorphic-validity',
    title: 'With valid cases alone',
    text: [
      `A changed clip counts as valid by: ${validity.rule}. One that was not ${validity.conditions === null ? 'rated does not count' : 'measured counts'}.`,
    ],
    tables: [
      {
        id: 'metamorphic-validity',
        title: 'With all cases, and with the valid ones',
        columns: [
          ...subjectColumns('condition', languages),
          { key: 'all', label: 'Violations', kind: 'rate' },
          { key: 'valid', label: 'Violations, valid cases', kind: 'rate' },
          { key: 'levelAll', label: 'Level', kind: 'number' },
          { key: 'levelValid', label: 'Level, valid cases', kind: 'number' },
          { key: 'pairs', label: 'Cases', kind: 'count' },
          { key: 'validPairs', label: 'Valid cases', kind: 'count' },
        ],
        rows: rows.map((row) => ({
          ...subjectCells(row, design),
          all: row.violationRate,
          valid: row.valid!.violationRate,
          levelAll: row.metrics.level,
          levelValid: row.valid!.metrics.level,
          pairs: row.cases.total('pairs'),
          validPairs: row.valid!.violationRate.n.pairs ?? 0,
        })),
      },
      {
        id: 'metamorphic-excluded',
        title: 'What was left out',
        columns: [
          { key: 'set', label: 'Condition', kind: 'text' },
          { key: 'excluded', label: 'Not valid', kind: 'count' },
          { key: 'unrated', label: 'Not rated', kind: 'count' },
        ],
        rows: design.conditions.map(({ name }, condition) => ({
          set: name,
          excluded: excluded[condition]!,
          unrated: unrated[condition]!,
        })),
        note: 'Cases of all recognizers together.',
      },
      ...(validity.ratings === null ? [] : [ratingsTable('metamorphic', validity.ratings, () => null)]),
    ],
  };
}
