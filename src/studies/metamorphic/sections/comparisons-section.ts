import type { Section } from '../../../model/finding.ts';
import { comparedWithColumn, recognizerColumn, verdictCells, verdictColumns } from '../../shared/columns.ts';
import type { Design } from '../design.ts';
import type { Results } from '../results.ts';
import { setLabels } from './columns.ts';

/** Every pair of recognizers; null where there is one alone. */
export function comparisonsSection({ comparisons }: Results, design: Design): Section | null {
  if (comparisons.length === 0) return null;
  const id = 'metamorphic-comparisons';
  return {
    id,
    title: 'Recognizers compared',
    tables: [
      {
        id,
        title: 'Difference in violations on the cases that both answered',
        columns: [
          { key: 'kind', label: 'What', kind: 'text' },
          { key: 'set', label: 'Name', kind: 'text' },
          recognizerColumn,
          comparedWithColumn,
          { key: 'difference', label: 'Difference', kind: 'difference', help: 'Below zero: fewer violations.' },
          ...verdictColumns('From swapping the two recognizers speaker by speaker'),
          { key: 'pairs', label: 'Cases', kind: 'count' },
        ],
        rows: comparisons.map(({ set, first, second, comparison }) => ({
          kind: setLabels[set.kind],
          set: set.name,
          recognizer: design.recognizers[second]!.name,
          comparedWith: design.recognizers[first]!.name,
          difference: comparison,
          ...verdictCells(comparison),
          pairs: comparison.difference.n.pairs ?? null,
        })),
        note: 'A verdict is given only where interval and corrected test agree.',
      },
    ],
  };
}
