import type { Section } from '../../model/finding.ts';
import { conditionColumn, recognizerColumn } from './columns.ts';
import type { TrialRow } from './trial-rows.ts';

/**
 * Trials without a transcript, by condition, recognizer and kind.
 *
 * @param study first part of its id
 * @param how what a failed trial means for the numbers of the study
 */
export function failuresSection(study: string, how: string, trials: readonly TrialRow[]): Section {
  const id = `${study}-failures`;
  const title = 'Failures';
  const rows = trials.flatMap(({ condition, recognizer, asked, failures }) =>
    failures.map(({ kind, count }) => ({ condition, recognizer, kind, count, share: count / asked })),
  );
  if (rows.length === 0) return { id, title, text: ['No trial failed.'] };
  return {
    id,
    title,
    text: [how],
    tables: [
      {
        id,
        title: 'Failures by condition, recognizer and kind',
        columns: [
          conditionColumn,
          recognizerColumn,
          { key: 'kind', label: 'Kind', kind: 'text' },
          { key: 'count', label: 'Trials', kind: 'count' },
          { key: 'share', label: 'Share of trials', kind: 'rate' },
        ],
        rows,
      },
    ],
  };
}
