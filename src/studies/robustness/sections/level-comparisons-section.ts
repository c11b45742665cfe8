import type { Section, Table } from '../../../model/finding.ts';
import { comparedWithColumn, recognizerColumn, verdictCells, verdictColumns } from '../../shared/columns.ts';
import type { Design } from '../design.ts';
import type { LevelComparison } from '../level-comparisons.ts';

/** Recognizers compared over many scenarios; null where there is one alone. */
export function levelComparisonsSection(compared: readonly LevelComparison[], design: Design): Section | null {
  if (compared.length === 0) return null;
  const id = 'robustness-level-comparisons';
  const title = 'Difference of means on the trials that both answered';
  return {
    id,
    title: 'Recognizers compared over all scenarios',
    text: ['Tested together with the comparisons in single conditions; how the error is kept stands there.'],
    tables: [levelComparisonTable({ id, title }, compared, design)],
  };
}

/** A row for each pair of recognizers, measure and category. */
export function levelComparisonTable(
  named: Pick<Table, 'id' | 'title'>,
  compared: readonly LevelComparison[],
  design: Design,
): Table {
  return {
    ...named,
    columns: [
      { key: 'category', label: 'Scenarios', kind: 'text' },
      { key: 'measure', label: 'Mean of', kind: 'text' },
      recognizerColumn,
      comparedWithColumn,
      { key: 'difference', label: 'Difference', kind: 'difference', help: 'Below zero: fewer errors, or less lost.' },
      ...verdictColumns('From swapping the two recognizers speaker by speaker'),
    ],
    rows: compared.map(({ category, measure, recognizer, comparedWith, comparison }) => ({
      category: category ?? 'all scenarios',
      measure,
      recognizer: design.recognizers[recognizer]!.name,
      comparedWith: design.recognizers[comparedWith]!.name,
      difference: comparison,
      ...verdictCells(comparison),
    })),
    note: 'A verdict is given only where interval and corrected test agree.',
  };
}
