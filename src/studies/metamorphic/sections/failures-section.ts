import type { Section } from '../../../model/finding.ts';
import type { Design } from '../design.ts';
import { trialPlace } from '../places.ts';
import type { Tally } from '../tally.ts';
import { recognizerColumn } from './columns.ts';

/** Trials without a transcript. */
export function failuresSection({ trials }: Tally, design: Design): Section {
  const id = 'metamorphic-failures';
  const title = 'Failures';
  const places = [null, ...design.conditions.keys()];
  const rows = places.flatMap((condition) =>
    design.recognizers.flatMap(({ name }, recognizer) => {
      const { asked, failures } = trials.at(trialPlace(design, recognizer, condition));
      return failures.map(({ kind, count }) => ({
        condition: condition === null ? 'clean' : design.conditions[condition]!.name,
        recognizer: name,
        kind,
        count,
        share: count / asked,
      }));
    }),
  );
  if (rows.length === 0) return { id, title, text: ['No trial failed.'] };
  return {
    id,
    title,
    text: [
      'A case counts only where clean and changed clip were both answered; a failed trial is no empty transcript.',
    ],
    tables: [
      {
        id,
        title: 'Failures by condition, recognizer and kind',
        columns: [
          { key: 'condition', label: 'Condition', kind: 'text' },
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
