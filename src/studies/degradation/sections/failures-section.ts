import type { Section } from '../../../model/finding.ts';
import type { Known } from '../known.ts';

/** Trials without a transcript; null where there are none. */
export function failuresSection({ tally, design }: Known): Section | null {
  const { conditions, recognizers } = design;
  const rows = recognizers.flatMap(({ name }, recognizer) =>
    conditions.flatMap((condition, number) => {
      const { asked, failures } = tally.trials.at(recognizer * conditions.length + number);
      return failures.map(({ kind, count }) => ({
        recognizer: name,
        condition: condition.name,
        kind,
        count,
        share: count / asked,
      }));
    }),
  );
  if (rows.length === 0) return null;
  return {
    id: 'degradation-failures',
    title: 'Failures',
    tables: [
      {
        id: 'degradation-failures',
        title: 'Failures by recognizer, condition and kind',
        columns: [
          { key: 'recognizer', label: 'Recognizer', kind: 'text' },
          { key: 'condition', label: 'Condition', kind: 'text' },
          { key: 'kind', label: 'Kind', kind: 'text' },
          { key: 'count', label: 'Trials', kind: 'count' },
          { key: 'share', label: 'Share of trials', kind: 'rate' },
        ],
        rows,
      },
    ],
  };
}
