import type { Section } from '../../../model/finding.ts';
import {
  adjustedColumn,
  comparedWithColumn,
  conditionColumn,
  recognizerColumn,
  verdictColumn,
} from '../../shared/columns.ts';
import type { Design } from '../design.ts';
import type { Results } from '../results.ts';

/** Every pair of recognizers; null where there is one alone. */
export function comparisonsSection(results: Results, design: Design): Section | null {
  if (results.comparisons.length === 0) return null;
  const rows = results.comparisons.map(({ condition, group, recognizer, comparedWith, comparison }) => ({
    condition: design.conditions[condition]!.name,
    group: group === null ? 'everybody' : `${group.attribute}: ${group.value}`,
    recognizer: design.recognizers[recognizer]!.name,
    comparedWith: design.recognizers[comparedWith]!.name,
    difference: comparison,
    adjustedPValue: comparison.adjustedPValue,
    verdict: comparison.verdict,
    pairs: comparison.difference.n.pairs ?? null,
  }));
  return {
    id: 'robustness-comparisons',
    title: 'Recognizers compared',
    tables: [
      {
        id: 'robustness-comparisons',
        title: 'Difference in word error rate on the trials that both answered',
        columns: [
          conditionColumn,
          { key: 'group', label: 'Who', kind: 'text' },
          recognizerColumn,
          comparedWithColumn,
          { key: 'difference', label: 'Difference', kind: 'difference', help: 'Below zero: fewer errors.' },
          adjustedColumn(
            'From swapping the two recognizers speaker by speaker; corrected for all comparisons here (Holm).',
          ),
          verdictColumn,
          { key: 'pairs', label: 'Trials', kind: 'count' },
        ],
        rows,
        note: 'A verdict is given only where interval and corrected test agree.',
      },
    ],
  };
}
