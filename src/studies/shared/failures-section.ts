import type { Section } from '../../model/finding.ts';
import type { FailureKind } from '../../model/observation.ts';

/** Trials of one recognizer in one condition. */
export interface FailureRow {
  readonly condition: string;
  readonly recognizer: string;
  readonly asked: number;
  readonly failures: readonly { readonly kind: FailureKind; readonly count: number }[];
}

/**
 * Trials without a transcript, by condition, recognizer and kind.
 *
 * @param study first part of its id
 * @param how what a failed trial means for the numbers of the study
 */
export function failuresSection(study: string, how: string, trials: readonly FailureRow[]): Section {
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
          { key: 'condition', label: 'Condition', kind: 'text' },
          { key: 'recognizer', label: 'Recognizer', kind: 'text' },
          { key: 'kind', label: 'Kind', kind: 'text' },
          { key: 'count', label: 'Trials', kind: 'count' },
          { key: 'share', label: 'Share of trials', kind: 'rate' },
        ],
        rows,
      },
    ],
  };
}
