import type { Section } from '../../../model/finding.ts';
import type { Design } from '../design.ts';
import type { Tally } from '../tally.ts';
import { conditionColumn, recognizerColumn } from './columns.ts';

/** Trials without a transcript, and what that means for the numbers. */
export function failuresSection(tally: Tally, design: Design): Section {
  const rows = design.conditions.flatMap((condition, conditionNumber) =>
    design.recognizers.flatMap((recognizer, recognizerNumber) => {
      const { asked, failures } = tally.trials.at(tally.series.words(recognizerNumber, conditionNumber));
      return failures.map(({ kind, count }) => ({
        condition: condition.name,
        recognizer: recognizer.name,
        kind,
        count,
        share: count / asked,
      }));
    }),
  );
  const how =
    'A failed trial is no empty transcript: it is left out of its rate, and in a comparison out of both sides, so that only trials answered on both are compared.';
  if (rows.length === 0) return { id: 'robustness-failures', title: 'Failures', text: ['No trial failed.'] };
  return {
    id: 'robustness-failures',
    title: 'Failures',
    text: [how],
    tables: [
      {
        id: 'robustness-failures',
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
