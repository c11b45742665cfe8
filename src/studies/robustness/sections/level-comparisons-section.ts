import type { Section, Table } from '../../../model/finding.ts';
import { adjustedColumn, comparedWithColumn, recognizerColumn, verdictColumn } from '../../shared/columns.ts';
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
      adjustedColumn(
        'From swapping the two recognizers speaker by speaker; corrected for all comparisons here (Holm).',
      ),
      verdictColumn,
    ],
    rows: compared.map(({ category, measure, recognizer, comparedWith, comparison }) => ({
      category: category ?? 'all scenarios',
      measure,
      recognizer: design.recognizers[recognizer]!.name,
      comparedWith: design.recognizers[comparedWith]!.name,
      difference: comparison,
      adjustedPValue: comparison.adjustedPValue,
      verdict: comparison.verdict,
    })),
    note: 'A verdict is given only where interval and corrected test agree.',
  };
}
